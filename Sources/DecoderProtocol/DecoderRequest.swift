// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Where a piece of music is.
public enum MediaLocation: Sendable, Hashable {
  /// A regular file; the path is absolute.
  case file(path: String)
  /// An `http:` or `https:` address.
  case url(String)

  /// The path or the address, for messages to people.
  public var text: String {
    switch self {
    case .file(let path): path
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

  /// Appends the request as one frame.
  ///
  /// Paths and addresses beyond `DecoderFraming.maximumText` bytes (PATH_MAX of Linux) are cut.
  public func append(to bytes: inout [UInt8]) {
    switch self {
    case .open(let location, let startFrame):
      appendFrame(.open, to: &bytes) { writer in
        writer.write(startFrame)
        switch location {
        case .file(let path):
          writer.write(UInt8(0))
          writer.write(path)
        case .url(let address):
          writer.write(UInt8(1))
          writer.write(address)
        }
      }
    case .stop: appendFrame(.stop, to: &bytes) { _ in }
    case .quit: appendFrame(.quit, to: &bytes) { _ in }
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
    let text = try reader.readText()
    switch scheme {
    case 0: return .open(.file(path: text), startFrame: startFrame)
    case 1: return .open(.url(text), startFrame: startFrame)
    default: throw .invalidField
    }
  case .stop: return .stop
  case .quit: return .quit
  case .info, .samples, .end, .failure: throw .unknownMessage(kind: kind.rawValue)
  }
}
