// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a program's manual page says beyond its option tables.
public struct Manual: Sendable, Hashable {
  /// A word and what it means: a path, an exit code.
  public struct Entry: Sendable, Hashable {
    /// What is explained.
    public var term: String
    /// The explanation.
    public var text: String

    /// An entry.
    ///
    /// - Parameters:
    ///   - term: What is explained.
    ///   - text: The explanation.
    public init(_ term: String, _ text: String) {
      self.term = term
      self.text = text
    }
  }

  /// The manual's section: 1 for commands, 8 for daemons (man(1)).
  public var section: Int
  /// Paragraphs on what the program is for.
  public var description: [String]
  /// Files it reads or writes.
  public var files: [Entry]
  /// What its exit codes mean.
  public var exitCodes: [Entry]
  /// Other pages: `tutti(1)`.
  public var seeAlso: [String]

  /// What a manual page says.
  ///
  /// - Parameters:
  ///   - section: The manual's section.
  ///   - description: Paragraphs on what the program is for.
  ///   - files: Files it reads or writes.
  ///   - exitCodes: What its exit codes mean.
  ///   - seeAlso: Other pages.
  public init(
    section: Int = 1, description: [String] = [], files: [Entry] = [], exitCodes: [Entry] = [],
    seeAlso: [String] = []
  ) {
    self.section = section
    self.description = description
    self.files = files
    self.exitCodes = exitCodes
    self.seeAlso = seeAlso
  }
}
