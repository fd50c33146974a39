// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CALSA

/// What alsa-lib refused, in its own code and words.
public struct ALSAError: Error, Sendable, Equatable, CustomStringConvertible {
  /// alsa-lib's negative errno, such as -16 (EBUSY).
  public let code: Int32
  /// The call that failed, such as `snd_pcm_open`.
  public let operation: String
  /// The PCM it concerned.
  public let device: String
  /// What the device would have to do, when it cannot; empty for every other error.
  public let need: String

  /// An error that `operation` returned for `device`.
  public init(code: Int32, operation: String, device: String, need: String = "") {
    self.code = code
    self.operation = operation
    self.device = device
    self.need = need
  }

  /// The device is in use by another program (EBUSY).
  public var isBusy: Bool { code == -16 }
  /// There is no such device, or it was unplugged (ENOENT, ENODEV, ENXIO).
  public var isMissing: Bool { [-2, -6, -19].contains(code) }
  /// The device ran out of frames (EPIPE).
  public var isUnderrun: Bool { code == -32 }
  /// The device was suspended (ESTRPIPE).
  public var isSuspended: Bool { code == -86 }
  /// Nothing fits just now (EAGAIN).
  public var wouldBlock: Bool { code == -11 }

  /// What happened, to which device, and what to try.
  public var description: String {
    let reason = unsafe String(cString: snd_strerror(code))
    return "ALSA device '\(device)': \(reason) (\(operation))\(advice)"
  }

  private var advice: String {
    if isBusy { return "; another program holds it: stop that program or pick a mixing device" }
    if isMissing { return "; 'tutti-speaker --list-outputs' lists the devices there are" }
    guard !need.isEmpty else { return "" }
    let isHardware = device.hasPrefix("hw:")
    return "; \(need): '\(isHardware ? "plug" : "plug:")\(device)' converts"
  }
}

/// Throws when an alsa-lib call returned an error; hands its value on otherwise.
@discardableResult
func check(_ code: Int32, _ operation: String, _ device: String) throws(ALSAError) -> Int32 {
  guard code < 0 else { return code }
  throw ALSAError(code: code, operation: operation, device: device)
}
