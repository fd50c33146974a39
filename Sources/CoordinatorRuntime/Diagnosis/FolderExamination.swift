// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import DaemonProcess
internal import Glibc

// Touches file systems, one of which may be a server that is gone: never on the coordinator's loop.

extension FolderDocument {
  /// Looks at a folder.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - mode: What must be allowed there: `R_OK`, `W_OK`.
  ///   - mounts: What is mounted where.
  init(examining path: String, mode: Int32, mounts: MountTable) {
    self.init(path: path)
    if access(path, mode | X_OK) != 0 { problem = systemErrorText(errno) }
    if let mount = mounts.mount(of: path) {
      fileSystem = mount.type
      isNetwork = mount.isNetwork
    }
    var facts = statvfs()
    if statvfs(path, &facts) == 0 { freeBytes = UInt64(facts.f_bavail) * UInt64(facts.f_frsize) }
  }
}

/// What is mounted where: the text of /proc/self/mounts (fstab(5)).
struct MountTable: Equatable {
  /// One mounted file system.
  struct Mount: Equatable {
    var folder: String
    var type: String

    /// Whether its files are on another machine.
    var isNetwork: Bool { MountTable.networkTypes.contains(type) }
  }

  private static let networkTypes: Set<String> = [
    "9p", "afs", "ceph", "cifs", "fuse.glusterfs", "fuse.rclone", "fuse.sshfs", "glusterfs", "nfs",
    "nfs4", "smb3", "smbfs",
  ]

  /// In the order in which they were mounted.
  let mounts: [Mount]

  /// Reads the text; lines that make no sense are passed over.
  init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count >= 3 else { return nil }
      return Mount(folder: Self.unescaped(fields[1]), type: String(fields[2]))
    }
  }

  /// What a path lies on: the deepest, and of equals the last, which covers the others.
  func mount(of path: String) -> Mount? {
    var best: Mount?
    for mount in mounts
    where mount.folder == "/" || path == mount.folder || path.hasPrefix(mount.folder + "/") {
      if mount.folder.utf8.count >= best?.folder.utf8.count ?? 0 { best = mount }
    }
    return best
  }

  /// Blanks and backslashes are written as three octal digits.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
