// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// One file being fetched.
///
/// Many simple servers cannot send a part of a file, but an MP4 file with its index at the end must
/// be read there first. For those servers a seek forwards reads on, and a seek backwards asks for
/// the file again: slow, but it plays. A server that does not say how long the file is sends
/// something that cannot be sought.
final class NetworkInput {
  private let address: NetworkAddress
  private var connection: NetworkConnection
  /// Reads through the callbacks below, where the server needs them; else nil.
  private var emulation: UnsafeMutablePointer<AVIOContext>?
  private let size: Int64

  static let bufferSize = 32_768

  /// Takes over the server's answer.
  ///
  /// - Parameters:
  ///   - connection: The answer, of which nothing has been read.
  ///   - address: Where to ask again.
  init(_ connection: NetworkConnection, address: NetworkAddress) {
    (self.connection, self.address) = (connection, address)
    size = connection.size
    guard !connection.isSeekable, size > 0 else { return }
    let buffer = av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    emulation = avio_alloc_context(
      buffer, CInt(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      readAddress, nil, seekAddress)
  }

  deinit {
    if let emulation {
      av_free(emulation.pointee.buffer)
      avio_context_free(&self.emulation)
    }
  }

  /// What libavformat reads from.
  var context: UnsafeMutablePointer<AVIOContext>? { emulation ?? connection.reader }

  fileprivate func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
    connection.read(buffer, count)
  }

  fileprivate func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
    if whence & tutti_seek_size != 0 { return size }
    let position = connection.position
    let target: Int64
    switch whence & ~tutti_seek_force {
    case SEEK_SET: target = offset
    case SEEK_CUR: target = position + offset
    case SEEK_END: target = size + offset
    default: return -1
    }
    guard (0...size).contains(target) else { return -1 }
    return target >= position ? advance(from: position, to: target) : restart(to: target)
  }

  private func restart(to target: Int64) -> Int64 {
    do throws(FFmpegError) { connection = try NetworkConnection(address) } catch { return -1 }
    return advance(from: 0, to: target)
  }

  /// Reads and drops the bytes up to `target`.
  private func advance(from position: Int64, to target: Int64) -> Int64 {
    var (position, dropped) = (position, [UInt8](repeating: 0, count: Self.bufferSize))
    while position < target {
      let count = CInt(min(target - position, Int64(dropped.count)))
      let got = connection.read(&dropped, count)
      guard got > 0 else { return Int64(got) }
      position += Int64(got)
    }
    return target
  }
}

// Free functions: libavformat calls them on the thread that reads, while the OpenContainer that owns
// the NetworkInput is alive.

private func readAddress(
  _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: CInt
) -> CInt {
  guard let opaque else { return FFmpegError.endOfFile.rawValue }
  return Unmanaged<NetworkInput>.fromOpaque(opaque).takeUnretainedValue().read(buffer, size)
}

private func seekAddress(
  _ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: CInt
) -> Int64 {
  guard let opaque else { return -1 }
  return Unmanaged<NetworkInput>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
}
