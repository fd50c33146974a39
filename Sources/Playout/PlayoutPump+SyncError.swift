// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync

// The sync error as it turned out: for every block that sounded, when its first frame was heard (by
// the DAC model, after the device has played it) less when it was due (by the clock map of then).
// Not the servo's own target: between planning and hearing lie 40 to 50 ms in which both estimates
// have moved on. What neither can see (an asymmetric path, a card that misreports its delay) is not
// in it; `ClockMap.bound` speaks of that.

/// Keeps what was planned until it is heard, then how far off it was.
struct SyncErrorRecord: ~Copyable, Sendable {
  /// A block on its way through the device.
  struct Planned: Sendable, BitwiseCopyable {
    var deviceFrame: Int64
    var position: MediaPosition
    var isSounding: Bool
  }

  // Of fixed size and uniquely owned, because the record cannot be copied: never reallocated.
  private var pending: [Planned]
  private var pendingHead = 0
  private var pendingCount = 0
  private var heard = SlidingErrors()

  /// The newest error; positive: late.
  private(set) var latest = Nanoseconds.zero

  init() {
    let nothing = Planned(
      deviceFrame: 0, position: MediaPosition(frame: MediaFrame(index: 0)), isSounding: false)
    pending = Array(repeating: nothing, count: Self.pendingCapacity)
  }

  /// Remembers a block; the oldest makes room if the device holds more than it should.
  mutating func add(_ block: Planned) {
    if pendingCount == Self.pendingCapacity { dropFirst() }
    pending[(pendingHead + pendingCount) % Self.pendingCapacity] = block
    pendingCount += 1
  }

  /// Judges the blocks that have been heard.
  mutating func settle(framesHeard: Int64, dac: DACModel, snapshot: PlayoutSnapshot) {
    while pendingCount > 0, pending[pendingHead].deviceFrame <= framesHeard {
      let block = pending[pendingHead]
      dropFirst()
      guard block.isSounding, let map = snapshot.clockMap, let at = dac.heard(block.deviceFrame)
      else { continue }
      latest = map.media(at: at) - snapshot.due(block.position)
      heard.add(latest.count, at: at)
    }
  }

  /// Forgets blocks that will not be heard.
  mutating func forgetPending() { pendingCount = 0 }

  /// What the windows say at a moment.
  mutating func report(at now: LocalInstant) -> SyncErrorReport { heard.report(at: now) }

  /// Gives the past of an earlier run of the device back, or takes it away to be kept.
  mutating func exchange(_ history: inout SyncErrorHistory) { swap(&heard, &history.errors) }

  private mutating func dropFirst() {
    pendingHead = (pendingHead + 1) % Self.pendingCapacity
    pendingCount -= 1
  }

  /// A device that holds 2.5 s.
  private static let pendingCapacity = 256
}

/// The sync errors of a room while its device is closed.
public struct SyncErrorHistory: ~Copyable, Sendable {
  var errors = SlidingErrors()

  /// A room that has not sounded yet.
  public init() {}
}
