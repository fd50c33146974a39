// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Where a piece of music is.
public enum MediaLocation: Sendable, Hashable {
  /// A regular file; the path is absolute, a `PathText`.
  case file(path: String)
  /// An `http:` or `https:` address.
  case url(String)

  /// The path or the address, for messages to people.
  public var text: String {
    switch self {
    case .file(let path): PathText.display(path)
    case .url(let address): address
    }
  }
}

extension MediaLocation: CustomStringConvertible {
  /// The path or the address.
  public var description: String { text }
}

/// What the coordinator asks of `tutti-decoder`.
public enum DecoderRequest: Sendable, Hashable {
  /// Decode `location` from `startFrame` (a 48 kHz frame of the source, 0 = its first) to the end.
  case open(MediaLocation, startFrame: Int64)
  /// Give up what is being decoded; an end with `.stopped` follows.
  case stop
  /// Exit.
  case quit
  /// Say what the file at `path` (a `PathText`) says about itself: one tags reply, or a failure.
  ///
  /// Requests may follow each other without waiting; the replies come in their order.
  case describe(path: String)
  /// Make a JPEG of the picture in the music file at `path` (a `PathText`), or of the picture file
  /// there, whose longest edge has `edge` pixels or fewer: one image reply, or a failure.
  case artwork(path: String, edge: Int)

  /// Appends the request as one frame.
  ///
  /// Addresses beyond `DecoderFraming.maximumText` bytes and paths beyond `maximumPath` are cut.
  public func append(to bytes: inout [UInt8]) {
    switch self {
    case .open(let location, let startFrame):
      appendFrame(.open, to: &bytes) { writer in
        writer.write(startFrame)
        switch location {
        case .file(let path):
          writer.write(UInt8(0))
          writer.write(path, limit: DecoderFraming.maximumPath)
        case .url(let address):
          writer.write(UInt8(1))
          writer.write(address)
        }
      }
    case .stop: appendFrame(.stop, to: &bytes) { _ in }
    case .quit: appendFrame(.quit, to: &bytes) { _ in }
    case .describe(let path):
      appendFrame(.describe, to: &bytes) { $0.write(path, limit: DecoderFraming.maximumPath) }
    case .artwork(let path, let edge):
      appendFrame(.artwork, to: &bytes) { writer in
        writer.write(UInt16(clamping: edge))
        writer.write(path, limit: DecoderFraming.maximumPath)
      }
    }
  }
}

/// Puts requests together from the bytes of a pipe.
public struct DecoderRequestReader: Sendable {
  private var cutter = FrameCutter()

  /// A reader at the beginning of a pipe.
  public init() {}

  /// Adds what was read from the pipe, in any portions.
  public mutating func append(_ bytes: Span<UInt8>) { cutter.append(bytes) }

  /// The next request, or nil until more bytes come.
  ///
  /// - Returns: The request, in the order sent.
  /// - Throws: `DecoderProtocolError`; the pipe is of no use after that.
  public mutating func next() throws(DecoderProtocolError) -> DecoderRequest? {
    try cutter.next(decodeRequest)
  }
}

private func decodeRequest(
  _ kind: FrameKind, _ reader: inout ByteReader
) throws(DecoderProtocolError) -> DecoderRequest {
  switch kind {
  case .open:
    let startFrame = try reader.readInt64()
    guard startFrame >= 0 else { throw .invalidField }
    let scheme = try reader.readUInt8()
    switch scheme {
    case 0: return .open(.file(path: try readPath(&reader)), startFrame: startFrame)
    case 1: return .open(.url(try reader.readText()), startFrame: startFrame)
    default: throw .invalidField
    }
  case .stop: return .stop
  case .quit: return .quit
  case .describe: return .describe(path: try readPath(&reader))
  case .artwork:
    let edge = Int(try reader.readUInt16())
    guard (1...EncodedImage.maximumEdge).contains(edge) else { throw .invalidField }
    return .artwork(path: try readPath(&reader), edge: edge)
  case .info, .samples, .end, .failure, .tags, .image, .title, .connection:
    throw .unknownMessage(kind: kind.rawValue)
  }
}

private func readPath(_ reader: inout ByteReader) throws(DecoderProtocolError) -> String {
  try reader.readText(limit: DecoderFraming.maximumPath)
}
