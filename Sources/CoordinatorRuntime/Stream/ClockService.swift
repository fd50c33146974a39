// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import WireProtocol

/// Answers questions for the time (NTP mode 3); the whole service, since it keeps nothing.
enum ClockService {
  /// The answer to one datagram.
  ///
  /// - Parameters:
  ///   - question: The whole datagram.
  ///   - received: When the kernel took it in, this host's clock.
  ///   - clock: The media clock; read last, just before the answer leaves.
  /// - Returns: The datagram to send back, or nil when it was no question, or when the host has just slept.
  static func reply(
    to question: Span<UInt8>, received: LocalInstant, by clock: MediaClock
  ) -> [UInt8]? {
    guard let request = try? NTPPacket.parse(question) else { return nil }
    guard let stamps = clock.stamps(received: received) else { return nil }
    return clockReply(
      to: request, received: stamps.received, transmitted: stamps.now, clockID: stamps.clockID
    ).encode()
  }
}
