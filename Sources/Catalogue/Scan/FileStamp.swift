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

  /// The bits of `modified` that `marked` writes over: about a millisecond. Linux itself stamps
  /// files no finer than its timer ticks, 1 to 10 ms.
  private static var markBits: Int64 { 0xF_FFFF }

  /// The stamp of a file together with what belongs to it and lies beside it: lyrics, the folder's
  /// picture. When one of those comes, goes or changes, the mark does too.
  ///
  /// - Parameter companions: Their stamps, in a steady order; nil for what is not there.
  /// - Returns: This stamp with the mark in place of the last millisecond; as it is without companions.
  public func marked(with companions: [FileStamp?]) -> FileStamp {
    guard companions.contains(where: { $0 != nil }) else { return self }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for companion in companions {
      for part in [companion?.size ?? -1, companion?.modified ?? -1, modified] {
        hash = (hash ^ UInt64(bitPattern: part)) &* 0x100_0000_01b3
        hash ^= hash >> 29
      }
    }
    var marked = self
    marked.modified = modified & ~Self.markBits | Int64(truncatingIfNeeded: hash) & Self.markBits
    return marked
  }

  /// `modified` without the mark, for comparing a file that has left its companions.
  var coarselyModified: Int64 { modified & ~Self.markBits }
}
