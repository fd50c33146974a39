// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing

/// The lab's virtual card (tools/lab/card), built once, and an ALSA configuration that names it.
///
/// Sets the process's ALSA_CONFIG_PATH, which alsa-lib reads anew at every opening.
final class VirtualCardFolder {
  let name = "card"
  private let folder: String

  /// A card with `settings` of its own, such as `rate 44100`.
  init(_ settings: String) throws {
    let library = try Self.library.get()
    folder = try Self.temporaryFolder()
    let text = """
      </usr/share/alsa/alsa.conf>
      pcm_type.tutticard { lib "\(library)" }
      pcm.card { type tutticard log "\(folder)/card" \(settings) }
      """
    // Faults are asked for in this file, which the card maps when it is opened.
    try Data(count: 4_096).write(to: URL(filePath: controlPath))
    try text.write(toFile: folder + "/asound.conf", atomically: true, encoding: .utf8)
    setenv("ALSA_CONFIG_PATH", folder + "/asound.conf", 1)
  }

  /// Where faults are asked for, and what was written to the card.
  var controlPath: String { folder + "/card.control" }
  var recordingPath: String { folder + "/card.raw" }

  deinit {
    unsetenv("ALSA_CONFIG_PATH")
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// What the card wrote about itself.
  var logged: String {
    (try? String(contentsOfFile: folder + "/card.txt", encoding: .utf8)) ?? ""
  }

  private static let library = Result { () throws -> String in
    let target = try temporaryFolder() + "/libasound_module_pcm_tutticard.so"
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../tools/lab/card/card.c").standardizedFileURL.path
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "cc", "-O2", "-shared", "-fPIC", "-DPIC", "-o", target, source, "-lasound",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "the lab's card does not compile")
    return target
  }

  private static func temporaryFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/tutti-card-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
