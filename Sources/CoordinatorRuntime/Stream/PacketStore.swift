// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Synchronization
internal import WireProtocol

/// The encoded packets of one generation, by number: written by the producer, sent by the media
/// thread. Keeps as many as rooms may still want.
final class PacketStore: Sendable {
  private struct State {
    var packets: [[UInt8]] = []
    /// The number of the first packet that is kept.
    var first = 0
  }

  /// The generation.
  let ssrc: SSRC
  private let capacity: Int
  private let state = Mutex(State())

  /// An empty store that keeps `capacity` packets of `ssrc`.
  init(ssrc: SSRC, capacity: Int) {
    self.ssrc = ssrc
    self.capacity = capacity
  }

  /// How many packets have been made.
  var produced: Int { state.withLock { $0.first + $0.packets.count } }

  /// The numbers of the packets that are kept.
  var kept: Range<Int> { state.withLock { $0.first..<$0.first + $0.packets.count } }

  /// Adds the next packet, a whole datagram.
  func append(_ datagram: [UInt8]) {
    state.withLock { state in
      state.packets.append(datagram)
      // Dropped in blocks: removing the first of 400 each time would move all the others.
      guard state.packets.count >= capacity + capacity / 4 else { return }
      let surplus = state.packets.count - capacity
      state.packets.removeFirst(surplus)
      state.first += surplus
    }
  }

  /// The packet with this number, if it is kept.
  func packet(_ number: Int) -> [UInt8]? {
    state.withLock { state in
      let index = number - state.first
      return state.packets.indices.contains(index) ? state.packets[index] : nil
    }
  }
}
