// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// The answer of the clock service. Two kinds of client ask: our own speakers, and stock GStreamer
// receivers of a published stream.
//
// GStreamer's NTP client (its packets start with 0xE3: leap 3, version 4, mode 3) accepts only
// version 4 and stratum 1...15, and a poll above 2 as "no interval". It takes the echoed origin for
// its own send time. But it computes the fraction of that stamp from nanoseconds minus *seconds*,
// modulo one second, so the stamp is early by one nanosecond for each second of its uptime: 43 us
// of clock offset for each day. Echoing the stamp it meant takes the bias away (measured). Its own
// clock starts near zero at boot, hence the limit of 2^30 s (34 years) on whom this is done to.

/// Wall seconds below which a transmit stamp can be an uptime.
private let uptimeLimitSeconds: UInt32 = 1 << 30

/// The longest interval we suggest: 2^2 s.
private let maximumPoll: Int8 = 2

/// About 0.12 us: what reading the clock costs.
private let clockPrecision: Int8 = -23

/// Answers a question to the clock service.
///
/// - Parameters:
///   - request: A packet of mode 3.
///   - received: When it arrived (the kernel's stamp), media clock.
///   - transmitted: When the answer leaves, media clock; read it as late as possible.
///   - clockID: Which run of the media clock this is.
/// - Returns: A server packet that echoes the question's stamp.
public func clockReply(
  to request: NTPPacket, received: MediaInstant, transmitted: MediaInstant, clockID: ClockID
) -> NTPPacket {
  var reply = NTPPacket(mode: NTPPacket.serverMode)
  reply.version = request.version
  reply.stratum = 1
  reply.poll = min(max(request.poll, 0), maximumPoll)
  reply.precision = clockPrecision
  reply.referenceID = FlushApplication.name
  reply.reference = NTPTimestamp(rawValue: clockID.rawValue)
  reply.origin = request.isFromGStreamer ? request.transmit.asGStreamerMeant : request.transmit
  reply.receive = NTPTimestamp(received)
  reply.transmit = NTPTimestamp(transmitted)
  return reply
}

extension NTPPacket {
  /// Whether the question has every mark of GStreamer's NTP client.
  var isFromGStreamer: Bool {
    leap == 3 && version == 4 && mode == Self.clientMode && stratum == 16
      && reference == .unknown && origin == .unknown && receive == .unknown
      && transmit.seconds < uptimeLimitSeconds
  }
}

extension NTPTimestamp {
  /// The stamp with one nanosecond per second added to its fraction, which wraps as theirs did.
  fileprivate var asGStreamerMeant: NTPTimestamp {
    let shift = Self.units(nanoseconds: UInt64(seconds) % 1_000_000_000)
    return NTPTimestamp(
      rawValue: UInt64(seconds) << 32 | UInt64(UInt32(truncatingIfNeeded: rawValue &+ shift)))
  }
}
