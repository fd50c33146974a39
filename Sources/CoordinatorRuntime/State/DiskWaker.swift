// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import DecoderProtocol
internal import Glibc

// A disk that has fallen asleep takes ten seconds and more to spin up, and longer than D is nobody's
// patience. So the beginning of the next track is read well before it is needed: that wakes the disk, and what
// was read lies in the page cache when the decoder asks.

/// Reads the ends of files on a thread of its own, which a dead network disk may block.
struct DiskWaker: Sendable {
  /// What a decoder reads first: a megabyte holds tags with a picture and some seconds of music.
  static let headBytes = 1 << 20
  /// Where MP4 and old tags keep what they say.
  static let tailBytes = 64 << 10

  private let thread: ChoreThread

  /// Starts the thread.
  ///
  /// - Throws: When the host is out of descriptors or threads.
  init(log: Log) throws { thread = try ChoreThread("wake-disk", log: log) }

  /// Reads the ends of a file soon.
  func wake(_ path: String) {
    thread.run { _ = Self.read(path) }
  }

  /// Lets the thread end, without waiting for a disk.
  func stop() { thread.stop() }

  /// Reads the ends of a file.
  ///
  /// - Parameter path: The file, as a text of its bytes.
  /// - Returns: The octets that were read; 0 when it cannot be read, which the decoder will say better.
  static func read(_ path: String) -> Int {
    let name = PathText.bytes(of: path).map { CChar(bitPattern: $0) } + [0]
    let file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return 0 }
    let size = Int(facts.st_size)
    let head = min(size, headBytes)
    let tail = min(size - head, tailBytes)
    return read(file, head, at: 0) + read(file, tail, at: size - tail)
  }

  private static func read(_ file: Int32, _ count: Int, at offset: Int) -> Int {
    var chunk = [UInt8](repeating: 0, count: min(count, 1 << 16))
    var done = 0
    while done < count {
      let portion = min(count - done, chunk.count)
      let got = pread(file, &chunk, portion, off_t(offset + done))
      guard got > 0 else { return done }
      done += got
    }
    return done
  }
}
