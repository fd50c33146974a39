// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// A block on its way through a card.
struct PlannedBlock {
  var deviceFrame: Int64
  /// When it should be heard.
  var due: MediaInstant
  /// On which run of the media clock.
  var clock: ClockID
  var isAudible: Bool
  var isJump: Bool
}

/// The blocks that a card holds, the oldest first.
struct PlannedBlocks {
  private var blocks: [PlannedBlock] = []
  private var head = 0

  mutating func append(_ block: PlannedBlock) { blocks.append(block) }

  /// Takes out the oldest block if `frame` is at the loudspeaker and the block's first frame is past.
  mutating func popFirst(heardBy frame: Int64) -> PlannedBlock? {
    guard head < blocks.count, blocks[head].deviceFrame < frame else { return nil }
    defer {
      head += 1
      if head == 32 {
        blocks.removeFirst(head)
        head = 0
      }
    }
    return blocks[head]
  }
}
