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
  /// When its first frame is heard if the card goes on as at present, in seconds of true time.
  public var heardSeconds: Double
  /// Heard less due in seconds, by the truth; positive: late.
  public var error: Double
  /// Left and right in turn; nothing in a room that computes none.
  public var samples: [Float]
}

/// One block that has been heard.
public struct HeardBlock {
  /// When its first frame was heard, in seconds of true time.
  public var seconds: Double
  /// Heard less due in seconds, by the truth; positive: late.
  public var error: Double
  /// Whether the position jumped to its beginning.
  public var isJump: Bool
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
  /// Forget what lies further back than so many blocks; nil: keep all.
  public var limit: Int?

  mutating func add(_ block: HeardBlock) {
    if block.isJump { jumps.append(block.seconds) }
    moments.append(block.seconds)
    errors.append(block.error * 1e6)
    guard let limit, moments.count > 2 * limit else { return }
    moments.removeFirst(limit)
    errors.removeFirst(limit)
    jumps.removeAll()
  }

  /// FNV-1a over the bits of every sample.
  mutating func digest(_ samples: [Float]) {
    for sample in samples {
      digest = (digest ^ UInt64(sample.bitPattern)) &* 0x0000_0100_0000_01B3
    }
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
    values.sort()
  }

  /// The value that a share `part` of all does not exceed; NaN if nothing sounded.
  public func percentile(_ part: Double) -> Double {
    guard let last = values.last else { return .nan }
    let index = Int(part * Double(values.count))
    return index < values.count ? values[index] : last
  }
}
