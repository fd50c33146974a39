// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// Something a daemon could not do, in words for the person who started it.
public struct ProcessError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, to what.
  public var problem: String
  /// What to try, or empty.
  public var advice: String

  /// An error with its advice.
  public init(_ problem: String, advice: String = "") {
    self.problem = problem
    self.advice = advice
  }

  /// An error of the kernel's; `code` is a positive errno.
  public init(_ problem: String, code: Int32, advice: String = "") {
    self.init("\(problem): \(systemErrorText(code))", advice: advice)
  }

  /// One sentence for a person.
  public var description: String { advice.isEmpty ? problem : "\(problem); \(advice)" }
}

/// The C library's words for an errno, such as `Permission denied`.
public func systemErrorText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
    guard let start = text.baseAddress else { return "error \(code)" }
    tutti_error_text(code, start)
    return String(cString: start)
  }
}
