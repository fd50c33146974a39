// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import Synchronization
import Testing

@testable import DaemonProcess

/// A directory of a test's own, removed at its end.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    let name = Environment.randomBytes(8).map { String($0, radix: 16) }.joined()
    path = "/tmp/tutti-test-\(name)"
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

@Suite struct StateDirectoryTests {
  @Test func `a second daemon on the directory refuses in words`() throws {
    let place = TemporaryDirectory()
    let first = try StateDirectory(path: place.path + "/", program: "tutti-speaker")
    let error = #expect(throws: ProcessError.self) {
      try StateDirectory(path: place.path, program: "tutti-speaker")
    }
    let words = error?.description ?? ""
    #expect(words.contains(place.path) && words.contains("in use by another tutti-speaker"))
    #expect(words.contains("process \(getpid())") && words.contains("--state-dir"))
    #expect(first.path == place.path)
  }

  @Test func `a relative path is told as an absolute one`() throws {
    let place = TemporaryDirectory()
    let climb = String(repeating: "../", count: 64)
    let directory = try StateDirectory(path: "\(climb)\(place.path.dropFirst())", program: "a")
    #expect(directory.path.hasPrefix("/"))
    #expect(directory.path.hasSuffix(place.path))
    try directory.write("file", [1])
    #expect(access("\(place.path)/file", R_OK) == 0)
  }

  @Test func `the lock goes with its owner`() throws {
    let place = TemporaryDirectory()
    _ = try StateDirectory(path: place.path, program: "a")
    #expect(throws: Never.self) { try StateDirectory(path: place.path, program: "a") }
  }

  @Test func `a file is replaced as a whole`() throws {
    let place = TemporaryDirectory()
    let state = try StateDirectory(path: place.path, program: "a")
    #expect(try state.read("volume") == nil)
    try state.write("volume", Array("25\n".utf8))
    try state.write("volume", Array("7\n".utf8))
    #expect(try state.read("volume") == Array("7\n".utf8))
    var status = stat()
    #expect(stat(state.path(of: "volume"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a place that cannot be is refused with advice`() {
    let error = #expect(throws: ProcessError.self) {
      try StateDirectory(path: "/proc/nowhere/x", program: "a")
    }
    #expect(error?.description.contains("--state-dir") == true)
  }

  @Test func `the flag wins over the environment`() throws {
    #expect(try StateDirectory.resolve(flag: "/x", program: "a") == "/x")
  }
}

@Suite struct NamedThreadTests {
  @Test func `threads that nobody joins leave no stacks behind`() async throws {
    let before = try addressSpaceMiB()
    for _ in 0..<1_000 {
      let (ended, end) = AsyncStream<Never>.makeStream()
      _ = try NamedThread("dropped", log: .discarding) { end.finish() }
      for await _ in ended {}
    }
    // Their stacks of 8 MiB would be 8,000; the rest is for the tests that run beside this one.
    #expect(try addressSpaceMiB() - before < 4_000)
  }

  private func addressSpaceMiB() throws -> Int {
    let file = try #require(fopen("/proc/self/statm", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    fgets(&line, 128, file)
    return atol(line) * 4_096 / 1_048_576
  }

  @Test func `a thread runs its body under its name`() throws {
    let name = Mutex("")
    let thread = try NamedThread("tutti-test", log: .discarding) {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { text in
        guard let start = text.baseAddress else { return }
        prctl16(start)
        name.withLock { $0 = String(cString: start) }
      }
    }
    thread.join()
    #expect(name.withLock { $0 } == "tutti-test")
  }

  @Test func `refused real time costs a warning, not the thread`() throws {
    let lines = Mutex(0)
    let ran = Mutex(false)
    let log = Log(LogSink(level: .info) { _ in lines.withLock { $0 += 1 } })
    // 100 is above the highest priority: refused on every host, even for root.
    let thread = try NamedThread("t", urgency: .realTime(priority: 100), log: log) {
      ran.withLock { $0 = true }
    }
    thread.join()
    #expect(ran.withLock { $0 })
    #expect(lines.withLock { $0 } == 1)
  }
}

/// The calling thread's name, by way of /proc: Glibc's import lacks pthread_getname_np.
private func prctl16(_ text: UnsafeMutablePointer<CChar>) {
  let file = open("/proc/thread-self/comm", O_RDONLY)
  let count = read(file, text, 15)
  close(file)
  text[max(0, count - 1)] = 0
}
