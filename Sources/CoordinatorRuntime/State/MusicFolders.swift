// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import FoundationEssentials
internal import Glibc

// The coordinator opens files for whoever may command it, so it opens only what lies in the folders it
// was given. A path counts after all links in it have been followed: a link inside a folder that points
// out of it does not lead out.

/// The folders whose files may be played by name.
struct MusicFolders: Sendable {
  /// Why a path is not played, in words.
  struct Refusal: Error, Equatable {
    var reason: String
  }

  /// The most tracks that one folder contributes at a time.
  static let capacity = 20_000
  /// What counts as music when a whole folder is asked for; single files are simply tried.
  static let extensions: Set<String> = [
    "aac", "aif", "aiff", "ape", "flac", "m4a", "m4b", "mp2", "mp3", "mp4", "mka", "mpc", "oga",
    "ogg",
    "opus", "wav", "webm", "wma", "wv",
  ]

  /// The folders, absolute and with links followed.
  let paths: [String]

  /// Checks the folders.
  ///
  /// - Throws: `ProcessError` for one that is not there or not a folder.
  init(_ folders: [String]) throws(ProcessError) {
    var paths: [String] = []
    for folder in folders {
      guard let path = realPath(folder), kind(of: path) == S_IFDIR else {
        throw ProcessError(
          "the music folder \(folder) is not there, or not a folder",
          advice: "check --music, and whether its disk is mounted")
      }
      if !paths.contains(path) { paths.append(path) }
    }
    self.paths = paths
  }

  /// The files that a path stands for: itself, or all music in it when it is a folder.
  ///
  /// - Returns: Absolute paths with links followed, in the order of their names; never empty.
  /// - Throws: `Refusal`.
  func files(at path: String) throws(Refusal) -> [String] {
    guard path.hasPrefix("/") else {
      throw Refusal(reason: "\(path) is not an absolute path")
    }
    guard !paths.isEmpty else {
      throw Refusal(
        reason: "\(path): this coordinator has no music folder; start it with --music DIR")
    }
    guard let real = realPath(path) else {
      // Whether something exists outside the folders is nobody's business.
      let isInside = contains(path) && !path.contains("/../")
      throw Refusal(
        reason: isInside ? "\(path): \(systemErrorText(errno))" : outside(path))
    }
    guard contains(real) else { throw Refusal(reason: outside(path)) }
    switch kind(of: real) {
    case S_IFREG:
      guard access(real, R_OK) == 0 else {
        throw Refusal(reason: "\(path): \(systemErrorText(errno))")
      }
      return [real]
    case S_IFDIR: return try music(in: real)
    default: throw Refusal(reason: "\(path) is neither a file nor a folder")
    }
  }

  private func outside(_ path: String) -> String {
    "\(path) is not in a music folder (\(paths.joined(separator: ", ")))"
  }

  private func contains(_ path: String) -> Bool {
    paths.contains { path == $0 || path.hasPrefix($0 == "/" ? "/" : $0 + "/") }
  }

  private func music(in folder: String) throws(Refusal) -> [String] {
    var found: [String] = []
    var pending = [folder]
    var visited: Set<String> = [folder]
    while let next = pending.popLast(), found.count < Self.capacity {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: next)) ?? []
      var folders: [String] = []
      for name in names.sorted() where !name.hasPrefix(".") {
        guard let real = realPath(next + "/" + name), contains(real) else { continue }
        switch kind(of: real) {
        case S_IFDIR: if visited.insert(real).inserted { folders.append(real) }
        case S_IFREG: if isMusic(name) { found.append(real) }
        default: break
        }
      }
      pending += folders.reversed()
    }
    guard !found.isEmpty else { throw Refusal(reason: "\(folder): there is no music in it") }
    return Array(found.prefix(Self.capacity))
  }

  private func isMusic(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return Self.extensions.contains(name[name.index(after: dot)...].lowercased())
  }
}

/// The absolute path with all links followed; nil (with `errno`) when there is nothing.
private func realPath(_ path: String) -> String? {
  guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The file type bits of what is at a path.
private func kind(of path: String) -> mode_t {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
}
