// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation

/// One of Tutti's real programs, started with its output in a pipe.
///
/// Reading blocks in poll(2) until a line or the deadline comes; nothing here sleeps.
final class RunningProgram {
  let process = Process()
  private let output = Pipe()
  private var pending = Data()
  private(set) var lines: [String] = []

  /// Where SwiftPM put the programs: beside the test bundle.
  static var folder: URL {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var url = URL(filePath: bundle)
    while !FileManager.default.fileExists(atPath: url.appending(path: "tutti-speaker").path),
      url.path != "/"
    {
      url.deleteLastPathComponent()
    }
    return url
  }

  convenience init(
    _ name: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    try self.init(
      at: Self.folder.appending(path: name).path, arguments, environment: environment)
  }

  /// Starts any program.
  init(at path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The first line, already seen or coming within `seconds`, that contains `text`.
  func line(containing text: String, within seconds: Double = 20) -> String? {
    if let seen = lines.first(where: { $0.contains(text) }) { return seen }
    let deadline = Date().addingTimeInterval(seconds)
    while readMore(until: deadline) {
      if let seen = lines.first(where: { $0.contains(text) }) { return seen }
    }
    return nil
  }

  /// Waits for the program to end by itself.
  ///
  /// - Returns: Its exit code, or nil when it was still running at the deadline (it is killed then).
  func exitCode(within seconds: Double = 20) -> Int32? {
    let deadline = Date().addingTimeInterval(seconds)
    while readMore(until: deadline) {}
    guard Date() < deadline else {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return nil
    }
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Asks the program to stop and returns its exit code.
  func stop() -> Int32? {
    process.terminate()
    return exitCode()
  }

  var text: String { lines.joined(separator: "\n") }

  private func readMore(until deadline: Date) -> Bool {
    var descriptor = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    let left = max(0, deadline.timeIntervalSinceNow * 1000)
    guard poll(&descriptor, 1, Int32(left)) > 0 else { return false }
    let data = output.fileHandleForReading.availableData
    guard !data.isEmpty else { return false }
    pending.append(data)
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: pending[pending.startIndex..<end], as: UTF8.self))
      pending.removeSubrange(pending.startIndex...end)
    }
    return true
  }
}

/// A folder that is gone when the test is.
final class Workplace {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "tutti-system-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }
}

/// Ports that no other test of this process uses.
enum TestPorts {
  private static let lock = NSLock()
  // Written under `lock` alone.
  nonisolated(unsafe) private static var next = UInt16(21_000 + Int(getpid()) % 300 * 30)

  static func take() -> UInt16 {
    lock.withLock {
      next += 1
      return next
    }
  }
}
