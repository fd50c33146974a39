// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import DaemonProcess
internal import Glibc

// Queues that were saved are playlists of the usual form (M3U in UTF-8), one file each, so that they can be
// copied, mended and taken elsewhere with any tool. What is written is there whole or not at all.

/// The folder of saved queues.
struct PlaylistFolder: Sendable {
  /// The longest name, in octets: with the ending it fits any file system.
  static let longestName = 200
  /// The longest file that is read: 100,000 tracks with paths of 300 octets.
  static let longestFile = 64 << 20
  private static let ending = ".m3u8"

  let path: String

  /// Opens the folder, and makes it.
  ///
  /// - Throws: `ProcessError` when it cannot be made.
  init(path: String) throws(ProcessError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw ProcessError("cannot make \(path)", code: errno)
    }
    self.path = path
  }

  /// Every playlist, by name.
  func list() -> PlaylistListDocument {
    let names = names(in: path).filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
    let documents = names.compactMap { file -> PlaylistDocument? in
      let name = String(file.dropLast(Self.ending.count))
      var status = stat()
      guard stat(path + "/" + file, &status) == 0, let bytes = try? read(name) else { return nil }
      return PlaylistDocument(
        name: name, count: PlaylistText.count(bytes),
        savedUnixSeconds: Double(status.st_mtim.tv_sec))
    }
    return PlaylistListDocument(playlists: documents)
  }

  /// A playlist's bytes.
  func read(_ name: String) throws(ProblemDocument) -> [UInt8] {
    let file = open(try place(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw errno == ENOENT ? unknown(name) : failed(name, errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < Self.longestFile {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw failed(name, errno) }
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    return bytes
  }

  /// Writes a playlist: whole, or not at all.
  func write(_ bytes: [UInt8], as name: String, replacing: Bool) throws(ProblemDocument) {
    let place = try place(of: name)
    if !replacing, access(place, F_OK) == 0 { throw exists(name) }
    let digits = Environment.randomBytes(4).map { String($0, radix: 16) }.joined()
    let draft = path + "/.draft-" + digits
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failed(name, errno) }
    var isWritten = writeAll(bytes, to: file) && fsync(file) == 0
    let code = errno
    close(file)
    guard isWritten else {
      unlink(draft)
      throw failed(name, code)
    }
    // Another client may have taken the name meanwhile: link fails then, rename would not.
    isWritten = replacing ? rename(draft, place) == 0 : link(draft, place) == 0
    let reason = errno
    unlink(draft)
    if !isWritten { throw reason == EEXIST ? exists(name) : failed(name, reason) }
  }

  /// Removes a playlist.
  func delete(_ name: String) throws(ProblemDocument) {
    guard unlink(try place(of: name)) == 0 else {
      throw errno == ENOENT ? unknown(name) : failed(name, errno)
    }
  }

  /// The file of a name that may be one: it must not lead anywhere else, hide, or confuse a terminal.
  private func place(of name: String) throws(ProblemDocument) -> String {
    let isOdd = name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f || $0 == "/" }
    guard !name.isEmpty, name.utf8.count <= Self.longestName, !isOdd, !name.hasPrefix("."),
      name.first?.isWhitespace == false, name.last?.isWhitespace == false
    else {
      throw ProblemDocument(
        status: 422, kind: "odd-name", title: "This cannot be a playlist's name",
        detail: "a playlist's name has 1 to \(Self.longestName) octets, no slash, no control "
          + "character, no dot in front, and no space at its ends")
    }
    return path + "/" + name + Self.ending
  }

  private func unknown(_ name: String) -> ProblemDocument {
    let known = list().playlists.map(\.name)
    let names = known.isEmpty ? "none was saved yet" : "there are: \(known.joined(separator: ", "))"
    return ProblemDocument(
      status: 404, kind: "unknown-playlist", title: "There is no such playlist",
      detail: "there is no playlist \(name); \(names)")
  }

  private func exists(_ name: String) -> ProblemDocument {
    ProblemDocument(
      status: 409, kind: "playlist-exists", title: "There is a playlist of this name",
      detail: "there is a playlist \(name) already: choose another name, or say that it be replaced"
    )
  }

  private func failed(_ name: String, _ code: Int32) -> ProblemDocument {
    ProblemDocument(
      status: 500, kind: "disk", title: "The playlist cannot be kept or read",
      detail: "the playlist \(name): \(systemErrorText(code))")
  }
}

private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

private func names(in directory: String) -> [String] {
  guard let stream = opendir(directory) else { return [] }
  defer { closedir(stream) }
  var found: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if let name { found.append(name) }
  }
  return found.sorted()
}
