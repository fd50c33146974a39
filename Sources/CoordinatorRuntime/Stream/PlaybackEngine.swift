// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import DaemonProcess
public import House
internal import Synchronization

/// Plays tracks to the rooms of one group.
///
/// All methods return at once and may be called from any thread; what they bring about comes back in
/// `events`, in order. Three kinds of thread are behind it: readers (one for each chain of tracks,
/// blocked on the decoder), the producer (encodes, decides), and the media thread (the UDP socket:
/// clock service, flushes, paced sends).
public final class PlaybackEngine: Sendable {
  /// What happens; one consumer.
  public let events: AsyncStream<EngineEvent>
  /// The UDP port, also of the clock service.
  public var port: UInt16 { 0 }
  /// How the engine stands now.
  public var status: EngineStatus { EngineStatus() }
  /// What it has counted.
  public var counters: EngineCounters { EngineCounters() }

  private let report: AsyncStream<EngineEvent>.Continuation

  /// Binds the socket and starts the threads.
  ///
  /// - Parameters:
  ///   - configuration: Address, delay, bit rate.
  ///   - clock: The media clock.
  ///   - storage: Keeps the names of generations.
  ///   - sources: Opens tracks.
  ///   - log: One line per event.
  /// - Throws: `NetworkError` that names the port when it is in use; `ProcessError`.
  public init(
    configuration: EngineConfiguration, clock: MediaClock, storage: any StreamStorage,
    sources: any PCMSourceOpener, log: Log
  ) throws {
    (events, report) = AsyncStream.makeStream()
  }

  /// Plays a track from its `startFrame` on, as soon as its first samples are there. What sounds is
  /// faded over into it. Also seek (the same item at another frame), next and previous.
  public func play(_ track: TrackRequest) {}

  /// Says what follows the track that is being read, without a gap; nil: nothing. Answers
  /// `needsNext`, and may be called again whenever the queue changes; a follower that has been
  /// laid out already and not yet heard is taken back.
  public func setNext(_ track: TrackRequest?) {}

  /// Silence in every room within 120 ms; keeps the place to the sample.
  public func pause() {}

  /// Goes on at the very sample where `pause` stopped.
  public func resume() {}

  /// Silence, and forgets the place.
  public func stop() {}

  /// Takes up a stream after a restart: at each stamp the very sample that the rooms hold already.
  ///
  /// - Parameters:
  ///   - track: The item of a `RestartPlan`, `startFrame` its source frame.
  ///   - firstAudible: The stamp of that frame. When opening takes longer than planned, the engine
  ///     starts later, at the sample that belongs there.
  public func resumeAfterRestart(_ track: TrackRequest, firstAudible: MediaFrame) {}

  /// Says which rooms get the stream. Rooms that are new, or whose session changed, are filled at
  /// once; the others do not notice.
  public func setRooms(_ rooms: [RoomDestination]) {}

  /// What is heard now; nil when nothing was ever played.
  public func position() -> StreamPosition? { nil }

  /// Fades out, waits until the rooms know (at most 100 ms), and stops the threads.
  public func shutdown(fade: Nanoseconds = .milliseconds(300)) async {}
}
