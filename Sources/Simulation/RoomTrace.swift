// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// One block as it was handed to the card.
public struct RoomBlock {
  /// The first device frame of the block.
  public var deviceFrame: Int64
  /// Where the block reads the music.
  public var position: MediaPosition
  /// Media frames per device frame, 32.32.
  public var step: UInt64
  /// When its first frame is heard, in seconds of true time.
  public var heardSeconds: Double
  /// Heard less due in seconds, by the truth; positive: late.
  public var error: Double
  /// Left and right in turn.
  public var samples: [Float]
}

/// What a room's blocks were like, by the truth.
public struct RoomTrace {
  /// When each audible block was heard, in seconds of true time.
  public private(set) var moments: [Double] = []
  /// Heard less due of each, in microseconds.
  public private(set) var errors: [Double] = []
  /// When blocks jumped, in seconds of true time.
  public private(set) var jumps: [Double] = []
  /// A digest of every sample: equal for runs that sound alike to the bit.
  public private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ block: RoomBlock, isAudible: Bool, isJump: Bool) {
    for sample in block.samples { mix(sample.bitPattern) }
    guard isAudible else { return }
    if isJump { jumps.append(block.heardSeconds) }
    moments.append(block.heardSeconds)
    errors.append(block.error * 1e6)
  }

  /// The error of the block that is nearest to a moment, in microseconds; nil in silence.
  public func error(atSeconds moment: Double) -> Double? {
    var low = 0
    var high = moments.count
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] < moment { low = middle + 1 } else { high = middle }
    }
    guard low < moments.count, moments[low] - moment < 0.011 else { return nil }
    return errors[low]
  }

  /// FNV-1a over the bits of every sample.
  private mutating func mix(_ bits: UInt32) {
    digest = (digest ^ UInt64(bits)) &* 0x0000_0100_0000_01B3
  }
}

/// Differences between the rooms of a house.
public struct HouseSkew {
  /// Of all pairs, ten times a second, in microseconds, without sign.
  public private(set) var values: [Double] = []

  /// Compares all pairs between two moments, in seconds of true time.
  public init(of rooms: [VirtualRoom], from start: Double, to end: Double) {
    var moment = start
    while moment < end {
      let errors = rooms.compactMap { $0.trace.error(atSeconds: moment) }
      for first in errors.indices {
        for second in errors.indices.dropFirst(first + 1) {
          values.append(abs(errors[first] - errors[second]))
        }
      }
      moment += 0.1
    }
  }

  /// The value that a share `part` of all does not exceed; NaN if nothing sounded.
  public func percentile(_ part: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return .nan }
    let index = Int(part * Double(sorted.count))
    return index < sorted.count ? sorted[index] : last
  }
}
