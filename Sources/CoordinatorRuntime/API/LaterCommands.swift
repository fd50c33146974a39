// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// Commands that the API will have: a client that knows them is told "not yet", not "nonsense".
enum LaterCommands {
  private static let words: Set<String> = [
    "announce", "channel", "group", "identify", "latency", "limit", "move", "rename", "scene",
    "sleep",
    "ungroup",
  ]

  private struct Envelope: Decodable {
    var command: String
  }

  /// The command's word, when it is one of these.
  static func word(in bytes: [UInt8]) -> String? {
    guard let envelope = try? JSONDocument.decode(Envelope.self, from: bytes) else { return nil }
    return words.contains(envelope.command) ? envelope.command : nil
  }
}
