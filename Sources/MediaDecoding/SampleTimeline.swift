// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import Catalogue
import DecoderProtocol

// Which sample of the source a decoded sample is.
//
// From the beginning that is counting: sample 0 is the first one that libavcodec gives after the
// encoder's delay. After a jump it is read off the timestamps, relative to that of sample 0. How
// one jumps depends on the container:
//
//   FLAC, WAV, AIFF, CAF, MP4    has an index or fixed-size blocks with exact timestamps: seek
//   MP3, ADTS, Ogg               offsets are guesses: read all packets up to the place, undecoded
//                                (a few hundred MB a second), their timestamps are sums of lengths
//   timestamps coarser than      decode everything and count
//   a sample
//
// Decoders with memory start early, so that the sample wanted no longer depends on where they
// started.

/// Decoded sound with its position in samples of the source.
final class SampleTimeline {
  /// A part of a decoded frame.
  struct Piece {
    var frame: UnsafePointer<AVFrame>
    var offset: Int
    var count: Int
    /// Samples missing before it: damaged frames, in whose place silence belongs.
    var missingBefore: Int
  }

  private let location: MediaLocation
  private var source: MediaSource
  /// Samples per second, as the first frame has it.
  private let rate: CInt
  /// The timestamp of sample 0.
  private var origin: Int64
  /// The position of the first sample of the frame that waits in `source.frame`.
  private var position: Int64 = 0
  /// Whether a frame waits in `source.frame`.
  private var hasFrame = true
  /// Samples before this one are not wanted.
  private var runStart: Int64 = 0
  /// The number of samples, where the container knows it better than the decoder.
  private let limit: Int64?

  /// Opens a source and decodes its first frame.
  ///
  /// - Throws: `DecoderFailure` that says why it cannot be played.
  init(_ location: MediaLocation) throws(DecoderFailure) {
    self.location = location
    source = try Self.open(location)
    rate = source.frame.pointee.sample_rate
    origin = source.frame.pointee.pts
    limit = source.gaplessLimit
  }

  /// The format of the frame that `next` gave last, or will give first.
  var format: InputFormat { InputFormat(source.frame) }

  /// What was opened.
  var container: OpenContainer { source.container }

  /// The live stream, if it is one.
  var broadcast: BroadcastInput? { source.container.broadcast }

  /// What a live stream plays from the frame on that `next` gave last, if that has changed.
  func takeTitle() -> StreamTitle? {
    defer { source.newTitle = nil }
    return source.newTitle
  }

  /// What the source is.
  func describe() -> MediaInfo {
    var info = source.describe(rate: Int(rate))
    if let broadcast { return Self.describe(broadcast.station, info) }
    if !hasBelievableDuration { info.durationFrames = nil }
    let grid = InputGrid(rate: Int64(rate))
    if let limit {
      info.durationFrames = grid.frames(limit)
    } else if let announced = info.durationFrames {
      // MP3 and Opus count the encoder's delay in.
      let delay = info.codec == "mp3" ? samples(max(0, origin)) : source.opusDelay
      info.durationFrames = max(0, announced - grid.frames(delay))
    }
    return info
  }

  /// The next samples, or nil at the end. They stay valid until the next call.
  func next() throws(DecoderFailure) -> Piece? {
    while true {
      if !hasFrame {
        guard try source.readFrame() else { return nil }
      }
      hasFrame = false
      let missing = skipDamage()
      let count = Int64(source.frame.pointee.nb_samples)
      let first = max(position, runStart)
      let last = min(position + count, limit ?? .max)
      let offset = first - position
      position += count
      guard last > first else { continue }
      return Piece(
        frame: source.frame, offset: Int(offset), count: Int(last - first),
        missingBefore: Int(missing))
    }
  }

  /// Moves on to where the waiting frame belongs, if frames before it could not be decoded.
  ///
  /// Only FLAC's frames tell reliably; elsewhere odd timestamps are more common than damage.
  ///
  /// - Returns: The missing samples that are wanted; at most 10 s of them are believed.
  private func skipDamage() -> Int64 {
    let timestamp = source.frame.pointee.pts
    guard source.containerName == "flac", timestamp != tutti_no_timestamp else { return 0 }
    let place = samples(timestamp - origin)
    guard place > position, place - position <= 10 * Int64(rate) else { return 0 }
    let missing = max(0, place - max(position, runStart))
    position = place
    return missing
  }

