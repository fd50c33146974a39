// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation

/// The checkout these tests were built from, as text.
struct SourceTree {
  /// One Swift file.
  struct File: CustomStringConvertible {
    /// Path below the root, such as `Sources/House/PlayQueue.swift`.
    let path: String
    let lines: [String]

    /// The target the file belongs to.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var description: String { path }

    /// Names of the modules the file imports, with any access level or attribute.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let at = words.firstIndex(of: "import"), at + 1 < words.count else { return nil }
        guard words[..<at].allSatisfy({ Self.importPrefixes.contains(String($0)) }) else {
          return nil
        }
        return words[at + 1].split(separator: ".").first.map(String.init)
      }
    }

    private static let importPrefixes: Set<String> = [
      "public", "package", "internal", "fileprivate", "private", "@testable", "@preconcurrency",
    ]

    /// The lines with comments and the contents of simple string literals blanked.
    var code: [String] { lines.map(Self.stripped) }

    private static func stripped(_ line: String) -> String {
      var result = ""
      var inString = false
      var previous: Character = " "
      for character in line {
        if character == "\"", previous != "\\" { inString.toggle() }
        if !inString, character == "/", previous == "/" { return String(result.dropLast()) }
        result.append(inString ? " " : character)
        previous = character
      }
      return result
    }
  }

  let root: URL

  init() {
    root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Every Swift file below `folder`, sorted by path.
  func files(below folder: String) -> [File] {
    let base = root.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      let text = try? String(contentsOf: base.appending(path: path), encoding: .utf8)
      return text.map {
        File(path: "\(folder)/\(path)", lines: $0.components(separatedBy: "\n"))
      }
    }
  }
}
