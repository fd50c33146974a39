// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// How requests and replies are framed on the pipes between the coordinator and `tutti-decoder`.
//
//   byte 0      kind (which message the payload holds; requests below 16, replies from 16)
//   bytes 1-3   zero
//   bytes 4-7   length of the payload in bytes, little-endian, at most 1,048,576
//   then        the payload
//
// Little-endian because both ends are one machine and the samples are copied as they are. Integers
// in payloads are little-endian too; a text is a 16-bit length and that many bytes of UTF-8.

/// The numbers of the framing.
public enum DecoderFraming {
  /// Bytes before the payload.
  public static var headerLength: Int { 8 }
  /// The longest payload in bytes. Bounds what either side allocates for the other: the longest
  /// tags have 627 KiB (`TrackTags`), the largest picture a megabyte, a block of samples 32 KiB.
  public static var maximumPayload: Int { 1 << 20 }
  /// Stereo frames in the longest block of samples: 32 KiB, half of what a Linux pipe holds.
  public static var maximumBlockFrames: Int { 4_096 }
  /// The longest text in bytes; longer tags are cut at a character.
  public static var maximumText: Int { 4_096 }
  /// The longest path in bytes of `PathText`: PATH_MAX of Linux, each byte escaped.
  public static var maximumPath: Int { 4 * 4_096 }
}

/// Which message a frame carries. The raw value is byte 0 of the frame.
enum FrameKind: UInt8 {
  case open = 1
  case stop = 2
  case quit = 3
  case describe = 4
  case artwork = 5

  case info = 16
  case samples = 17
  case end = 18
  case failure = 19
  case tags = 20
  case image = 21
  case title = 22
  case connection = 23
}

/// Why bytes from the other side are not a message.
public enum DecoderProtocolError: Error, Hashable, Sendable {
  /// The first byte names no message this version knows, or the reserved bytes are not zero.
  case unknownMessage(kind: UInt8)
  /// The frame announces more than `DecoderFraming.maximumPayload` bytes.
  case tooLong(Int)
  /// The payload ends before its last field, or goes on behind it.
  case wrongLength
  /// A field holds a value that its type does not have.
  case invalidField
}

/// Appends one frame around what `body` writes.
func appendFrame(
  _ kind: FrameKind, to bytes: inout [UInt8], body: (inout ByteWriter) -> Void
) {
  var writer = ByteWriter()
  body(&writer)
  precondition(writer.bytes.count <= DecoderFraming.maximumPayload, "a frame of our own too long")
  bytes.append(kind.rawValue)
  bytes.append(contentsOf: [0, 0, 0])
  var header = ByteWriter()
  header.write(UInt32(writer.bytes.count))
  bytes.append(contentsOf: header.bytes)
  bytes.append(contentsOf: writer.bytes)
}

/// Collects bytes as they come and cuts them into frames.
struct FrameCutter: Sendable {
  private var buffer: [UInt8] = []
  /// Bytes of `buffer` that are used up; dropped when they outweigh the rest.
  private var consumed = 0

  /// Adds what was read from the pipe, in any portions.
  mutating func append(_ bytes: Span<UInt8>) {
    if consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      consumed = 0
    }
    buffer.reserveCapacity(buffer.count + bytes.count)
    for index in bytes.indices { buffer.append(bytes[index]) }
  }

  /// Whether some bytes of an unfinished frame are waiting.
  var isInsideFrame: Bool { consumed < buffer.count }

  /// Decodes the next whole frame, if it is there.
  ///
  /// After an error the stream has lost its footing: drop the connection.
  mutating func next<Message>(
    _ decode: (FrameKind, inout ByteReader) throws(DecoderProtocolError) -> Message
  ) throws(DecoderProtocolError) -> Message? {
    let available = buffer.count - consumed
    guard available >= DecoderFraming.headerLength else { return nil }
    let (kind, length) = try header()
    guard available >= DecoderFraming.headerLength + length else { return nil }
    let start = consumed + DecoderFraming.headerLength
    var reader = ByteReader(buffer, start..<start + length)
    let message = try decode(kind, &reader)
    guard reader.isAtEnd else { throw .wrongLength }
    consumed = start + length
    return message
  }

  private func header() throws(DecoderProtocolError) -> (FrameKind, Int) {
    var reader = ByteReader(buffer, consumed..<consumed + DecoderFraming.headerLength)
    let first = try reader.readUInt32()
    guard first < 256, let kind = FrameKind(rawValue: UInt8(first)) else {
      throw .unknownMessage(kind: UInt8(truncatingIfNeeded: first))
    }
    let length = Int(try reader.readUInt32())
    guard length <= DecoderFraming.maximumPayload else { throw .tooLong(length) }
    return (kind, length)
  }
}
