// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Synchronization
import Testing

@testable import DaemonProcess

/// Collects what a log writes.
private final class Pages: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func sink(
    _ level: LogLevel = .info, _ format: LogFormat = .text, isJournal: Bool = false
  ) -> LogSink {
    LogSink(level: level, format: format, isJournal: isJournal) { line in
      self.lines.withLock { $0.append(line) }
    }
  }
}

@Suite struct LogTests {
  @Test func `a line says when, how bad and who`() {
    let pages = Pages()
    Log(pages.sink(), source: "clock").warning("late")
    #expect(pages.all.first?.hasSuffix("Z warning: clock: late") == true)
  }

  @Test func `a level that is off is not even built`() {
    let pages = Pages()
    var isBuilt = false
    func message() -> String {
      isBuilt = true
      return "x"
    }
    Log(pages.sink(.warning)).info(message())
    #expect(!isBuilt && pages.all.isEmpty)
  }

  @Test func `the journal gets its prefix and no time`() {
    let pages = Pages()
    Log(pages.sink(isJournal: true)).error("gone")
    #expect(pages.all == ["<3>error: gone"])
  }

  @Test func `outside text cannot forge lines`() {
    let pages = Pages()
    Log(pages.sink(isJournal: true)).info("a\nb\u{1b}[2J")
    #expect(pages.all == ["<6>a\u{fffd}b\u{fffd}[2J"])
  }

  @Test func `JSON is quoted`() throws {
    let pages = Pages()
    Log(pages.sink(.info, .json), source: "a").info("say \"x\"\n")
    let line = try #require(pages.all.first)
    #expect(line.hasPrefix("{\"time\":\"2"))
    let rest = "\"level\":\"info\",\"source\":\"a\",\"message\":\"say \\\"x\\\"\\u000a\"}"
    #expect(line.hasSuffix(rest))
  }
}

@Suite struct RepeatLimiterTests {
  @Test func `after five of a kind the rest is counted, and told in the next window`() {
    var limiter = RepeatLimiter()
    let start = LocalInstant(nanoseconds: 0)
    let verdicts = (0..<12).map { _ in limiter.admit("xrun", at: start) }
    #expect(verdicts.filter { $0 == .write(skipped: 0) }.count == 5)
    #expect(limiter.admit("other", at: start) == .write(skipped: 0))
    #expect(limiter.admit("xrun", at: start + .seconds(11)) == .write(skipped: 7))
  }

  @Test func `memory is bounded`() {
    var limiter = RepeatLimiter()
    for index in 0..<10_000 {
      _ = limiter.admit("kind \(index)", at: LocalInstant(nanoseconds: Int64(index)))
    }
    #expect(limiter.admit("kind 0", at: LocalInstant(nanoseconds: 10_000)) == .write(skipped: 0))
  }
}
