// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc

/// What a person named on the command line, as files and addresses.
struct MediaOperands {
  /// One thing to play.
  enum Item: Equatable {
    case url(String)
    /// A file, by absolute path.
    case file(String)
    /// A live input of the coordinator.
    case input(String)
    /// Something of the coordinator's library.
    case library(LibraryReference)
  }

  /// What is there, in order.
  private(set) var items: [Item] = []
  /// What is not, with reasons.
  private(set) var refusals: [String] = []

  /// What a folder is searched for: the endings of the formats that are played.
  static let endings: Set<String> = [
    "flac", "mp3", "wav", "wave", "aif", "aiff", "ogg", "oga", "opus", "m4a", "m4b", "mp4", "aac",
    "mka", "wv", "ape", "wma",
  ]
  /// Folders within folders that are followed; deeper is a loop of links.
  static let deepest = 32
  /// Schemes that are played from the network.
  static let schemes = ["http://", "https://"]

  /// Sorts out the words of a command line.
  init(_ words: [String]) {
    for word in words { take(word) }
  }

  private mutating func take(_ word: String) {
    if Self.schemes.contains(where: { word.lowercased().hasPrefix($0) }) {
      items.append(.url(word))
      return
    }
    if word.hasPrefix("input:") {
      items.append(.input(String(word.dropFirst(6))))
      return
    }
    if let reference = LibraryWord.reference(word) {
      items.append(.library(reference))
      return
    }
    guard let path = Self.absolutePath(word), let facts = Self.facts(path) else {
      refusals.append("'\(word)': \(String(cString: strerror(errno)))")
      return
    }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: takeFolder(path, named: word)
    case S_IFREG where access(path, R_OK) == 0: items.append(.file(path))
    case S_IFREG: refusals.append("'\(word)': \(String(cString: strerror(EACCES)))")
    default: refusals.append("'\(word)' is neither a file nor a folder")
    }
  }

  private mutating func takeFolder(_ path: String, named word: String) {
    let before = items.count
    walk(path, depth: 0)
    if items.count == before { refusals.append("'\(word)': no music in that folder") }
  }

  private mutating func walk(_ folder: String, depth: Int) {
    guard depth < Self.deepest else { return }
    for name in Self.names(in: folder) {
      let path = "\(folder)/\(name)"
      guard let facts = Self.facts(path) else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR {
        walk(path, depth: depth + 1)
      } else if facts.st_mode & S_IFMT == S_IFREG, Self.isMusic(name) {
        items.append(.file(path))
      }
    }
  }

  /// Names in a folder, hidden ones left out, in the order of their bytes.
  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  static func isMusic(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }

  private static func absolutePath(_ word: String) -> String? {
    guard let resolved = realpath(word, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func facts(_ path: String) -> stat? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts : nil
  }
}
