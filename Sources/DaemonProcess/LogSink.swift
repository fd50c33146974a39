// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CLinux
internal import Synchronization

/// Where log lines go: formats them, limits repeats, hands whole lines on.
public final class LogSink: Sendable {
  /// Lines that matter less are dropped.
  public let level: LogLevel
  private let format: LogFormat
  private let isJournal: Bool
  private let output: @Sendable (String) -> Void
  private let limiter = Mutex(RepeatLimiter())

  /// A sink of your own, for tests and tools.
  ///
  /// - Parameters:
  ///   - level: Lines that matter less are dropped.
  ///   - format: For people or for programs.
  ///   - isJournal: Whether the reader is journald, which takes `<N>` and keeps the time itself.
  ///   - output: Takes each line, without its newline.
  public init(
    level: LogLevel, format: LogFormat = .text, isJournal: Bool = false,
    output: @escaping @Sendable (String) -> Void
  ) {
    self.level = level
    self.format = format
    self.isJournal = isJournal
    self.output = output
  }

  /// The sink of a daemon: standard error, in journald's form when it listens.
  public static func standardError(level: LogLevel, format: LogFormat) -> LogSink {
    let isJournal = Environment.value("JOURNAL_STREAM") != nil
    return LogSink(level: level, format: format, isJournal: isJournal) { line in
      // One write per line keeps lines of two threads apart, and a crash loses none.
      let bytes = Array("\(line)\n".utf8)
      tutti_write_all(2, bytes, UInt64(bytes.count))
    }
  }

  func write(_ level: LogLevel, source: String, kind: String?, _ message: String) {
    let key = "\(level.rawValue) \(source) \(kind ?? message)"
    let now = LocalInstant(nanoseconds: tutti_monotonic_raw_ns())
    let verdict = limiter.withLock { $0.admit(key, at: now) }
    guard case .write(let skipped) = verdict else { return }
    let more = skipped > 0 ? " (and \(skipped) more like this)" : ""
    output(line(level, source, message + more))
  }

  private func line(_ level: LogLevel, _ source: String, _ message: String) -> String {
    let prefix = isJournal ? "<\(level.rawValue)>" : ""
    guard format == .text else {
      return "\(prefix){\"time\":\"\(wallTimeText())\",\"level\":\"\(level.name)\","
        + "\"source\":\(jsonString(source)),\"message\":\(jsonString(message))}"
    }
    let time = isJournal ? "" : "\(wallTimeText()) "
    let name = source.isEmpty ? "" : "\(source): "
    let mark = level <= .warning ? "\(level.name): " : ""
    return "\(prefix)\(time)\(mark)\(name)\(singleLine(message))"
  }
}

/// The time of day in RFC 3339 form, UTC.
private func wallTimeText() -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 25) { text in
    guard let start = text.baseAddress else { return "" }
    tutti_wall_time_text(start)
    return String(cString: start)
  }
}

/// Control characters of a message would let its author forge lines or paint the terminal.
private func singleLine(_ message: String) -> String {
  guard message.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
    return message
  }
  var clean = ""
  for scalar in message.unicodeScalars {
    let isControl = scalar.value < 0x20 || scalar.value == 0x7f
    clean.unicodeScalars.append(isControl ? "\u{fffd}" : scalar)
  }
  return clean
}

private func jsonString(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
