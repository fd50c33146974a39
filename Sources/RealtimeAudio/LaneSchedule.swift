// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Which lane sounds when, as a function of the media frame alone.
//
// A list of cues, oldest first; each says "from this frame on, this lane (or silence), faded in over
// so many frames". The renderer paints them in order: a later cue covers an earlier one by the
// amount it has faded in. So a seek is one cue, a flush is a cue of silence, and two seeks in one
// breath need no state machine: every room computes the same picture from the same list.
//
//     gain of cue A  ________
//                            \        cue B {at: F, fade: 480}
//     gain of cue B           \______
//                             F     F+480
//
// The cross-fade is linear in amplitude, not in power: after a coordinator's restart both lanes hold
// the same music, and then the sum must not swell.

/// One change of what sounds: a lane, or silence, from a media frame on.
public struct LaneCue: Sendable, Hashable, BitwiseCopyable {
  /// Distinguishes this cue from every other of the session; never zero.
  public var serial: UInt32
  /// The lane, 0 to 3; negative for silence.
  public var lane: Int32
  /// The first media frame on which the cue has any effect.
  public var start: MediaFrame
  /// Frames from no effect to full effect; zero for a hard cut.
  public var fadeFrames: Int32
  /// Fills the payload up to whole words, so that no padding is copied.
  private var reserved: Int32 = 0

  /// A change to `lane`, or to silence when `lane` is nil.
  ///
  /// - Parameters:
  ///   - serial: Unique within the session, not zero.
  ///   - lane: 0 to 3, or nil for silence.
  ///   - start: The first frame affected.
  ///   - fadeFrames: Length of the fade in media frames.
  @_noLocks public init(serial: UInt32, lane: Int32?, start: MediaFrame, fadeFrames: Int32) {
    self.serial = serial
    self.lane = lane ?? -1
    self.start = start
    self.fadeFrames = fadeFrames
  }

  /// How much of the cue is in at `frame`: 0 before it starts, 1 after its fade.
  @_noLocks func presence(at frame: Int64) -> Float {
    let elapsed = frame &- start.index
    if elapsed < 0 { return 0 }
    if elapsed >= Int64(fadeFrames) { return 1 }
    return (Float(elapsed) + 0.5) / Float(fadeFrames)
  }

  /// The first frame on which the cue is fully in.
  var settled: Int64 {
    @_noLocks get { start.index &+ Int64(fadeFrames) }
  }
}

/// The latest cues, oldest first; silence before the first.
public struct LaneSchedule: Sendable, BitwiseCopyable {
  /// How many cues are kept: the one that sounds, and three that may be on their way.
  public static var capacity: Int { @_noLocks get { 4 } }

  private var cues: InlineArray<4, LaneCue>
  /// How many cues there are, 0 to `capacity`.
  public private(set) var count: Int

  /// Silence for ever.
  @_noLocks public init() {
    cues = InlineArray(
      repeating: LaneCue(serial: 0, lane: nil, start: MediaFrame(index: 0), fadeFrames: 0))
    count = 0
  }

  /// The cue at `index`, 0 being the oldest.
  public subscript(index: Int) -> LaneCue {
    @_noLocks get { cues[index] }
  }

  /// Adds a cue that covers all earlier ones from its start; drops the oldest when full.
  @_noLocks public mutating func append(_ cue: LaneCue) {
    if count == Self.capacity { removeFirst(1) }
    cues[count] = cue
    count += 1
  }

  /// Forgets cues that are wholly covered at `frame` and later.
  @_noLocks public mutating func retire(before frame: MediaFrame) {
    removeFirst(firstRelevant(at: frame.index))
  }

  /// The oldest cue that can still be heard at `frame` or later.
  @_noLocks func firstRelevant(at frame: Int64) -> Int {
    var index = count
    while index > 1 {
      index -= 1
      if cues[index].settled <= frame { return index }
    }
    return 0
  }

  /// Takes over `other`, never letting a cue that is news start before `frontier`.
  ///
  /// What lies before the frontier is already mixed. A cue that comes late fades in from there: late,
  /// but without a click.
  @_noLocks mutating func adopt(_ other: Self, frontier: Int64) {
    var adopted = other
    for index in 0..<other.count {
      let known = startOfCue(serial: other.cues[index].serial)
      let latest = max(other.cues[index].start.index, frontier)
      adopted.cues[index].start = MediaFrame(index: known ?? latest)
    }
    self = adopted
  }

  /// The lanes that sound at `frame` or may sound later, one bit each.
  @_noLocks func lanesInUse(from frame: Int64) -> UInt32 {
    var lanes: UInt32 = 0
    for index in firstRelevant(at: frame)..<count where cues[index].lane >= 0 {
      lanes |= 1 << UInt32(cues[index].lane & 3)
    }
    return lanes
  }

  @_noLocks private func startOfCue(serial: UInt32) -> Int64? {
    for index in 0..<count where cues[index].serial == serial { return cues[index].start.index }
    return nil
  }

  @_noLocks private mutating func removeFirst(_ removed: Int) {
    for index in removed..<count { cues[index - removed] = cues[index] }
    count -= removed
  }
}
