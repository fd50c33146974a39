// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What tells, without reading a file, whether it is still the one that was read.
///
/// The four are what `stat` says. A renamed file keeps all of them; a copy that keeps its times
/// (`cp -p`, `rsync -t`) keeps size and time.
public struct FileStamp: Sendable, Hashable {
  /// Length in bytes.
  public var size: Int64
  /// When the contents changed last, in nanoseconds since 1970.
  public var modified: Int64
  /// The file system's number. A kernel gives numbers anew at each mount: the same disk may come
  /// back under another one.
  public var device: UInt64
  /// The file's number within its file system.
  public var inode: UInt64

  /// A stamp with these values.
  public init(size: Int64, modified: Int64, device: UInt64, inode: UInt64) {
    (self.size, self.modified, self.device, self.inode) = (size, modified, device, inode)
  }

  /// Whether both are the same file, unchanged, on a disk that may have got another number.
  public func agreesExceptDevice(with other: FileStamp) -> Bool {
    size == other.size && modified == other.modified && inode == other.inode
  }
}
