// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// One address being fetched.
///
/// Many simple servers cannot send a part of a file, but an MP4 file with its index at the end must
/// be read there first. For those servers a seek forwards reads on, and a seek backwards asks for
/// the file again: slow, but it plays. A server that does not say how long the file is sends a
/// live stream, which cannot be sought.
final class NetworkInput {
  private let address: NetworkAddress
  private var connection: UnsafeMutablePointer<AVIOContext>?
  /// Reads through the callbacks below, where the server needs them; else nil.
  private var emulation: UnsafeMutablePointer<AVIOContext>?
  private let size: Int64

  private static let bufferSize = 32_768

  /// Connects, and waits for the server's answer.
  ///
  /// - Throws: `DecoderFailure` that says why not.
  init(_ address: NetworkAddress) throws(DecoderFailure) {
    self.address = address
    connection = try Self.connect(address)
    size = avio_size(connection)
    let isSeekable = (connection?.pointee.seekable ?? 0) & AVIO_SEEKABLE_NORMAL != 0
    guard !isSeekable, size > 0 else { return }
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
    avio_closep(&connection)
  }

  /// What libavformat reads from.
  var context: UnsafeMutablePointer<AVIOContext>? { emulation ?? connection }

  private static func connect(
    _ address: NetworkAddress
  ) throws(DecoderFailure) -> UnsafeMutablePointer<AVIOContext>? {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "protocol_whitelist", AllowLists.networkProtocols, 0)
    av_dict_set(&options, "user_agent", "Tutti", 0)
    av_dict_set(&options, "reconnect", "1", 0)
    // Seconds.
    av_dict_set(&options, "reconnect_delay_max", "4", 0)
    // Microseconds. A server silent for so long is gone.
    av_dict_set(&options, "rw_timeout", "15000000", 0)
    var connection: UnsafeMutablePointer<AVIOContext>?
    let result = avio_open2(&connection, address.text, AVIO_FLAG_READ, nil, &options)
    guard result >= 0 else { throw FFmpegError(rawValue: result).whenConnecting }
    return connection
  }

  fileprivate func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
    let result = avio_read_partial(connection, buffer, count)
    return result == 0 ? FFmpegError.endOfFile.rawValue : result
  }

  fileprivate func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
    if whence & tutti_seek_size != 0 { return size }
    let position = avio_skip(connection, 0)
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
    avio_closep(&connection)
    do throws(DecoderFailure) { connection = try Self.connect(address) } catch { return -1 }
    return advance(from: 0, to: target)
  }

  /// Reads and drops the bytes up to `target`.
  private func advance(from position: Int64, to target: Int64) -> Int64 {
    var (position, dropped) = (position, [UInt8](repeating: 0, count: Self.bufferSize))
    while position < target {
      let count = CInt(min(target - position, Int64(dropped.count)))
      let got = avio_read_partial(connection, &dropped, count)
      guard got > 0 else { return Int64(got) }
      position += Int64(got)
    }
    return target
  }
}

// Free functions: libavformat calls them on the thread that reads, while the MediaSource that owns
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
