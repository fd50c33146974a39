// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// Removes a file when it is there.
func removeFile(_ path: String) {
  _ = unlink(path)
}

/// Gives a database and the files beside it another name.
///
/// - Parameters:
///   - path: Where it is; nobody has it open.
///   - other: What it is to be called; what had that name before is gone.
public func moveDatabase(_ path: String, to other: String) {
  for suffix in ["", "-wal", "-shm"] { _ = rename(path + suffix, other + suffix) }
}
