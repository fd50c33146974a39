// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// The first message of either side of a control link.
public struct Hello: Sendable, Hashable {
  /// The protocol that this build speaks. A coordinator N serves speakers N-1.
  public static let currentProtocolVersion: UInt32 = 1

  /// SHA-256 of the node's public key; always 32 bytes.
  public var nodeID: [UInt8]
  /// The room, or the name of the coordinator.
  public var name: String
  /// Which of the two the sender is.
  public var role: NodeRole
  /// For people, such as `0.1.0`.
  public var softwareVersion: String
  /// The sender's `currentProtocolVersion`.
  public var protocolVersion: UInt32
  /// Where the sender receives datagrams; its TCP port as a rule.
  public var udpPort: UInt16
  /// A speaker's volume, 0...100; absent from a coordinator.
  public var volume: Int?
  /// Whether a speaker is muted.
  public var muted: Bool
  /// The serial of the last volume that the speaker obeyed.
  public var volumeSerial: UInt64
  /// The speaker's own latency setting; positive: its sound is made earlier.
  public var latencySetting: Nanoseconds
  /// The speaker's output, such as `alsa:default`.
  public var output: String
  /// Random, drawn at each start of the program: tells a restart from a reconnection.
  public var runID: UInt64

  /// A greeting with these fields.
  public init(
    nodeID: [UInt8], name: String, role: NodeRole, softwareVersion: String,
    protocolVersion: UInt32 = Hello.currentProtocolVersion, udpPort: UInt16, volume: Int? = nil,
    muted: Bool = false, volumeSerial: UInt64 = 0, latencySetting: Nanoseconds = .zero,
    output: String = "", runID: UInt64 = 0
  ) {
    self.nodeID = nodeID
    self.name = name
    self.role = role
    self.softwareVersion = softwareVersion
    self.protocolVersion = protocolVersion
    self.udpPort = udpPort
    self.volume = volume
    self.muted = muted
    self.volumeSerial = volumeSerial
    self.latencySetting = latencySetting
    self.output = output
    self.runID = runID
  }
}

extension Hello: ControlPayload {
  static var blank: Hello {
    Hello(
      nodeID: [], name: "", role: .speaker, softwareVersion: "", protocolVersion: 0, udpPort: 0)
  }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: nodeID = try field.data(in: bytes, limit: ControlLimits.nodeIDBytes)
    case 2: name = try field.string(in: bytes, limit: ControlLimits.nameBytes)
    case 3:
      guard let known = NodeRole(rawValue: try field.integer()) else { throw field.malformed }
      role = known
    case 4: softwareVersion = try field.string(in: bytes, limit: ControlLimits.nameBytes)
    case 5: protocolVersion = try field.integer()
    case 6: udpPort = try field.integer()
    case 7: volume = try field.volume()
    case 8: muted = try field.bool()
    case 9: volumeSerial = try field.unsigned()
    case 10: latencySetting = try field.latency()
    case 11: output = try field.string(in: bytes, limit: ControlLimits.nameBytes)
    case 12: runID = try field.fixed64()
    default: break
    }
  }

  func validate(present: UInt64) throws(WireError) {
    guard present & 1 << 3 != 0 else { throw .malformedField(number: 3) }
    guard nodeID.count == ControlLimits.nodeIDBytes else { throw .malformedField(number: 1) }
    guard protocolVersion > 0 else { throw .malformedField(number: 5) }
  }

  func write(to writer: inout ProtoWriter) {
    writer.data(1, nodeID)
    writer.string(2, name, limit: ControlLimits.nameBytes)
    writer.unsigned(3, UInt64(role.rawValue))
    writer.string(4, softwareVersion, limit: ControlLimits.nameBytes)
    writer.unsigned(5, UInt64(protocolVersion))
    writer.unsigned(6, UInt64(udpPort))
    if let volume { writer.present(7, UInt64(clamping: volume)) }
    writer.bool(8, muted)
    writer.unsigned(9, volumeSerial)
    writer.duration(10, latencySetting)
    writer.string(11, output, limit: ControlLimits.nameBytes)
    writer.fixed64(12, runID)
  }
}

extension ProtoField {
  /// A volume within 0...100.
  func volume() throws(WireError) -> Int {
    let value = try integer(as: Int.self)
    guard value <= 100 else { throw malformed }
    return value
  }

  /// A room's latency setting within its range.
  func latency() throws(WireError) -> Nanoseconds {
    let value = try duration()
    guard value.count.magnitude <= UInt64(ControlLimits.latencyMilliseconds) * 1_000_000 else {
      throw malformed
    }
    return value
  }
}
