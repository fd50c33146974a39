// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import Glibc

// Uploads are files that the coordinator could not open itself. They live as long as the queue needs
// them, plus a while for a client that has sent a file and not yet said "play". A file is called by its
// identity and the name that its sender gave: the decoder may look at the ending, people at the rest.
//
//   spool/9f86d081884c7d65.Track one.flac

/// Keeps uploaded files, up to a bound.
struct UploadSpool: Sendable {
  /// An upload that is kept.
  struct Upload: Sendable, Equatable {
    var id: String
    var name: String
    var bytes: UInt64
    /// Seconds since 1970 when it came.
    var modified: Int
    var path: String
  }

  /// What is wrong with an upload, in words.
  enum Refusal: Error, Equatable {
    /// There is no place for it.
    case full(needed: UInt64, capacity: UInt64)
    /// The disk refuses.
    case disk(String)
  }

  /// How long an upload that no queue item uses is kept for its sender to use.
  static let grace = 600
  /// The longest name that is kept, in octets; file systems take 255 with the identity.
  static let nameLimit = 160

  let directory: String
  let capacity: UInt64

  /// Where a file lies while it arrives: on the same file system, so that taking it is a rename.
  var incoming: String { directory + "/incoming" }

  /// Opens the spool and makes its directories; what was arriving when the program died is removed.
  ///
  /// - Throws: `ProcessError` when the directories cannot be made.
  init(directory: String, capacity: UInt64) throws(ProcessError) {
    self.directory = directory
    self.capacity = capacity
    for path in [directory, incoming] {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw ProcessError("cannot make \(path)", code: errno)
      }
    }
    for name in names(in: incoming) { unlink(incoming + "/" + name) }
  }

  /// Takes over a file that has arrived.
  ///
  /// - Parameters:
  ///   - path: Where it lies now, on the same file system.
  ///   - name: What its sender calls it.
  ///   - inUse: The uploads that the queue needs.
  ///   - now: Seconds since 1970.
  /// - Returns: The upload, under the identity that names it from now on.
  /// - Throws: `Refusal`; the file is where it was then.
  func take(
    _ path: String, named name: String, inUse: Set<String>, now: Int
  ) throws(Refusal) -> Upload {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .disk(systemErrorText(errno)) }
    let bytes = UInt64(max(0, status.st_size))
    try makeRoom(for: bytes, inUse: inUse)
    let id = Environment.randomBytes(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let clean = Self.cleaned(name)
    let place = "\(directory)/\(id).\(clean)"
    guard rename(path, place) == 0 else { throw .disk(systemErrorText(errno)) }
    return Upload(id: id, name: clean, bytes: bytes, modified: now, path: place)
  }

  /// Finds an upload.
  func upload(_ id: String) -> Upload? {
    // An identity from outside must not become part of a path unless it is one.
    guard id.utf8.count == 16 else { return nil }
    return uploads().first { $0.id == id }
  }

  /// Removes what nobody needs and nobody is about to.
  ///
  /// - Parameters:
  ///   - inUse: The uploads that the queue needs.
  ///   - now: Seconds since 1970.
  /// - Returns: How many were removed.
  @discardableResult
  func sweep(inUse: Set<String>, now: Int) -> Int {
    let idle = uploads().filter { !inUse.contains($0.id) && now - $0.modified > Self.grace }
    for upload in idle { unlink(upload.path) }
    return idle.count
  }

  /// What all uploads take, in octets.
  var usedBytes: UInt64 { uploads().reduce(0) { $0 + $1.bytes } }

  private func makeRoom(for bytes: UInt64, inUse: Set<String>) throws(Refusal) {
    let present = uploads()
    var used = present.reduce(0) { $0 + $1.bytes }
    let idle = present.filter { !inUse.contains($0.id) }.sorted { $0.modified < $1.modified }
    for upload in idle where used + bytes > capacity {
      unlink(upload.path)
      used -= upload.bytes
    }
    guard used + bytes <= capacity else { throw .full(needed: bytes, capacity: capacity) }
  }

  private func uploads() -> [Upload] {
    names(in: directory).compactMap { file in
      guard let dot = file.firstIndex(of: "."), file[..<dot].utf8.count == 16 else { return nil }
      var status = stat()
      let path = directory + "/" + file
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Upload(
        id: String(file[..<dot]), name: String(file[file.index(after: dot)...]),
        bytes: UInt64(max(0, status.st_size)), modified: status.st_mtim.tv_sec, path: path)
    }
  }

  /// The last part of a name, without what a path or a terminal could take for more than a name.
  static func cleaned(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    var clean = ""
    for scalar in last.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7f {
      clean.unicodeScalars.append(scalar)
    }
    // The ending says what it is: shorten in front of it.
    while clean.utf8.count > nameLimit { clean.removeFirst() }
    return clean.isEmpty ? "upload" : clean
  }
}

private func names(in directory: String) -> [String] {
  guard let stream = opendir(directory) else { return [] }
  defer { closedir(stream) }
  var found: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { found.append(name) }
  }
  return found.sorted()
}
