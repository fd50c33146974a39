// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How many operands are taken and how the help writes them.
public struct OperandDeclaration: Sendable, Hashable {
  /// How the usage line shows them: `[ROOM|group] [N|+N|-N]`.
  public var usage: String
  /// How many there may be.
  public var count: ClosedRange<Int>
  /// What a shell may put in their places, in order; the last holds for all that follow.
  public var completions: [Completion]

  /// Declares operands.
  ///
  /// - Parameters:
  ///   - usage: How the usage line shows them.
  ///   - count: How many there may be.
  ///   - completions: What a shell may put in their places; the last holds for all that follow.
  public init(_ usage: String, count: ClosedRange<Int>, completing completions: Completion...) {
    self.usage = usage
    self.count = count
    self.completions = completions
  }

  /// No operands.
  public static var none: OperandDeclaration { OperandDeclaration("", count: 0...0) }

  /// Any number of operands.
  ///
  /// - Parameters:
  ///   - usage: How the usage line shows them.
  ///   - minimum: How many there must be at least.
  ///   - completions: What a shell may put in their places; the last holds for all that follow.
  /// - Returns: The declaration.
  public static func any(
    _ usage: String, atLeast minimum: Int = 0, completing completions: Completion...
  ) -> OperandDeclaration {
    var operands = OperandDeclaration(usage, count: minimum...Int.max)
    operands.completions = completions
    return operands
  }

  /// What a shell may put in a place.
  func completion(at index: Int) -> Completion {
    guard index < count.upperBound, let last = completions.last else { return .nothing }
    return index < completions.count ? completions[index] : last
  }
}
