// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// A request's body on its way to a file. Removes the file at its end unless it was moved away.
final class UploadFile {
  let path: String
  private(set) var bytes: UInt64 = 0
  private var descriptor: Int32

  /// Makes a new file, readable by this user only.
  ///
  /// - Parameters:
  ///   - directory: Where; made when missing.
  ///   - name: The file's name, which must be new.
  init?(directory: String, name: String) {
    mkdir(directory, 0o700)
    path = directory + "/" + name
    descriptor = openNew(path)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    unlink(path)
  }

  /// Adds to the file.
  ///
  /// - Parameter buffer: What came.
  /// - Returns: False when the disk is full or broken.
  func append(_ buffer: UnsafeRawBufferPointer) -> Bool {
    var rest = buffer
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return false
      }
      bytes += UInt64(count)
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Closes the file so that the handler can read it.
  func finish() {
    close(descriptor)
    descriptor = -1
  }
}

private func openNew(_ path: String) -> Int32 {
  open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
}
