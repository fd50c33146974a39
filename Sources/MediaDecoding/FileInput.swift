// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol
import Glibc

/// One open file, and the callbacks by which libavformat reads it.
///
/// FFmpeg gets no path: it cannot open anything else, nor take "http:x.mp3" for an address, and
/// what was checked is what is read.
final class FileInput {
  /// The open file, for those who read it by themselves at places of their own.
  let descriptor: CInt
  /// Bytes of the file when it was opened.
  private(set) var size = 0
  /// Bytes after which the file ends for libavformat; nil for no such end. It looks for a frame of MP3
  /// to the very end of whatever it was given.
  var allowance: Int?
  /// Whether reading went wrong, other than by coming to the end.
  private(set) var hasFailed = false
  /// Owned here; its buffer may have been replaced by libavformat.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// Bytes per read: large enough for one cover picture block, small enough to start at once.
  private static let bufferSize = 32_768

  /// Opens a regular, non-empty file; `path` is a `PathText`.
  ///
  /// - Throws: `DecoderFailure` that says why not.
  init(path: String) throws(DecoderFailure) {
    // Not blocking, so that opening a FIFO nobody writes to does not hang.
    let name = PathText.bytes(of: path).map { CChar(bitPattern: $0) } + [0]
    descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    do { try checkContents() } catch {
      close(descriptor)
      throw error
    }
    let buffer = av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    context = avio_alloc_context(
      buffer, CInt(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      readFile, nil, seekFile)
  }

  deinit {
    if let context {
      av_free(context.pointee.buffer)
      avio_context_free(&self.context)
    }
    close(descriptor)
  }

  private func checkContents() throws(DecoderFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw DecoderFailure(.notAFile, "it is a directory")
    case S_IFIFO: throw DecoderFailure(.notAFile, "it is a pipe, not a file")
    default: throw DecoderFailure(.notAFile, "it is a device, not a file")
    }
    guard status.st_size > 0 else { throw DecoderFailure(.empty, "it is empty") }
    size = status.st_size
  }

  private static func failure(_ code: CInt) -> DecoderFailure {
    switch code {
    case ENOENT, ENOTDIR: DecoderFailure(.missing, "there is no such file")
    case EACCES, EPERM: DecoderFailure(.notPermitted, "this user may not read it")
    case ENXIO, ENODEV: DecoderFailure(.notAFile, "it is a device, not a file")
    default:
      DecoderFailure(.readError, "it cannot be opened (\(FFmpegError(rawValue: -code).text))")
    }
  }

  /// Reads bytes without moving where libavformat reads; fewer at the end of the file.
  func peek(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(pread(descriptor, buffer.baseAddress, count, offset), 0)
    }
  }

  fileprivate func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ size: CInt) -> CInt {
    if let allowance, allowance <= 0 { return FFmpegError.endOfFile.rawValue }
    while true {
      let count = Glibc.read(descriptor, buffer, Int(size))
      if count > 0 {
        allowance? -= count
        return CInt(count)
      }
      if count == 0 { return FFmpegError.endOfFile.rawValue }
      if errno != EINTR {
        hasFailed = true
        return -errno
      }
    }
  }

  fileprivate func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
    if whence & tutti_seek_size != 0 {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : Int64(-errno)
    }
    let position = lseek(descriptor, Int(offset), whence & ~tutti_seek_force)
    return position >= 0 ? Int64(position) : Int64(-errno)
  }
}

// Free functions: libavformat calls them on the thread that reads, while the MediaSource that owns
// the FileInput is alive.

private func readFile(
  _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: CInt
) -> CInt {
  guard let opaque else { return FFmpegError.endOfFile.rawValue }
  return Unmanaged<FileInput>.fromOpaque(opaque).takeUnretainedValue().read(buffer, size)
}

private func seekFile(
  _ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: CInt
) -> Int64 {
  guard let opaque else { return -1 }
  return Unmanaged<FileInput>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
}
