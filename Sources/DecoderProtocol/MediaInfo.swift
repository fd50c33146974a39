// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What is known of a source when it has been opened. Texts are empty where there is no tag.
public struct MediaInfo: Sendable, Hashable {
  /// The title tag; of a live stream the station's name.
  public var title = ""
  /// The artist tag, else the album artist.
  public var artist = ""
  /// The album tag.
  public var album = ""
  /// The number of the track on its disc, from 1.
  public var trackNumber: Int?
  /// The length in frames of 48 kHz, as announced by the source; an estimate for MP3 and AAC
  /// streams without an index. The end reply has the exact one.
  public var durationFrames: Int64?
  /// The codec's short name, such as "flac", "mp3", "aac".
  public var codec = ""
  /// The source's own sample rate in hertz.
  public var sampleRate = 0
  /// The source's own channel count.
  public var channels = 0
  /// Whether it is heard as it is sent: it has no places to go to, and no end but by accident.
  public var isLive = false
  /// What the station says that it plays, such as "Jazz"; "" for anything but a live stream.
  public var genre = ""
  /// What a live stream announces, in kilobits a second; 0 when it does not.
  public var kilobitsPerSecond = 0

  /// An empty description.
  public init() {}
}

extension MediaInfo {
  func write(to writer: inout ByteWriter) {
    for text in [title, artist, album, codec] { writer.write(text) }
    writer.write(UInt32(clamping: trackNumber ?? 0))
    writer.write(durationFrames ?? -1)
    writer.write(UInt32(clamping: sampleRate))
    writer.write(UInt16(clamping: channels))
    writer.write(UInt8(isLive ? 1 : 0))
    writer.write(genre)
    writer.write(UInt32(clamping: kilobitsPerSecond))
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    title = try reader.readText()
    artist = try reader.readText()
    album = try reader.readText()
    codec = try reader.readText()
    let number = try reader.readUInt32()
    trackNumber = number == 0 ? nil : Int(number)
    let frames = try reader.readInt64()
    durationFrames = frames < 0 ? nil : frames
    sampleRate = Int(try reader.readUInt32())
    channels = Int(try reader.readUInt16())
    isLive = try reader.readFlag()
    genre = try reader.readText()
    kilobitsPerSecond = Int(try reader.readUInt32())
  }
}
