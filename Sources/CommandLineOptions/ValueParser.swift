// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Reads the text of a value into the type a program works with, or says why it cannot.
///
/// The reason completes the sentence "`--port 99999`: …", so it names what would be right.
public struct ValueParser<Value: Sendable>: Sendable {
  /// Why a text is not such a value, in words for the person who typed it.
  public struct Refusal: Error, Hashable, Sendable {
    /// What would have been right, for example "must be a whole number from 1 to 65535".
    public var reason: String

    /// A refusal with its reason.
    public init(_ reason: String) { self.reason = reason }
  }

  let read: @Sendable (String) throws(Refusal) -> Value
  /// What a shell may put in the value's place.
  var completion = Completion.nothing

  /// A parser of a type of the program's own.
  ///
  /// - Parameters:
  ///   - words: All values, when they are few, for shells that complete them.
  ///   - read: Returns the value or throws a ``Refusal``.
  public init(
    words: [String] = [], _ read: @escaping @Sendable (String) throws(Refusal) -> Value
  ) {
    self.read = read
    completion.candidates = words.map { Completion.Candidate($0) }
  }
}

extension ValueParser where Value == String {
  /// Any text but the empty one.
  public static var text: ValueParser<String> {
    ValueParser { (text) throws(Refusal) in
      guard !text.isEmpty else { throw Refusal("must not be empty") }
      return text
    }
  }
}

extension ValueParser where Value == Int {
  /// A whole number within `range`.
  ///
  /// - Parameter range: The numbers that are allowed.
  /// - Returns: The parser.
  public static func integer(in range: ClosedRange<Int>) -> ValueParser<Int> {
    ValueParser { (text) throws(Refusal) in
      guard let number = Int(text), range.contains(number) else {
        throw Refusal("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

extension ValueParser where Value == Double {
  /// A number within `range`, with or without decimals.
  ///
  /// - Parameter range: The numbers that are allowed.
  /// - Returns: The parser.
  public static func number(in range: ClosedRange<Double>) -> ValueParser<Double> {
    ValueParser { (text) throws(Refusal) in
      guard let number = Double(text), range.contains(number) else {
        throw Refusal("must be a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }
}

extension ValueParser where Value: CaseIterable & RawRepresentable<String> {
  /// One of the words of an enumeration.
  public static var choice: ValueParser<Value> {
    ValueParser(words: Value.allCases.map(\.rawValue)) { (text) throws(Refusal) in
      if let value = Value(rawValue: text) { return value }
      let words = Value.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw Refusal("must be one of \(words)")
    }
  }
}
