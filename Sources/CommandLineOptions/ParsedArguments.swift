// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What was given, checked: every value has been read once already.
public struct ParsedArguments: Sendable, Hashable {
  /// The subcommand, for programs that have some.
  public internal(set) var command: String?
  /// The words that are neither options nor the subcommand.
  public internal(set) var operands: [String] = []
  /// The texts per long name, in the order in which they were given.
  var texts: [String: [String]] = [:]

  /// The value of an option.
  ///
  /// - Parameter option: A declaration of the program that was parsed.
  /// - Returns: The last value given, or nil.
  public subscript<Value>(option: Option<Value>) -> Value? {
    texts[option.specification.name]?.last.flatMap(option.value)
  }

  /// The value of an option that always has one.
  ///
  /// - Parameter option: A declaration of the program that was parsed.
  /// - Returns: The last value given, or the default.
  public subscript<Value>(option: DefaultedOption<Value>) -> Value {
    self[option.option] ?? option.defaultValue
  }

  /// Whether a flag is set.
  ///
  /// - Parameter flag: A declaration of the program that was parsed.
  /// - Returns: Whether it was given (or is on in the environment).
  public subscript(flag: Flag) -> Bool {
    texts[flag.specification.name]?.last.flatMap(Flag.meaning) ?? false
  }

  /// All values of a repeatable option.
  ///
  /// - Parameter option: A declaration of the program that was parsed.
  /// - Returns: The values in the order in which they were given.
  public func values<Value>(of option: Option<Value>) -> [Value] {
    (texts[option.specification.name] ?? []).compactMap(option.value)
  }

  /// Whether the option was given at all, on the command line or in the environment.
  ///
  /// - Parameter option: A declaration of the program that was parsed.
  /// - Returns: Whether there is a value that is not the default.
  public func isGiven(_ option: any DeclaredOption) -> Bool {
    texts[option.specification.name] != nil
  }
}
