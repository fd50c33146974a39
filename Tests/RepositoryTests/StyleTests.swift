// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing

/// Sizes, heads and habits.
@Suite struct StyleTests {
  static let tree = SourceTree()
  static let sources = tree.files(below: "Sources")
  static let tests = tree.files(below: "Tests")

  static let longestFile = 400
  static let longestFunction = 60

  @Test(arguments: sources + tests)
  func `a file holds one idea`(file: SourceTree.File) {
    #expect(file.lines.count <= Self.longestFile, "\(file) has \(file.lines.count) lines")
  }

  @Test(arguments: sources)
  func `a function fits on a screen`(file: SourceTree.File) {
    for function in FunctionLengths(file.code).all where function.length > Self.longestFunction {
      Issue.record("\(file):\(function.line) has \(function.length) lines")
    }
  }

  @Test(arguments: sources + tests)
  func `a file says its licence`(file: SourceTree.File) {
    let head = file.lines.prefix(3).joined(separator: "\n")
    #expect(head.contains("SPDX-License-Identifier: Apache-2.0"), "\(file)")
  }

  @Test(arguments: tests.filter { $0.target != "RepositoryTests" })
  func `tests never sleep`(file: SourceTree.File) {
    for (number, line) in file.code.enumerated() {
      for word in ["Task.sleep", "usleep(", "Thread.sleep", " sleep(", "nanosleep"]
      where line.contains(word) {
        Issue.record("\(file):\(number + 1) sleeps (\(word))")
      }
    }
  }

  @Test(arguments: sources)
  func `nothing traps on purpose without saying why`(file: SourceTree.File) {
    for (number, line) in file.code.enumerated() {
      for word in ["try!", " as! ", "fatalError("] where line.contains(word) {
        Issue.record("\(file):\(number + 1) uses \(word)")
      }
    }
  }

  @Test(arguments: sources)
  func `an unchecked promise is proved in a comment`(file: SourceTree.File) {
    for (number, line) in file.code.enumerated()
    where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
      let near = file.lines[max(0, number - 8)...number]
      #expect(near.contains { $0.contains("//") }, "\(file):\(number + 1) proves nothing")
    }
  }

  @Test func `the formatter has nothing to change`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "format", "lint", "--strict", "--parallel", "--recursive", "Sources", "Tests",
      "Package.swift",
    ]
    process.currentDirectoryURL = Self.tree.root
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let words = String(decoding: output.prefix(2_000), as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(words)")
  }
}

/// Finds where functions begin and how long they are, by indentation: the formatter guarantees that
/// a body ends at the first line indented as its `func`.
struct FunctionLengths {
  let all: [(line: Int, length: Int)]

  init(_ code: [String]) {
    var found: [(Int, Int)] = []
    for (start, line) in code.enumerated()
    where Self.opensFunction(line) && !line.hasSuffix("}") {
      let indent = line.prefix { $0 == " " }
      let end = code[(start + 1)...].firstIndex { Self.closes($0, indent: indent.count) }
      if let end { found.append((start + 1, end - start - 1)) }
    }
    all = found
  }

  /// The closing brace of the body, or the last line of a long head with a body on it.
  private static func closes(_ line: String, indent: Int) -> Bool {
    line.prefix { $0 == " " }.count == indent && line.hasSuffix("}")
  }

  private static func opensFunction(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    return words.contains("func") || words.contains { $0.hasPrefix("init(") || $0 == "deinit" }
  }
}

@Suite struct FunctionLengthsTests {
  @Test func `a long body is found and a short one measured`() {
    let code =
      ["  func short() {", "    return", "  }", "  init(a: Int) {"]
      + Array(repeating: "    work()", count: 70) + ["  }"]
    let lengths = FunctionLengths(code).all
    #expect(lengths.map(\.length) == [1, 70])
    #expect(lengths.map(\.line) == [1, 4])
  }
}
