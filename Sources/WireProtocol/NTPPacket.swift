// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// RFC 5905 section 7.3, the 48 bytes without extensions. See proto/clock-service.md.
//
//   | LI | VN | Mode |  stratum  |   poll    | precision |
//   | root delay | root dispersion | reference id |
//   | reference | origin | receive | transmit |  8 bytes each

/// A question to, or an answer of, the clock service.
public struct NTPPacket: Sendable, Hashable {
  /// On the wire, without extension fields; what follows is ignored.
  public static let bytes = 48
  static let clientMode: UInt8 = 3
  static let serverMode: UInt8 = 4
  static let currentVersion: UInt8 = 4

  /// Leap indicator, 2 bits; 3 means "not synchronised".
  public var leap: UInt8
  /// Protocol version, 1...4.
  public var version: UInt8
  /// 3 client, 4 server; 3 bits.
  public var mode: UInt8
  /// Distance from a reference clock; 1 is one itself, 16 is none.
  public var stratum: UInt8
  /// log2 of the seconds between questions.
  public var poll: Int8
  /// log2 of the clock's precision in seconds.
  public var precision: Int8
  /// Round trip to the reference clock, 16.16 s.
  public var rootDelay: UInt32
  /// Error bound against the reference clock, 16.16 s.
  public var rootDispersion: UInt32
  /// Names the reference clock.
  public var referenceID: UInt32
  /// In Tutti's answers: the `ClockID` of the media clock, not a time.
  public var reference: NTPTimestamp
  /// The transmit stamp of the question that is answered.
  public var origin: NTPTimestamp
  /// When the question arrived, clock of the answerer.
  public var receive: NTPTimestamp
  /// When this packet left, clock of the sender; in Tutti's questions: random bits.
  public var transmit: NTPTimestamp

  /// A packet of the current version with everything zero but its mode.
  public init(mode: UInt8) {
    (leap, version, self.mode) = (0, Self.currentVersion, mode)
    (stratum, poll, precision) = (0, 0, 0)
    (rootDelay, rootDispersion, referenceID) = (0, 0, 0)
    (reference, origin, receive, transmit) = (.unknown, .unknown, .unknown, .unknown)
  }

  /// The question a speaker sends.
  ///
  /// - Parameter stamp: Random bits. The answer must echo them: an off-path forger cannot guess
  ///   them, and the speaker's own time is not given away.
  /// - Returns: A client packet.
  public static func request(stamp: UInt64) -> NTPPacket {
    var packet = NTPPacket(mode: clientMode)
    packet.transmit = NTPTimestamp(rawValue: stamp)
    return packet
  }

  /// Reads a packet.
  ///
  /// - Parameter bytes: The whole datagram; bytes after the first 48 are ignored.
  /// - Returns: The packet.
  /// - Throws: `WireError` when it is too short or of a version other than 1...4.
  public static func parse(_ bytes: Span<UInt8>) throws(WireError) -> NTPPacket {
    try bytes.require(Self.bytes)
    let version = bytes[0] >> 3 & 7
    guard (1...currentVersion).contains(version) else { throw .unsupportedVersion(version) }
    var packet = NTPPacket(mode: bytes[0] & 7)
    (packet.leap, packet.version) = (bytes[0] >> 6, version)
    packet.stratum = bytes[1]
    packet.poll = Int8(bitPattern: bytes[2])
    packet.precision = Int8(bitPattern: bytes[3])
    packet.rootDelay = bytes.uint32(at: 4)
    packet.rootDispersion = bytes.uint32(at: 8)
    packet.referenceID = bytes.uint32(at: 12)
    packet.reference = NTPTimestamp(rawValue: bytes.uint64(at: 16))
    packet.origin = NTPTimestamp(rawValue: bytes.uint64(at: 24))
    packet.receive = NTPTimestamp(rawValue: bytes.uint64(at: 32))
    packet.transmit = NTPTimestamp(rawValue: bytes.uint64(at: 40))
    return packet
  }

  /// The 48 bytes of the packet.
  public func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.bytes)
    append(to: &bytes)
    return bytes
  }

  /// Appends the 48 bytes of the packet.
  public func append(to bytes: inout [UInt8]) {
    bytes.append(leap << 6 | (version & 7) << 3 | (mode & 7))
    bytes.append(stratum)
    bytes.append(UInt8(bitPattern: poll))
    bytes.append(UInt8(bitPattern: precision))
    bytes.appendBigEndian(rootDelay)
    bytes.appendBigEndian(rootDispersion)
    bytes.appendBigEndian(referenceID)
    bytes.appendBigEndian(reference.rawValue)
    bytes.appendBigEndian(origin.rawValue)
    bytes.appendBigEndian(receive.rawValue)
    bytes.appendBigEndian(transmit.rawValue)
  }
}
