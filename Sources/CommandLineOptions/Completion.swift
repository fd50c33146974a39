// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What may stand at one place of a command line, for a shell that completes it.
public struct Completion: Sendable, Hashable {
  /// Names in the file system that fit.
  public enum Files: String, Sendable, Hashable {
    /// None.
    case none
    /// Files, and folders on the way to them.
    case files
    /// Folders alone.
    case folders
  }

  /// One word that fits.
  public struct Candidate: Sendable, Hashable {
    /// What is put on the command line, unquoted.
    public var word: String
    /// A few words about it; may be empty.
    public var help: String

    /// A word that fits.
    ///
    /// - Parameters:
    ///   - word: What is put on the command line, unquoted.
    ///   - help: A few words about it.
    public init(_ word: String, help: String = "") {
      self.word = word
      self.help = help
    }
  }

  /// The words that are known beforehand.
  public var candidates: [Candidate]
  /// Names in the file system.
  public var files: Files
  /// What only the running program knows the words of: `room`, `group`, `album`.
  public var subjects: [String]

  /// Nothing is known of the place.
  public static let nothing = Completion(candidates: [], files: .none, subjects: [])
  /// Files.
  public static let files = Completion(candidates: [], files: .files, subjects: [])
  /// Folders.
  public static let folders = Completion(candidates: [], files: .folders, subjects: [])

  /// Words that are known beforehand.
  ///
  /// - Parameter words: The words.
  /// - Returns: The completion.
  public static func words(_ words: String...) -> Completion {
    Completion(candidates: words.map { Candidate($0) }, files: .none, subjects: [])
  }

  /// Words that the running program is asked for.
  ///
  /// - Parameter subject: What they name: `room`.
  /// - Returns: The completion.
  public static func asked(_ subject: String) -> Completion {
    Completion(candidates: [], files: .none, subjects: [subject])
  }

  /// Both this and another.
  ///
  /// - Parameter other: The other; its kind of file counts when this one has none.
  /// - Returns: The completion.
  public func or(_ other: Completion) -> Completion {
    Completion(
      candidates: candidates + other.candidates, files: files == .none ? other.files : files,
      subjects: subjects + other.subjects)
  }
}

/// What fits at the end of a command line that is being typed.
public struct CompletionAnswer: Sendable, Hashable {
  /// Words that begin with what has been typed, case aside.
  public var candidates: [Completion.Candidate] = []
  /// Whether the shell adds names of the file system.
  public var files = Completion.Files.none

  /// An answer.
  ///
  /// - Parameters:
  ///   - candidates: Words that begin with what has been typed.
  ///   - files: Whether the shell adds names of the file system.
  public init(candidates: [Completion.Candidate] = [], files: Completion.Files = .none) {
    self.candidates = candidates
    self.files = files
  }

  /// For the shell scripts: a line each, `WORD<tab>HELP`; a line `<tab>files` or `<tab>folders` asks
  /// for names of the file system. Words with control characters cannot be typed and are left out.
  public var text: String {
    var lines = candidates.filter { $0.word.unicodeScalars.allSatisfy { $0.value >= 0x20 } }
      .map { $0.help.isEmpty ? $0.word : "\($0.word)\t\($0.help)" }
    if files != .none { lines.append("\t\(files.rawValue)") }
    return lines.joined(separator: "\n")
  }
}
