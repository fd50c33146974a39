// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// An entry of a playlist's file.
public struct PlaylistEntry: Sendable, Hashable {
  /// What it names.
  public enum Target: Sendable, Hashable {
    /// A file. The paths are tried in order; what a list says may be meant in several ways.
    case file(FileTarget)
    /// An `http:` or `https:` address.
    case url(String)
  }

  /// Where a file may be.
  public struct FileTarget: Sendable, Hashable {
    /// Absolute paths (`PathText`s) to be tried in order.
    public var paths: [String]
    /// The end of a path of another machine, folded, in the order of its folders: when none of the
    /// paths is there, the file with the longest such end is meant. Empty when it is not to be
    /// looked for.
    public var tail: [String]

    /// A place.
    ///
    /// - Parameters:
    ///   - paths: Absolute paths to be tried in order.
    ///   - tail: The end of a path of another machine.
    public init(paths: [String], tail: [String] = []) { (self.paths, self.tail) = (paths, tail) }
  }

  /// What it names.
  public var target: Target
  /// The title as the list has it; empty when it has none.
  public var title: String
  /// The length as the list has it.
  public var durationSeconds: Int?

  /// An entry.
  ///
  /// - Parameters:
  ///   - target: What it names.
  ///   - title: The title.
  ///   - durationSeconds: The length.
  public init(target: Target, title: String = "", durationSeconds: Int? = nil) {
    (self.target, self.title, self.durationSeconds) = (target, title, durationSeconds)
  }

  /// What it is called: the title, else the file's name or the address.
  public var name: String {
    guard title.isEmpty else { return title }
    return switch target {
    case .file(let file): FilePath.title(of: file.paths.first ?? "")
    case .url(let url): url
    }
  }
}

/// A playlist's file, read.
public struct ParsedPlaylist: Sendable, Hashable {
  /// The list's own name; nil when it has none.
  public var name: String?
  /// Its entries in order, at most `PlaylistParser.mostEntries`.
  public var entries: [PlaylistEntry] = []
  /// Whether it is no list but a stream cut into pieces (HLS): to be played as a whole.
  public var isStream = false

  /// A list with nothing in it.
  public init() {}

  /// Whether it names only addresses: a list of radio stations.
  public var isStations: Bool {
    !entries.isEmpty
      && entries.allSatisfy { if case .url = $0.target { true } else { false } }
  }
}
