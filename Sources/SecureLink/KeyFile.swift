// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// Reads and writes the file of a private key: only its owner may read it, and it is never half
/// there.
enum KeyFile {
  private static let ownerOnly: mode_t = 0o600
  private static let forOthers: mode_t = 0o077

  /// The content, or nil when there is no such file.
  static func read(_ path: String) throws(IdentityError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      let code = errno
      if code == ENOENT { return nil }
      throw .system("open", path, code: code)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system("inspect", path, code: errno) }
    guard status.st_mode & forOthers == 0 else { throw .exposed(path) }
    var bytes = [UInt8](repeating: 0, count: PrivateKey.maximumBytes)
    // Regular files of this size come in one read.
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count >= 0 else { throw .system("read", path, code: errno) }
    return Array(bytes.prefix(count))
  }

  /// Writes a new file: all of it is on the disk before it has its name.
  static func create(_ path: String, _ bytes: [UInt8]) throws(IdentityError) {
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, ownerOnly)
    guard file >= 0 else { throw .system("create", path, code: errno) }
    defer { close(file) }
    // A left-over of a crash keeps its old mode without this.
    guard fchmod(file, ownerOnly) == 0, write(file, bytes, bytes.count) == bytes.count,
      fsync(file) == 0, rename(temporary, path) == 0
    else { throw .system("write", path, code: errno) }
    synchronise(directoryOf: path)
  }

  /// The new name must survive a power cut too; where the file system cannot promise that, so be it.
  private static func synchronise(directoryOf path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let directory = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
