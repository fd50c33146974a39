// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
public import DecoderProtocol

/// Decodes one source to interleaved stereo at 48 kHz, from a given frame to its end.
///
/// Every frame has its place: frame k of a source is the same whether decoding began at 0 or
/// closely before k. Not thread-safe, and not for hostile input inside a process that matters:
/// that is what `tutti-decoder` is for.
public final class MediaDecoder {
  /// What the source is.
  public let info: MediaInfo
  /// How it ended; nil until `next` has returned nil.
  public private(set) var end: DecoderEnd?

  private let timeline: SampleTimeline
  private var format: InputFormat
  private var folder: ChannelFolder
  private var converter: RateConverter
  /// Converted, not yet delivered; begins at source frame `position`.
  private var pending: [Float] = []
  private var position: Int64
  /// Titles of a live stream, and the frames before each.
  private var titles: [(frame: Int64, title: StreamTitle)] = []
  private let startFrame: Int64

  /// So many frames are gathered before a block is handed out: two packets of the stream.
  private static let blockFrames = 1_920

  /// Opens a source and goes to a frame of it.
  ///
  /// - Parameters:
  ///   - location: A file (which is checked to be one) or an address.
  ///   - startFrame: The first frame wanted, in 48 kHz frames of the source. Beyond the end is
  ///     allowed: `next` then returns nil at once.
  /// - Throws: `DecoderFailure` that says why it cannot be played.
  public init(_ location: MediaLocation, startFrame: Int64 = 0) throws(DecoderFailure) {
    timeline = try SampleTimeline(location)
    format = timeline.format
    folder = try ChannelFolder(format)
    converter = try RateConverter(rate: format.rate)
    self.startFrame = startFrame
    info = timeline.describe()
    guard !info.isLive else {
      // What is heard now: the frame asked for is only where counting begins.
      position = startFrame
      return
    }
    let target = converter.grid.sample(before: startFrame)
    let settled = max(0, target - RateConverter.settlingSamples)
    let runStart = converter.grid.meeting(before: settled)
    position = converter.grid.frame(atMeeting: runStart)
    try timeline.begin(at: runStart)
  }

  /// What a live stream plays from the block on that `next` gave last, if that has changed.
  public func takeTitle() -> StreamTitle? {
    guard let first = titles.first, first.frame < position else { return nil }
    titles.removeFirst()
    return first.title
  }

  /// Has the news of a live stream's connection told; they come on the thread and within the calls
  /// of `next`, which does not return while the server is away.
  public func onConnection(_ report: @escaping (StreamConnection) -> Void) {
    timeline.broadcast?.report = report
  }

  /// The next block.
  ///
  /// - Returns: 1 to `DecoderFraming.maximumBlockFrames` frames, or nil at the end.
  /// - Throws: `DecoderFailure` if the source cannot be read any further.
  public func next() throws(DecoderFailure) -> [Float]? {
    while end == nil, pending.count < Self.blockFrames * 2 {
      try step()
      dropBeforeStart()
    }
    guard !pending.isEmpty else { return nil }
    let count = min(pending.count, DecoderFraming.maximumBlockFrames * 2)
    let block = Array(pending[..<count])
    pending.removeFirst(count)
    position += Int64(count / 2)
    return block
  }

  /// Converts one more decoded frame, or ends.
  private func step() throws(DecoderFailure) {
    guard let piece = try timeline.next() else {
      converter.finish(into: &pending)
      try finish()
      return
    }
    if timeline.format != format { try changeFormat() }
    if let title = timeline.takeTitle() {
      titles.append((position + Int64(pending.count / 2), title))
    }
    if piece.missingBefore > 0 {
      let silence = [Float](repeating: 0, count: piece.missingBefore * 2)
      converter.convert(silence, into: &pending)
    }
    let samples = folder.fold(piece.frame, from: piece.offset, samples: piece.count)
    converter.convert(samples, into: &pending)
  }

  private func changeFormat() throws(DecoderFailure) {
    converter.finish(into: &pending)
    format = timeline.format
    folder = try ChannelFolder(format)
    converter = try RateConverter(rate: format.rate)
  }

  private func finish() throws(DecoderFailure) {
    dropBeforeStart()
    var length = position + Int64(pending.count / 2)
    if timeline.endedBeforeRun { length = converter.grid.frames(timeline.reached) }
    if let failure = timeline.failure(afterFrames: length) {
      // What was decoded is delivered first only if nobody waits for the cause: a server that
      // broke off is said at once, because the queue has to go on.
      throw failure
    }
    end = DecoderEnd(
      sourceFrames: length, ending: timeline.isTruncated ? .truncated : .complete)
  }

  private func dropBeforeStart() {
    let early = min(startFrame - position, Int64(pending.count / 2))
    guard early > 0 else { return }
    pending.removeFirst(Int(early) * 2)
    position += early
  }
}
