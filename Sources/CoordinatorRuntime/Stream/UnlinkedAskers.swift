// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import LinuxNetworking

// A room asks for the time twice a second, whatever has become of its control link. So its question is
// the first sign that it can be reached again, or is somewhere else by now: long before a call that is
// repeated every few seconds gets through.

/// Who asks for the time without being a connected room. One thread's own.
struct UnlinkedAskers {
  /// One asker is told of this often at most.
  static let interval = Nanoseconds.milliseconds(200)
  /// Askers that are remembered; in a flood from made-up addresses the rest is not told of.
  static let capacity = 16

  /// Where connected rooms ask from.
  var linked: Set<SocketAddress> = []
  private var told: [SocketAddress: LocalInstant] = [:]

  /// Whether a question is worth telling.
  mutating func isNews(_ address: SocketAddress, at now: LocalInstant) -> Bool {
    guard !linked.contains(address) else { return false }
    if let last = told[address], now - last < Self.interval { return false }
    if told[address] == nil, told.count >= Self.capacity {
      told = told.filter { now - $0.value < Self.interval }
      guard told.count < Self.capacity else { return false }
    }
    told[address] = now
    return true
  }
}
