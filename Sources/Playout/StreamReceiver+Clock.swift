// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import ClockSync
internal import RealtimeAudio
internal import WireProtocol

// A coordinator whose host slept or was booted stamps its next generation by another clock. The room
// plays out what it holds, and goes over into the new music with both on one line: it goes on counting as
// before, and takes what the new clock is ahead off every frame that comes.
//
//   old clock   ----- 100 ----- 200 ----- 300 - - -          (extrapolated: nobody keeps it any more)
//   new clock                        5,250 --- 5,350 ---     shift = 5,000
//   the room    ----- 100 ----- 200 -- 250 --- 350 ---
//
// The shift is a room's own affair: how well it knows the old clock decides only where what is left of
// the old music goes, never when the new music sounds.

/// The clock that the room's frames are counted by.
public struct RulingClock: Sendable, Hashable {
  /// Which run of the media clock.
  public var id: ClockID
  /// Frames that the clock is ahead of the room's count.
  public var shift: Int64

  /// A clock, and how far the room's count is behind it.
  public init(id: ClockID, shift: Int64) {
    self.id = id
    self.shift = shift
  }

  /// The room's frame of a frame of the clock.
  public func roomFrame(_ frame: MediaFrame) -> MediaFrame { frame - shift }

  /// The clock's frame of a frame of the room.
  public func clockFrame(_ frame: MediaFrame) -> MediaFrame { frame + shift }

  /// The clock's map, as the room counts.
  public func roomMap(_ map: ClockMap) -> ClockMap {
    guard shift != 0 else { return map }
    var result = map
    result.anchorMedia = map.anchorMedia - MediaFrame(index: shift).sinceZero
    return result
  }
}

extension MediaFrame {
  /// The time from frame 0 on.
  fileprivate var sinceZero: Nanoseconds { instant - MediaFrame(index: 0).instant }
}

/// A generation of a clock that is not known yet, and what came of it.
struct AwaitedStream {
  /// Two seconds' worth of a burst.
  private static var packetLimit: Int { 512 }
  /// A button pressed meanwhile; each is repeated.
  private static var flushLimit: Int { 8 }

  var announcement: StreamAnnounce
  var packets: [RawPacket] = []
  var flushes: [FlushPacket] = []
  var end: StreamEnd?

  /// Whether it, or one that follows it, has this name.
  func includes(_ ssrc: SSRC) -> Bool {
    ssrc == announcement.ssrc || ssrc.supersedes(announcement.ssrc)
  }

  mutating func add(_ packet: RawPacket) {
    packets.append(packet)
    if packets.count > Self.packetLimit { packets.removeFirst() }
  }

  mutating func add(_ flush: FlushPacket) {
    flushes.append(flush)
    if flushes.count > Self.flushLimit { flushes.removeFirst() }
  }
}

extension StreamReceiver {
  /// The clock of the music that is announced, while it is not the one that rules: ask it for the
  /// time, and call `takeUp` once there is an answer.
  public var awaitedClock: ClockID? { awaited?.announcement.clockID }

  /// Goes over to the clock that is awaited.
  ///
  /// - Parameters:
  ///   - next: The awaited clock, known well enough to play by; nil: not yet.
  ///   - ruling: The clock that rules, as it is; nil when it is not known any more.
  ///   - now: The present.
  public mutating func takeUp(_ next: ClockMap?, after ruling: ClockMap?, at now: LocalInstant) {
    guard let next, next.clockID == awaitedClock else { return }
    let present = MediaFrame(next.media(at: now))
    guard let clock, let ruling, ruling.clockID == clock.id else {
      forgetAll()
      return takeUp(RulingClock(id: next.clockID, shift: 0), at: present)
    }
    let ahead = next.media(at: now) - clock.roomMap(ruling).media(at: now)
    // To the nearest frame: at most 10 us that the servo makes good, if music sounds.
    let shift = MediaFrame(MediaFrame(index: 0).instant + ahead + Nanoseconds(10_416)).index
    takeUp(RulingClock(id: next.clockID, shift: shift), at: present)
  }

  /// Whether an announcement is of a clock that has to be waited for; then it is kept.
  mutating func awaits(_ announce: StreamAnnounce) -> Bool {
    if let awaited, awaited.announcement.ssrc.supersedes(announce.ssrc) { return true }
    if announce.clockID == clock?.id {
      awaited = nil
      return false
    }
    if announce.clockID == awaitedClock {
      awaited?.announcement = announce
      return true
    }
    guard clock != nil, isRendering else {
      // Nothing sounds that could go on: packets wait for the time by themselves.
      forgetAll()
      clock = RulingClock(id: announce.clockID, shift: 0)
      (reference, playhead, awaited) = (nil, nil, nil)
      return false
    }
    forget(from: announce.ssrc)
    awaited = AwaitedStream(announcement: announce)
    return true
  }

  /// An announcement as the room counts.
  func counted(_ announce: StreamAnnounce) -> StreamAnnounce {
    guard let clock else { return announce }
    var result = announce
    result.firstAudible = clock.roomFrame(announce.firstAudible)
    result.delayRamp.t0 = clock.roomFrame(announce.delayRamp.t0)
    return result
  }

  /// What is held cannot be placed any more: nobody knows how the clocks lie to each other.
  private mutating func forgetAll() {
    for index in generations.indices.reversed() { drop(index) }
  }

  private mutating func takeUp(_ clock: RulingClock, at present: MediaFrame) {
    guard let waiting = awaited else { return }
    awaited = nil
    self.clock = clock
    reference = clock.roomFrame(present)
    announce(waiting.announcement)
    for packet in waiting.packets { takeIn(packet, clock: nil) }
    for flush in waiting.flushes { self.flush(flush) }
    if let end = waiting.end { self.end(end) }
  }
}
