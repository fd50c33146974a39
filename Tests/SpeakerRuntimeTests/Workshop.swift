// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import Glibc
import LinuxNetworking
import Synchronization

/// A directory of a test's own, removed at its end.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    let name = Environment.randomBytes(8).map { String($0, radix: 16) }.joined()
    path = "/tmp/tutti-speaker-test-\(name)"
    mkdir(path, 0o700)
  }

  deinit {
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      unlink("\(path)/\(name)")
    }
    closedir(directory)
    rmdir(path)
  }
}

/// A WAV file as a speaker wrote it, stereo and float.
struct Recording {
  let left: [Float]
  let right: [Float]
  /// What the header says about the samples, in bytes.
  let declaredBytes: Int
  let actualBytes: Int

  init(path: String) {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 20)
    let descriptor = open(path, O_RDONLY)
    while true {
      let count = read(descriptor, &part, part.count)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    close(descriptor)
    let header = bytes.prefix(44)
    declaredBytes = (0..<4).reduce(0) { $0 | Int(header[40 + $1]) << (8 * $1) }
    actualBytes = bytes.count - 44
    let samples = bytes.dropFirst(44).withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    left = stride(from: 0, to: samples.count - 1, by: 2).map { samples[$0] }
    right = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
  }
}

/// Collects what a log writes and finds what a test asks for.
final class Notebook: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }

  var log: Log {
    Log(LogSink(level: .debug) { line in self.lines.withLock { $0.append(line) } })
  }

  /// When frame 0 of a recording was heard.
  var recordingStart: LocalInstant? {
    let mark = "the recording began at "
    for line in all {
      guard let start = line.firstRange(of: mark) else { continue }
      let number = line[start.upperBound...].prefix { $0.isNumber }
      return Int64(number).map(LocalInstant.init(nanoseconds:))
    }
    return nil
  }
}

extension String {
  /// Where `text` stands first.
  func firstRange(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

/// Waits until `isTrue`, looking every 5 ms, at most `limit`.
///
/// - Returns: Whether it came true.
func eventually(within limit: Nanoseconds = .seconds(5), _ isTrue: () -> Bool) throws -> Bool {
  let poller = try Poller()
  let end = LocalClock.now() + limit
  while LocalClock.now() < end {
    if isTrue() { return true }
    poller.wait(until: LocalClock.now() + .milliseconds(5)) { _ in }
  }
  return isTrue()
}

/// Lets time pass while the threads under test work.
func letPass(_ time: Nanoseconds) throws {
  try Poller().wait(until: LocalClock.now() + time) { _ in }
}
