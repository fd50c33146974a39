// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import Catalogue
import DecoderProtocol

/// One answer of a server, being read. libavformat follows redirects (8 at most, to http and https
/// only, from either to the other) and takes Shoutcast's metadata out of the sound.
final class NetworkConnection {
  private var context: UnsafeMutablePointer<AVIOContext>?

  /// A server that is silent for so long is gone, in seconds. Icecast drops a source after 10 s of
  /// silence (its `source-timeout`), so nothing comes later that would still be wanted.
  static let silenceSeconds = 10

  /// Connects, and waits for the server's answer.
  ///
  /// - Throws: What libavformat says when it is refused.
  init(_ address: NetworkAddress) throws(FFmpegError) {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "protocol_whitelist", AllowLists.networkProtocols, 0)
    av_dict_set(&options, "user_agent", "Tutti", 0)
    // Of a file with a known length; the others are not gone on with where they broke off.
    av_dict_set(&options, "reconnect", "1", 0)
    // Seconds.
    av_dict_set(&options, "reconnect_delay_max", "4", 0)
    // Microseconds.
    av_dict_set(&options, "rw_timeout", "\(Self.silenceSeconds)000000", 0)
    let result = avio_open2(&context, address.text, AVIO_FLAG_READ, nil, &options)
    guard result >= 0 else { throw FFmpegError(rawValue: result) }
  }

  deinit { avio_closep(&context) }

  /// The length in bytes that the server announces; not positive when it does not.
  var size: Int64 { avio_size(context) }

  /// Whether the server sends from any place of the file.
  var isSeekable: Bool { (context?.pointee.seekable ?? 0) & AVIO_SEEKABLE_NORMAL != 0 }

  /// The place of the next byte.
  var position: Int64 { avio_skip(context, 0) }

  /// For libavformat itself to read from, while this object lives.
  var reader: UnsafeMutablePointer<AVIOContext>? { context }

  /// Reads what there is; waits when there is nothing.
  ///
  /// - Returns: The number of bytes, or an error, of which the end is one.
  func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
    let result = avio_read_partial(context, buffer, count)
    return result == 0 ? FFmpegError.endOfFile.rawValue : result
  }

  /// The "Content-Type", in lower case and without its parameters.
  var contentType: String {
    let value = String(decoding: option("mime_type"), as: UTF8.self)
    return value.prefix { $0 != ";" && $0 != " " }.lowercased()
  }

  /// Whether what comes is to be read, not heard: a page that says sorry, or a list of addresses.
  var sendsText: Bool { contentType.hasPrefix("text/") }

  /// The address that redirects have led to; empty when there were none.
  var location: String { String(decoding: option("location"), as: UTF8.self) }

  /// The `icy-` headers. Every radio server sends some, and no other does: an answer with them is a
  /// live stream, whatever length it pretends to have.
  var stationHeaders: [UInt8] { option("icy_metadata_headers") }

  /// The latest block of Shoutcast's metadata. It belongs to what the read before began with.
  var metadata: [UInt8] { option("icy_metadata_packet") }

  private func option(_ name: String) -> [UInt8] {
    var value: UnsafeMutablePointer<UInt8>?
    guard let context,
      av_opt_get(UnsafeMutableRawPointer(context), name, tutti_search_children, &value) >= 0,
      let value
    else { return [] }
    defer { av_free(value) }
    let text = UnsafeBufferPointer(start: value, count: strnlen(value, 65_536))
    return Array(text)
  }
}

private func strnlen(_ text: UnsafePointer<UInt8>, _ limit: Int) -> Int {
  var length = 0
  while length < limit, text[length] != 0 { length += 1 }
  return length
}
