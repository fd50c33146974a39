// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Where a room's sound goes.
public enum OutputSelection: Sendable, Hashable, CustomStringConvertible {
  /// An ALSA PCM by its name, such as `default` or `hw:CARD=Device,DEV=0`.
  case alsa(String)
  /// Nowhere, but as slowly as a sound card would.
  case null
  /// A WAV file, as slowly as a sound card would; 16 bits, or float where `isFloat`.
  case wav(path: String, isFloat: Bool)

  /// Reads the value of `--output`; nil when it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("null", nil): self = .null
    case ("alsa", nil): self = .alsa("default")
    case ("alsa", .some(let name)): self = .alsa(name)
    case ("wav", .some(let path)): self = .wav(path: path, isFloat: false)
    case ("wav-float", .some(let path)): self = .wav(path: path, isFloat: true)
    default: return nil
    }
  }

  /// The output as `--output` takes it.
  public var description: String {
    switch self {
    case .alsa(let name): "alsa:\(name)"
    case .null: "null"
    case .wav(let path, let isFloat): (isFloat ? "wav-float:" : "wav:") + path
    }
  }
}
