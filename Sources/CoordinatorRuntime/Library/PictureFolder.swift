// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import Glibc
internal import Synchronization

/// Files that can be made again, in a folder of bounded size: the oldest go when it is full.
///
/// Safe to use from any thread.
final class PictureFolder: Sendable {
  private let path: String
  private let capacity: Int
  private let used: Mutex<Int>
  /// The longest file that is read: no picture of ours is longer.
  private static let longest = 1 << 20

  /// Opens the folder, and makes it.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - capacity: What the files in it may take, in bytes.
  /// - Throws: `ProcessError` when it cannot be made.
  init(_ path: String, capacity: Int) throws(ProcessError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw ProcessError("cannot make \(path)", code: errno)
    }
    self.path = path
    self.capacity = capacity
    used = Mutex(Self.files(in: path).reduce(0) { $0 + $1.bytes })
  }

  /// How much is used, in bytes.
  var usedBytes: Int { used.withLock { $0 } }

  /// A file's contents; nil when there is no such one.
  func read(_ name: String) -> [UInt8]? {
    let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      guard part >= 0 else { return nil }
      guard part > 0 else { break }
      count += part
    }
    return Array(bytes.prefix(count))
  }

  /// Keeps a file, whole or not at all; a disk that is full keeps none.
  func write(_ bytes: [UInt8], as name: String) {
    let temporary = path + "/." + name
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let isWhole =
      bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
    close(file)
    guard isWhole, rename(temporary, path + "/" + name) == 0 else {
      unlink(temporary)
      return
    }
    used.withLock { used in
      used += Self.cost(bytes.count)
      if used > capacity { used = makeRoom() }
    }
  }

  /// Removes the oldest files until a tenth is free; returns what the others take.
  private func makeRoom() -> Int {
    let files = Self.files(in: path).sorted { $0.modified < $1.modified }
    var total = files.reduce(0) { $0 + $1.bytes }
    for file in files where total > capacity - capacity / 10 {
      unlink(path + "/" + file.name)
      total -= file.bytes
    }
    return total
  }

  /// What a file takes on most disks: whole blocks, one at least.
  private static func cost(_ bytes: Int) -> Int { max(1, (bytes + 4_095) / 4_096) * 4_096 }

  private static func files(
    in path: String
  ) -> [(name: String, bytes: Int, modified: Int)] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var files: [(name: String, bytes: Int, modified: Int)] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      files.append((name, cost(Int(status.st_size)), status.st_mtim.tv_sec))
    }
    return files
  }
}
