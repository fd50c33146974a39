// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What `tutti-decoder` answers. To an open request: one info, then samples (of a live stream with
/// titles and news of the connection between them), then one end; to a
/// describe request one tags; to an artwork request one image. Or one failure at any point, which
/// ends the request too.
public enum DecoderReply: Sendable, Hashable {
  /// What the source is. First of all replies.
  case info(MediaInfo)
  /// The next samples: interleaved stereo at 48 kHz, full scale +-1,
  /// 1 to `DecoderFraming.maximumBlockFrames` frames.
  case samples([Float])
  /// All was decoded, or decoding was stopped.
  case end(DecoderEnd)
  /// It cannot be decoded, or no further.
  case failure(DecoderFailure)
  /// What a file says about itself.
  case tags(TrackTags)
  /// The picture of a file.
  case image(EncodedImage)
  /// What the live stream plays from the next samples on.
  case title(StreamTitle)
  /// The server of the live stream has gone, or is back. Said when it happens: what was received
  /// before may still be on its way.
  case connection(StreamConnection)

  /// Appends the reply as one frame.
  public func append(to bytes: inout [UInt8]) {
    switch self {
    case .info(let info):
      appendFrame(.info, to: &bytes) { info.write(to: &$0) }
    case .samples(let samples):
      appendFrame(.samples, to: &bytes) { $0.write(samples) }
    case .end(let end):
      appendFrame(.end, to: &bytes) { writer in
        writer.write(end.sourceFrames)
        writer.write(end.ending.rawValue)
      }
    case .failure(let failure):
      appendFrame(.failure, to: &bytes) { writer in
        writer.write(failure.reason.rawValue)
        writer.write(failure.text)
      }
    case .tags(let tags):
      appendFrame(.tags, to: &bytes) { tags.write(to: &$0) }
    case .image(let image):
      appendFrame(.image, to: &bytes) { image.write(to: &$0) }
    case .title(let title):
      appendFrame(.title, to: &bytes) { title.write(to: &$0) }
    case .connection(let connection):
      appendFrame(.connection, to: &bytes) { connection.write(to: &$0) }
    }
  }
}

/// How decoding ended without a failure.
public struct DecoderEnd: Sendable, Hashable {
  /// Why there are no more samples.
  public enum Ending: UInt8, Sendable {
    /// The source is at its end.
    case complete = 0
    /// The source breaks off before the end that it announces; what there is was delivered.
    case truncated = 1
    /// A stop request came.
    case stopped = 2
  }

  /// The 48 kHz source frame after the last one delivered: the length of the source when complete.
  public var sourceFrames: Int64
  /// Why there are no more samples.
  public var ending: Ending

  /// An end after `sourceFrames` frames of the source.
  public init(sourceFrames: Int64, ending: Ending = .complete) {
    self.sourceFrames = sourceFrames
    self.ending = ending
  }
}

/// Puts replies together from the bytes of a pipe.
public struct DecoderReplyReader: Sendable {
  private var cutter = FrameCutter()

  /// A reader at the beginning of a pipe.
  public init() {}

  /// Whether the bytes so far end in the middle of a reply.
  public var isInsideReply: Bool { cutter.isInsideFrame }

  /// Adds what was read from the pipe, in any portions.
  public mutating func append(_ bytes: Span<UInt8>) { cutter.append(bytes) }

  /// The next reply, or nil until more bytes come.
  ///
  /// - Returns: The reply, in the order sent.
  /// - Throws: `DecoderProtocolError`; the pipe is of no use after that.
  public mutating func next() throws(DecoderProtocolError) -> DecoderReply? {
    try cutter.next(decodeReply)
  }
}

private func decodeReply(
  _ kind: FrameKind, _ reader: inout ByteReader
) throws(DecoderProtocolError) -> DecoderReply {
  switch kind {
  case .info: return .info(try MediaInfo(reading: &reader))
  case .samples: return .samples(try decodeSamples(&reader))
  case .end:
    let frames = try reader.readInt64()
    guard frames >= 0, let ending = DecoderEnd.Ending(rawValue: try reader.readUInt8()) else {
      throw .invalidField
    }
    return .end(DecoderEnd(sourceFrames: frames, ending: ending))
  case .failure:
    let reason = DecoderFailure.Reason(rawValue: try reader.readUInt8()) ?? .other
    return .failure(DecoderFailure(reason, try reader.readText()))
  case .tags: return .tags(try TrackTags(reading: &reader))
  case .image: return .image(try EncodedImage(reading: &reader))
  case .title: return .title(try StreamTitle(reading: &reader))
  case .connection: return .connection(try StreamConnection(reading: &reader))
  case .open, .stop, .quit, .describe, .artwork: throw .unknownMessage(kind: kind.rawValue)
  }
}

private func decodeSamples(_ reader: inout ByteReader) throws(DecoderProtocolError) -> [Float] {
  let frameBytes = 2 * 4
  let frames = reader.remaining / frameBytes
  guard reader.remaining % frameBytes == 0 else { throw .wrongLength }
  guard (1...DecoderFraming.maximumBlockFrames).contains(frames) else { throw .invalidField }
  return try reader.readSamples()
}
