// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// "Be ready to sound at once": devices open, running on silence.
public struct Arm: Sendable, Hashable {
  /// How long to stay ready without a stream; zero: close what is idle now.
  public var hold: Nanoseconds

  /// Readiness for `hold`.
  public init(hold: Nanoseconds = .seconds(30)) { self.hold = hold }
}

/// "Be this loud."
public struct SetVolume: Sendable, Hashable {
  /// 0...100, cubic amplitude law.
  public var volume: Int
  /// Silent whatever the volume is.
  public var muted: Bool
  /// Grows with each command; comes back in state reports, so that a change made at the device is
  /// told from an old report.
  public var serial: UInt64

  /// A volume; it is clamped to 0...100 when sent.
  public init(volume: Int, muted: Bool, serial: UInt64) {
    self.volume = volume
    self.muted = muted
    self.serial = serial
  }
}

/// "Your room is called this."
public struct SetName: Sendable, Hashable {
  /// The room; not empty.
  public var name: String

  /// The name `name`.
  public init(name: String) { self.name = name }
}

/// "Sound this much earlier": makes up for an amplifier or a television behind the device.
public struct SetLatency: Sendable, Hashable {
  /// Within 5 s on either side of zero.
  public var latency: Nanoseconds

  /// The setting `latency`.
  public init(latency: Nanoseconds) { self.latency = latency }
}

extension Arm: ControlPayload {
  /// A hold for longer than a day is a mistake of the sender.
  private static let maximumHold = Nanoseconds.seconds(86_400)

  static var blank: Arm { Arm(hold: .zero) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    guard field.number == 1 else { return }
    hold = try field.duration()
    guard hold >= .zero, hold <= Self.maximumHold else { throw field.malformed }
  }

  func write(to writer: inout ProtoWriter) { writer.duration(1, hold) }
}

extension SetVolume: ControlPayload {
  static var blank: SetVolume { SetVolume(volume: 0, muted: false, serial: 0) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: volume = try field.volume()
    case 2: muted = try field.bool()
    case 3: serial = try field.unsigned()
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.unsigned(1, UInt64(min(max(volume, 0), 100)))
    writer.bool(2, muted)
    writer.unsigned(3, serial)
  }
}

extension SetName: ControlPayload {
  static var blank: SetName { SetName(name: "") }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    guard field.number == 1 else { return }
    name = try field.string(in: bytes, limit: ControlLimits.nameBytes)
  }

  func validate(present: UInt64) throws(WireError) {
    if name.isEmpty { throw .malformedField(number: 1) }
  }

  func write(to writer: inout ProtoWriter) {
    writer.string(1, name, limit: ControlLimits.nameBytes)
  }
}

extension SetLatency: ControlPayload {
  static var blank: SetLatency { SetLatency(latency: .zero) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    guard field.number == 1 else { return }
    latency = try field.latency()
  }

  func write(to writer: inout ProtoWriter) { writer.duration(1, latency) }
}
