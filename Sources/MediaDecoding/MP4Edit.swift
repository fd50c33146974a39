// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// How long the sound of an MP4 file is, to the sample.
//
// AAC comes in packets of 1024 samples, with silence before and behind. Two boxes say what of it is
// music (ISO/IEC 14496-12): `mdhd` counts all samples on the sound's own clock, `elst` says which
// span of them is presented, its length counted on the movie's clock. Apple's writers set the
// movie's clock to the sample rate: exact. FFmpeg's and others tick 1000 or 600 times a second, and
// libavformat, which reads `elst` only, is then wrong by up to 48 samples. But those writers mean
// "from here to the end", and where the end is `mdhd` tells exactly.
//
//   moov ┬ mvhd                      the movie's clock
//        └ trak ┬ edts ─ elst        span: start (sound clock), length (movie clock)
//               └ mdia ┬ mdhd        the sound's clock, and its length
//                      ├ hdlr        "soun" for a sound track
//                      └ minf ─ stbl ─ stsd    "mp4a" for AAC

/// The one edit of a sound track.
struct MP4Edit: Equatable {
  /// Ticks of the sound's clock per second.
  var ticksPerSecond: Int64
  /// The length of what is presented, in those ticks.
  var length: Int64
  /// Whether the edit goes on to the last sample, so that nothing has to be cut by packets.
  var reachesEnd: Bool
  /// The four letters of the sample format.
  var format: String

  /// Finds the edit of the first sound track in the contents of a `moov` box.
  ///
  /// Nil when there is none, or it is not one plain span (gaps, several spans, other speeds).
  init?(moov bytes: [UInt8]) {
    let movie = BoxReader(bytes)
    guard let clock = movie.child("mvhd").flatMap({ MediaHeader($0) }) else { return nil }
    for track in movie.children("trak") {
      guard let media = track.child("mdia"), media.child("hdlr")?.text(at: 8) == "soun" else {
        continue
      }
      self.init(track: track, media: media, movie: clock)
      return
    }
    return nil
  }

  private init?(track: BoxReader, media: BoxReader, movie: MediaHeader) {
    guard let sound = media.child("mdhd").flatMap({ MediaHeader($0) }), sound.duration > 0,
      let list = track.child("edts")?.child("elst"), let span = EditSpan(list)
    else { return nil }
    let stsd = media.child("minf")?.child("stbl")?.child("stsd")
    format = stsd?.text(at: 12) ?? ""
    ticksPerSecond = sound.ticksPerSecond
    let toEnd = sound.duration - span.start
    guard toEnd > 0 else { return nil }
    // In ticks of the sound's clock times those of the movie's.
    let difference = span.length * sound.ticksPerSecond - toEnd * movie.ticksPerSecond
    reachesEnd = difference.magnitude <= sound.ticksPerSecond
    let exact =
      (span.length * sound.ticksPerSecond + movie.ticksPerSecond / 2) / movie.ticksPerSecond
    length = reachesEnd ? toEnd : min(exact, toEnd)
  }
}

/// What `mvhd` and `mdhd` say alike.
private struct MediaHeader {
  var ticksPerSecond: Int64
  var duration: Int64

  init?(_ box: BoxReader) {
    guard let version = box.integer(at: 0, bytes: 1) else { return nil }
    let isLong = version == 1
    guard let ticks = box.integer(at: isLong ? 20 : 12, bytes: 4),
      let duration = box.integer(at: isLong ? 24 : 16, bytes: isLong ? 8 : 4),
      // Bounds that keep every product of the above in 63 bits.
      (1...1_000_000).contains(ticks), (0..<1 << 40).contains(duration)
    else { return nil }
    (ticksPerSecond, self.duration) = (ticks, duration)
  }
}

/// The entry of an edit list that has just one.
private struct EditSpan {
  /// In ticks of the sound's clock.
  var start: Int64
  /// In ticks of the movie's clock.
  var length: Int64

  init?(_ list: BoxReader) {
    guard let version = list.integer(at: 0, bytes: 1), list.integer(at: 4, bytes: 4) == 1 else {
      return nil
    }
    let width = version == 1 ? 8 : 4
    guard let length = list.integer(at: 8, bytes: width),
      let start = list.integer(at: 8 + width, bytes: width),
      list.integer(at: 8 + 2 * width, bytes: 4) == 0x0001_0000,
      (1..<1 << 40).contains(length), (0..<1 << 40).contains(start)
    else { return nil }
    (self.length, self.start) = (length, start)
  }
}
