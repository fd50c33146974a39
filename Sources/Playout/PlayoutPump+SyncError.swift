// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync

// The sync error as it turned out: for every block that sounded, when its first frame was heard (by
// the DAC model, after the device has played it) less when it was due (by the clock map of then).
// Not the servo's own target: between planning and hearing lie 40 to 50 ms in which both estimates
// have moved on. What neither can see (an asymmetric path, a card that misreports its delay) is not
// in it; `ClockMap.bound` speaks of that.

/// Heard less due over the last ten seconds.
public struct SyncErrorSummary: Sendable, Hashable, BitwiseCopyable {
  /// Half of the blocks were closer than this.
  public var p50: Nanoseconds
  /// All but one in a hundred were closer than this.
  public var p99: Nanoseconds
  /// The furthest.
  public var max: Nanoseconds
  /// How many blocks that is; zero: nothing sounded.
  public var blocks: Int

  /// A summary of `blocks` blocks.
  public init(p50: Nanoseconds, p99: Nanoseconds, max: Nanoseconds, blocks: Int) {
    self.p50 = p50
    self.p99 = p99
    self.max = max
    self.blocks = blocks
  }
}

/// Keeps what was planned until it is heard, then the errors of the last ten seconds.
struct SyncErrorRecord: ~Copyable, Sendable {
  /// A block on its way through the device.
  struct Planned: Sendable, BitwiseCopyable {
    var deviceFrame: Int64
    var position: MediaPosition
    var isSounding: Bool
  }

  private struct Heard: Sendable, BitwiseCopyable {
    var at = LocalInstant(nanoseconds: .min)
    var error: Int64 = 0
  }

  // Arrays of fixed size, uniquely owned because the record cannot be copied: never reallocated.
  private var pending: [Planned]
  private var pendingHead = 0
  private var pendingCount = 0
  private var heard: [Heard]
  private var heardNext = 0
  private var scratch: [Int64]

  /// The newest error; positive: late.
  private(set) var latest = Nanoseconds.zero

  init() {
    let nothing = Planned(
      deviceFrame: 0, position: MediaPosition(frame: MediaFrame(index: 0)), isSounding: false)
    pending = Array(repeating: nothing, count: Self.pendingCapacity)
    heard = Array(repeating: Heard(), count: Self.heardCapacity)
    scratch = Array(repeating: 0, count: Self.heardCapacity)
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
      heard[heardNext] = Heard(at: at, error: latest.count)
      heardNext = (heardNext + 1) % Self.heardCapacity
    }
  }

  /// Forgets blocks that will not be heard.
  mutating func forgetPending() { pendingCount = 0 }

  mutating func summary(at now: LocalInstant) -> SyncErrorSummary {
    var count = 0
    var largest: Int64 = 0
    for entry in heard where now - entry.at <= Self.span && entry.at.nanoseconds != .min {
      scratch[count] = abs(entry.error)
      largest = max(largest, scratch[count])
      count += 1
    }
    guard count > 0 else { return SyncErrorSummary(p50: .zero, p99: .zero, max: .zero, blocks: 0) }
    let middle = select(count / 2, of: count)
    let high = select(min(count - 1, count * 99 / 100), of: count)
    return SyncErrorSummary(
      p50: Nanoseconds(middle), p99: Nanoseconds(high), max: Nanoseconds(largest), blocks: count)
  }

  private mutating func dropFirst() {
    pendingHead = (pendingHead + 1) % Self.pendingCapacity
    pendingCount -= 1
  }

  /// The value that would stand at `rank` if the first `count` of scratch were sorted (Hoare 1961).
  private mutating func select(_ rank: Int, of count: Int) -> Int64 {
    var low = 0
    var high = count - 1
    while low < high {
      let pivot = scratch[(low + high) / 2]
      var left = low
      var right = high
      while left <= right {
        while scratch[left] < pivot { left += 1 }
        while scratch[right] > pivot { right -= 1 }
        if left <= right {
          scratch.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if rank <= right {
        high = right
      } else if rank >= left {
        low = left
      } else {
        break
      }
    }
    return scratch[rank]
  }

  private static let span = Nanoseconds.seconds(10)
  /// 10 s of blocks of 10 ms.
  private static let heardCapacity = 1_000
  /// A device that holds 2.5 s.
  private static let pendingCapacity = 256
}
