// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House

/// What the coordinator needs of a playback engine; `PlaybackEngine` is it, tests have their own.
///
/// All methods return at once; what they bring about comes back in `events`.
protocol Player: Sendable {
  var events: AsyncStream<EngineEvent> { get }
  var status: EngineStatus { get }
  var counters: EngineCounters { get }
  var port: UInt16 { get }
  func position() -> StreamPosition?
  func play(_ track: TrackRequest)
  func setNext(_ track: TrackRequest?, after item: ItemID?)
  func pause()
  func resume()
  func stop()
  func resumeAfterRestart(_ track: TrackRequest, firstAudible: MediaFrame)
  func setRooms(_ rooms: [RoomDestination])
  func heed(_ deliveries: [String: DeliveryReport])
  func shutdown(fade: Nanoseconds) async
}

extension PlaybackEngine: Player {}
