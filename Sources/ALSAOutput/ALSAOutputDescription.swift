// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CALSA

/// An output that alsa-lib knows by name.
public struct ALSAOutputDescription: Sendable, Equatable {
  /// The name for `--output alsa:NAME`; by card name, never by index.
  public let name: String
  /// What the driver says it is, on one line.
  public let summary: String

  /// Every playback PCM of this host that a person would name.
  ///
  /// - Returns: The outputs in alsa-lib's order; empty when there is no sound card.
  /// - Source: alsa-lib `snd_device_name_hint`.
  public static func all() -> [ALSAOutputDescription] {
    tutti_alsa_silence()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var found: [ALSAOutputDescription] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      guard let name = text("NAME", of: hint), text("IOID", of: hint) != "Input" else { continue }
      let lines = (text("DESC", of: hint) ?? "").split(separator: "\n")
      found.append(.init(name: name, summary: lines.joined(separator: ", ")))
    }
    return found
  }

  private static func text(_ key: String, of hint: UnsafeRawPointer) -> String? {
    guard let raw = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(raw) }
    return String(cString: raw)
  }
}
