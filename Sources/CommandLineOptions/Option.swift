// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a command line may carry under one long name.
///
/// Only ``Option``, ``DefaultedOption`` and ``Flag`` conform.
public protocol DeclaredOption: Sendable {
  /// Name, help and shape, without the type of the value.
  var specification: OptionSpecification { get }

  /// Checks a text before anybody asks for the value, so that a mistake is reported at start.
  ///
  /// - Parameter text: What was given.
  /// - Returns: Why the text is refused, or nil when it is a value.
  func refusal(of text: String) -> String?
}

/// Name, help and shape of an option.
public struct OptionSpecification: Sendable, Hashable {
  /// The long name without dashes: `state-dir`.
  public var name: String
  /// The one-letter name, if there is one.
  public var short: Character?
  /// How the help calls the value (`DIR`); nil for a flag, which takes none.
  public var valueName: String?
  /// Whether every occurrence counts; otherwise the last one wins.
  public var isRepeatable: Bool
  /// One sentence for the help.
  public var help: String
  /// What holds when nothing is given, for the help.
  public var defaultText: String?
  /// What a shell may put in the value's place.
  public var completion = Completion.nothing

  /// The help with what else is to know: whether it may be repeated, its default.
  var fullHelp: String {
    help + (isRepeatable ? " May be repeated." : "")
      + (defaultText.map { " Default: \($0)." } ?? "")
  }

  /// `--state-dir`.
  public var flagText: String { "--\(name)" }
}

/// An option with a value, absent when nobody gives one.
///
/// ```swift
/// static let music = Option("music", value: "DIR", repeatable: true, parse: .text, help: "…")
/// let folders = arguments.values(of: music)
/// ```
public struct Option<Value: Sendable>: DeclaredOption {
  /// Name, help and shape.
  public let specification: OptionSpecification
  let parser: ValueParser<Value>

  /// Declares an option.
  ///
  /// - Parameters:
  ///   - name: The long name without dashes.
  ///   - short: The one-letter name.
  ///   - valueName: How the help calls the value.
  ///   - isRepeatable: Whether every occurrence counts.
  ///   - parser: Reads and checks the value.
  ///   - completion: What a shell may put there; the parser's own words when nil.
  ///   - help: One sentence.
  public init(
    _ name: String, short: Character? = nil, value valueName: String,
    repeatable isRepeatable: Bool = false, parse parser: ValueParser<Value>,
    completing completion: Completion? = nil, help: String
  ) {
    var specification = OptionSpecification(
      name: name, short: short, valueName: valueName, isRepeatable: isRepeatable, help: help)
    specification.completion = completion ?? parser.completion
    self.specification = specification
    self.parser = parser
  }

  /// Why the text is refused, or nil when it is a value.
  public func refusal(of text: String) -> String? {
    do throws(ValueParser<Value>.Refusal) {
      _ = try parser.read(text)
      return nil
    } catch {
      return error.reason
    }
  }

  func value(_ text: String) -> Value? { try? parser.read(text) }
}

/// An option with a value that always has one.
public struct DefaultedOption<Value: Sendable>: DeclaredOption {
  /// Name, help and shape.
  public let specification: OptionSpecification
  let option: Option<Value>
  let defaultValue: Value

  /// Declares an option.
  ///
  /// - Parameters:
  ///   - name: The long name without dashes.
  ///   - short: The one-letter name.
  ///   - valueName: How the help calls the value.
  ///   - defaultValue: What holds when nothing is given.
  ///   - defaultText: How the help shows the default; its own description when nil.
  ///   - parser: Reads and checks the value.
  ///   - completion: What a shell may put there; the parser's own words when nil.
  ///   - help: One sentence.
  public init(
    _ name: String, short: Character? = nil, value valueName: String, default defaultValue: Value,
    shown defaultText: String? = nil, parse parser: ValueParser<Value>,
    completing completion: Completion? = nil, help: String
  ) {
    option = Option(
      name, short: short, value: valueName, parse: parser, completing: completion, help: help)
    var specification = option.specification
    specification.defaultText = defaultText ?? "\(defaultValue)"
    self.specification = specification
    self.defaultValue = defaultValue
  }

  /// Why the text is refused, or nil when it is a value.
  public func refusal(of text: String) -> String? { option.refusal(of: text) }
}

/// An option without a value: given or not.
///
/// In the environment it reads `1 true yes on` and `0 false no off`.
public struct Flag: DeclaredOption {
  /// Name, help and shape.
  public let specification: OptionSpecification

  /// Declares a flag.
  ///
  /// - Parameters:
  ///   - name: The long name without dashes.
  ///   - short: The one-letter name.
  ///   - help: One sentence.
  public init(_ name: String, short: Character? = nil, help: String) {
    specification = OptionSpecification(
      name: name, short: short, valueName: nil, isRepeatable: false, help: help)
  }

  /// Why the text is refused, or nil when it is a value.
  public func refusal(of text: String) -> String? {
    Flag.meaning(of: text) == nil ? "must be 1 (yes) or 0 (no)" : nil
  }

  static func meaning(of text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }
}
