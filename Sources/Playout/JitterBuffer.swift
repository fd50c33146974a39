// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// Encoded packets of one generation, ordered by stamp. They stay encoded until the last moment, so that
// repair stays open, and a second longer than needed, so that a room that jumps back finds them again.
//
// Some 400 packets at D = 6 s. Nearly every insertion is at the end; a sorted array is the simplest thing
// that is fast. Packets need not be 960 frames long.

/// The encoded packets of one generation.
struct JitterBuffer {
  /// What became of a packet that was offered.
  enum Insertion {
    case stored
    case duplicate
  }

  /// Far more than D + 2 s of 20 ms packets: a bound for memory, not a working size.
  private static var capacity: Int { 2_048 }

  private var packets: [EncodedPacket] = []

  /// The first frame after the newest packet.
  var end: MediaFrame? { packets.last?.end }
  /// The oldest packet held.
  var first: EncodedPacket? { packets.first }
  var isEmpty: Bool { packets.isEmpty }
  var count: Int { packets.count }

  /// Stores a packet in its place.
  mutating func insert(_ packet: EncodedPacket) -> Insertion {
    let index = firstIndex(atOrAfter: packet.stamp)
    if index < packets.count, packets[index].stamp == packet.stamp { return .duplicate }
    packets.insert(packet, at: index)
    if packets.count > Self.capacity { packets.removeFirst() }
    return .stored
  }

  /// The packet whose first frame is `frame`.
  func packet(at frame: MediaFrame) -> EncodedPacket? {
    packet(atOrAfter: frame).flatMap { $0.stamp == frame ? $0 : nil }
  }

  /// The earliest packet that begins at `frame` or later.
  func packet(atOrAfter frame: MediaFrame) -> EncodedPacket? {
    let index = firstIndex(atOrAfter: frame)
    return index < packets.count ? packets[index] : nil
  }

  /// The run of at most `limit` packets that directly precede the one at `frame`, oldest first.
  func run(before frame: MediaFrame, limit: Int) -> ArraySlice<EncodedPacket> {
    let end = firstIndex(atOrAfter: frame)
    var start = end
    var next = frame
    while start > 0, end - start < limit, packets[start - 1].end == next {
      start -= 1
      next = packets[start].stamp
    }
    return packets[start..<end]
  }

  /// Forgets packets that end at `frame` or earlier.
  mutating func prune(before frame: MediaFrame) {
    let dropped = packets.prefix { $0.end <= frame }.count
    if dropped > 0 { packets.removeFirst(dropped) }
  }

  private func firstIndex(atOrAfter frame: MediaFrame) -> Int {
    if let last = packets.last, last.stamp < frame { return packets.count }
    var (low, high) = (0, packets.count)
    while low < high {
      let middle = (low + high) / 2
      if packets[middle].stamp < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
