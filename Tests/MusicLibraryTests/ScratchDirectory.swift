// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation

/// A directory that goes away with the test.
final class ScratchDirectory: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "tutti-library-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Where a file of this name is.
  func file(_ name: String) -> String { path + "/" + name }

  /// Whether a file of this name is there.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

  func read(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }

  func write(_ data: Data, to name: String) throws {
    try data.write(to: URL(filePath: file(name)))
  }
}
