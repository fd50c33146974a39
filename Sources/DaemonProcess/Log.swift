// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How much a line of the log matters; the raw value is syslog's.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  /// Something does not work and a person must act.
  case error = 3
  /// Something is worse than it should be, and goes on.
  case warning = 4
  /// Worth knowing in normal operation.
  case notice = 5
  /// One line per event.
  case info = 6
  /// For developers.
  case debug = 7

  /// The name in `--log-level` and in the lines.
  public var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// All names, the gravest first.
  public static var words: [String] { allCases.map(\.name) }

  /// The level with this name, or nil.
  public init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// Whether `a` matters more than `b`.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// How lines are written.
public enum LogFormat: String, Sendable, CaseIterable {
  /// For people.
  case text
  /// One JSON object a line.
  case json
}

/// Writes one line per event. Cheap when the level is off; never on the audio thread.
public struct Log: Sendable {
  private let sink: LogSink
  /// Which part speaks, such as `clock`.
  public let source: String

  /// A log that writes to `sink` in the name of `source`.
  public init(_ sink: LogSink, source: String = "") {
    (self.sink, self.source) = (sink, source)
  }

  /// A log that keeps nothing.
  public static let discarding = Log(LogSink(level: .error) { _ in })

  /// The same log in the name of another part.
  public func named(_ source: String) -> Log { Log(sink, source: source) }

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - level: How much it matters.
  ///   - kind: Lines of one kind are limited together; by default, equal lines are.
  ///   - message: Evaluated only when the level is on.
  public func write(_ level: LogLevel, kind: String? = nil, _ message: () -> String) {
    guard level <= sink.level else { return }
    sink.write(level, source: source, kind: kind, message())
  }

  /// Something does not work and a person must act.
  public func error(_ message: @autoclosure () -> String, kind: String? = nil) {
    write(.error, kind: kind, message)
  }
  /// Something is worse than it should be, and goes on.
  public func warning(_ message: @autoclosure () -> String, kind: String? = nil) {
    write(.warning, kind: kind, message)
  }
  /// Worth knowing in normal operation.
  public func notice(_ message: @autoclosure () -> String, kind: String? = nil) {
    write(.notice, kind: kind, message)
  }
  /// One line per event.
  public func info(_ message: @autoclosure () -> String, kind: String? = nil) {
    write(.info, kind: kind, message)
  }
  /// For developers.
  public func debug(_ message: @autoclosure () -> String, kind: String? = nil) {
    write(.debug, kind: kind, message)
  }
}
