// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol
public import House

/// What the next step of reading a source brought.
public enum PCMRead: Sendable {
  /// The next frames: interleaved stereo at 48 kHz, full scale +-1, at least one frame.
  case samples([Float])
  /// What a live stream plays from the next samples on.
  case title(StreamTitle)
  /// The server of a live stream has gone, or is back; what was read before may still be ahead of
  /// what is heard.
  case connection(StreamConnection)
  /// All was read, or reading was cancelled.
  case end(DecoderEnd)
  /// The source cannot be read any further.
  case failure(DecoderFailure)
}

/// A piece of music that is being decoded.
///
/// `next` is called by one reader thread; `cancel` may come from any thread.
public protocol PCMSource: Sendable {
  /// What the source says about itself; known once it is open.
  var info: MediaInfo { get }

  /// The next frames; blocks until there are some, the end, a failure or `cancel`.
  ///
  /// - Returns: Samples (of a live stream with news between them), then one end or one failure;
  ///   after that nothing more is asked.
  func next() -> PCMRead

  /// Makes a blocked `next` return soon, and frees what the source holds. May be called twice.
  func cancel()
}

/// Opens pieces of music; the decoder's client is one, a test tone another.
public protocol PCMSourceOpener: Sendable {
  /// Opens a source; blocks until its first samples can be asked for.
  ///
  /// - Parameters:
  ///   - location: The file or address.
  ///   - startFrame: The first frame that is wanted, in frames of 48 kHz of the source. Beyond the
  ///     end, the source ends at once.
  /// - Returns: The open source.
  /// - Throws: Why it cannot be played.
  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource

  /// What was measured of a source's loudness. On the reader's thread, which may wait.
  ///
  /// - Parameter location: The file or address.
  /// - Returns: What was measured; nil when nobody has.
  func loudness(of location: MediaLocation) -> MeasuredLoudness?
}

extension PCMSourceOpener {
  /// Nothing was measured.
  public func loudness(of location: MediaLocation) -> MeasuredLoudness? { nil }
}