  /// Tags of a live stream are those of the piece that happens to play.
  private static func describe(_ station: StationHeaders, _ tags: MediaInfo) -> MediaInfo {
    var info = tags
    (info.title, info.artist, info.album, info.trackNumber) = (station.name, "", "", nil)
    info.durationFrames = nil
    info.isLive = true
    info.genre = station.genre
    info.kilobitsPerSecond = station.kilobitsPerSecond
    return info
  }

  private static func open(_ location: MediaLocation) throws(DecoderFailure) -> MediaSource {
    let source = try MediaSource(location)
    guard try source.readFrame() else {
      if let error = source.brokenOff { throw error.whenReading(location) }
      throw source.withoutSound
    }
    return source
  }
}

// MARK: - Jumping

extension SampleTimeline {
  /// Samples that a decoder with memory is given before the first one wanted: 2 s. After them MP3,
  /// Vorbis and Opus give the very samples that they give from the beginning; AAC too, but for
  /// the bands that it fills with noise of its own making.
  private var preroll: Int64 {
    source.codecHasMemory ? 2 * Int64(rate) : 0
  }

  /// Makes sample `start` the first that `next` gives. To be called once, before `next`.
  func begin(at start: Int64) throws(DecoderFailure) {
    runStart = start
    let early = start - preroll
    // Less than this is decoded faster than sought.
    let worthIt = 5 * Int64(rate)
    guard early > worthIt, origin != tutti_no_timestamp, source.countsSamples else { return }
    if source.hasTrustedIndex {
      if source.seek(to: origin + timestamps(early)), try land() { return }
      try reopen()
    }
    source.forgetPast()
    let threshold = origin + timestamps(early)
    guard try source.readFrame(where: { $0.pointee.pts >= threshold || !$0.hasTimestamp }),
      place()
    else { return try reopen() }
  }

  /// Reads the frame after a seek.
  ///
  /// - Returns: Whether it is one from which `runStart` can be reached.
  private func land() throws(DecoderFailure) -> Bool {
    guard try source.readFrame() else { return false }
    return place()
  }

  private func place() -> Bool {
    let timestamp = source.frame.pointee.pts
    guard timestamp != tutti_no_timestamp else { return false }
    position = samples(timestamp - origin)
    hasFrame = true
    return position <= runStart
  }

  /// Starts over; everything up to `runStart` will be decoded and dropped.
  private func reopen() throws(DecoderFailure) {
    source = try Self.open(location)
    position = 0
    hasFrame = true
  }

  private func timestamps(_ samples: Int64) -> Int64 {
    guard let stream = source.stream else { return 0 }
    return av_rescale_q(samples, sampleTime, stream.pointee.time_base)
  }

  private func samples(_ timestamps: Int64) -> Int64 {
    guard let stream = source.stream else { return 0 }
    return av_rescale_q(timestamps, stream.pointee.time_base, sampleTime)
  }

  private var sampleTime: AVRational { AVRational(num: 1, den: rate) }
}

// MARK: - The end

extension SampleTimeline {
  /// The number of samples so far.
  var reached: Int64 { min(position, limit ?? .max) }

  /// Whether the source had ended before the first sample wanted.
  var endedBeforeRun: Bool { reached < runStart }

  /// Whether so many bytes can sound for so long. The header of an MP3 file may be another's:
  /// nothing plays for hours from a megabyte. (The other way proves nothing: there may be pictures.)
  private var hasBelievableDuration: Bool {
    guard source.containerName == "mp3", let size = container.fileSize,
      let seconds = source.durationSeconds
    else { return true }
    // No MP3 frame has fewer than 8 kb/s (ISO 13818-3); a bit of slack.
    return Double(size) * 8 / seconds >= 7_000
  }

  /// Whether less came than the container announced.
  var isTruncated: Bool {
    if container.isCutShort() { return true }
    guard source.hasMeasuredDuration, let seconds = source.durationSeconds else { return false }
    guard hasBelievableDuration else { return false }
    // A few packets of slack: delay and padding are counted differently by each container.
    return Double(position) / Double(rate) < seconds - 0.25
  }

  /// Why the source could not be read to its end, if so.
  func failure(afterFrames frames: Int64) -> DecoderFailure? {
    if broadcast?.hasChanged == true {
      return DecoderFailure(.network, "the station sends another format now")
    }
    guard let error = source.brokenOff, error != .invalidData else { return nil }
    return error.whenReading(location, after: frames / InputGrid.outputRate)
  }
}

extension UnsafePointer<AVPacket> {
  fileprivate var hasTimestamp: Bool { pointee.pts != tutti_no_timestamp }
}
