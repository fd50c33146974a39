// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol
import TagRules

/// What libavformat and the first decoded frame say of a file.
enum ProbedTags {
  /// Opens the file as for playing, and so refuses it in the same words.
  static func read(path: String) throws(DecoderFailure) -> RawTags {
    let timeline = try SampleTimeline(.file(path: path))
    let info = timeline.describe()
    var raw = RawTags()
    raw.codec = info.codec.hasPrefix("pcm_") ? "pcm" : info.codec
    (raw.sampleRate, raw.channels) = (info.sampleRate, info.channels)
    if let frames = info.durationFrames {
      raw.milliseconds = frames / (InputGrid.outputRate / 1_000)
    }
    if info.codec == "mp3" { raw.soundBytes = timeline.container.fileSize.map { Int64($0) } }
    raw.add(contentsOf: timeline.container)
    return raw
  }
}

extension RawTags {
  /// FFmpeg's names for fields where they differ from TagLib's (avformat.h, "Metadata"; and those
  /// of its muxers), in capitals.
  private static let names = [
    "ALBUM_ARTIST": "ALBUMARTIST", "TRACK": "TRACKNUMBER", "PART_NUMBER": "TRACKNUMBER",
    "DISC": "DISCNUMBER", "TOTAL_PARTS": "TRACKTOTAL", "DATE_RELEASED": "DATE",
    "DATE_RECORDED": "DATE", "TITLE-SORT": "TITLESORT", "SORT_NAME": "TITLESORT",
    "ARTIST-SORT": "ARTISTSORT", "SORT_ARTIST": "ARTISTSORT", "ALBUM-SORT": "ALBUMSORT",
    "SORT_ALBUM": "ALBUMSORT", "SORT_ALBUM_ARTIST": "ALBUMARTISTSORT",
    "SORT_COMPOSER": "COMPOSERSORT", "MEDIA_TYPE": "STIK",
  ]

  fileprivate mutating func add(contentsOf container: OpenContainer) {
    add(dictionary: container.context?.pointee.metadata, layer: 0)
    for stream in container.streams {
      let isSound = stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_AUDIO
      if isSound { add(dictionary: stream.pointee.metadata, layer: 1) }
      if stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { hasArtwork = true }
    }
    container.chapters.forEach { add($0) }
    guard let context = container.context, bitRate == 0 else { return }
    bitRate = Int(clamping: max(0, context.pointee.bit_rate))
  }

  private mutating func add(dictionary: OpaquePointer?, layer: Int) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      guard let key = next.pointee.key else { continue }
      let name = String(cString: key).uppercased()
      add(OpenContainer.value(of: next.pointee), for: Self.names[name] ?? name, layer: layer)
    }
  }
}
