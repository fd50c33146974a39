// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The tags of a file as fields of a payload, in the order of their declaration. Numbers that may be
// missing are 0 (from 1 up) or -1 (from 0 up); lists have their count before them.
//
// The longest payload: 8 texts and 4 lists of 16, each text 2 + 4,096 bytes, lyrics of 64 KiB, and
// 1,000 chapters of 10 + 256 bytes are together below 627 KiB.

extension TrackTags {
  func write(to writer: inout ByteWriter) {
    writer.write(title)
    writer.write(titleSort)
    writer.write(list: artists)
    writer.write(artistSort)
    writer.write(album)
    writer.write(albumSort)
    writer.write(list: albumArtists)
    writer.write(albumArtistSort)
    writer.write(list: composers)
    writer.write(composerSort)
    writer.write(list: genres)
    for number in [year, trackNumber, trackTotal, discNumber, discTotal] {
      writer.write(UInt32(clamping: number ?? 0))
    }
    writer.write(UInt8(isCompilation ? 1 : 0))
    writer.write(lyrics, limit: Self.maximumLyrics)
    writer.write(UInt8(replayGain == nil ? 0 : 1))
    replayGain?.write(to: &writer)
    writer.write(UInt8(hasArtwork ? 1 : 0))
    writer.write(UInt16(clamping: min(chapters.count, Self.maximumChapters)))
    for chapter in chapters.prefix(Self.maximumChapters) { chapter.write(to: &writer) }
    writer.write(kind.rawValue)
    writer.write(Int64(durationMilliseconds ?? -1))
    for number in [sampleRate, channels, bitDepth, bitRate] {
      writer.write(UInt32(clamping: number))
    }
    writer.write(codec)
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    title = try reader.readText()
    titleSort = try reader.readText()
    artists = try reader.readList()
    artistSort = try reader.readText()
    album = try reader.readText()
    albumSort = try reader.readText()
    albumArtists = try reader.readList()
    albumArtistSort = try reader.readText()
    composers = try reader.readList()
    composerSort = try reader.readText()
    genres = try reader.readList()
    year = try reader.readNumber()
    trackNumber = try reader.readNumber()
    trackTotal = try reader.readNumber()
    discNumber = try reader.readNumber()
    discTotal = try reader.readNumber()
    isCompilation = try reader.readFlag()
    lyrics = try reader.readText(limit: Self.maximumLyrics)
    replayGain = try reader.readFlag() ? ReplayGain(reading: &reader) : nil
    hasArtwork = try reader.readFlag()
    chapters = try Self.readChapters(&reader)
    guard let kind = Kind(rawValue: try reader.readUInt8()) else { throw .invalidField }
    self.kind = kind
    let duration = try reader.readInt64()
    durationMilliseconds = duration < 0 ? nil : Int(duration)
    sampleRate = Int(try reader.readUInt32())
    channels = Int(try reader.readUInt32())
    bitDepth = Int(try reader.readUInt32())
    bitRate = Int(try reader.readUInt32())
    codec = try reader.readText()
  }

  private static func readChapters(
    _ reader: inout ByteReader
  ) throws(DecoderProtocolError) -> [Chapter] {
    let count = Int(try reader.readUInt16())
    guard count <= maximumChapters else { throw .invalidField }
    var chapters: [Chapter] = []
    for _ in 0..<count { chapters.append(try Chapter(reading: &reader)) }
    return chapters
  }
}

extension Chapter {
  func write(to writer: inout ByteWriter) {
    writer.write(Int64(startMilliseconds))
    writer.write(title, limit: TrackTags.maximumChapterTitle)
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    guard let start = Int(exactly: try reader.readInt64()), start >= 0 else {
      throw .invalidField
    }
    startMilliseconds = start
    title = try reader.readText(limit: TrackTags.maximumChapterTitle)
  }
}

extension ReplayGain {
  /// A NaN stands for a figure that is not there; other figures must be finite.
  func write(to writer: inout ByteWriter) {
    writer.write(source.rawValue)
    for figure in [trackGain, trackPeak, albumGain, albumPeak] {
      writer.write(Int64(bitPattern: (figure ?? .nan).bitPattern))
    }
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    guard let source = Source(rawValue: try reader.readUInt8()) else { throw .invalidField }
    self.source = source
    trackGain = try Self.readFigure(&reader)
    trackPeak = try Self.readFigure(&reader)
    albumGain = try Self.readFigure(&reader)
    albumPeak = try Self.readFigure(&reader)
  }

  private static func readFigure(
    _ reader: inout ByteReader
  ) throws(DecoderProtocolError) -> Double? {
    let figure = Double(bitPattern: UInt64(bitPattern: try reader.readInt64()))
    guard !figure.isNaN else { return nil }
    guard figure.isFinite else { throw .invalidField }
    return figure
  }
}
