// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

/// Files that are not what they seem, or not all of it.
extension OddFile {
  static let damaged: [OddFile] =
    ["flac", "mp3", "wav", "aiff", "ogg", "opus"].map { format in
      OddFile("truncated.\(format)", .playsHalf) { samples in half(samples[format]) }
    } + [
      OddFile("truncated.m4a", .refused(.damaged)) { half($0["m4a"]) },
      OddFile("nothing.mp3", .refused(.empty)) { _ in [] },
      OddFile("one byte.flac", .refused(.notAudio)) { _ in [0x66] },
      OddFile("a tag alone.mp3", .refused(.notAudio)) { _ in
        TagBytes.id3([("TIT2", TagBytes.latin(Array("Nothing".utf8)))])
      },
      OddFile("a head alone.flac", .refused(.damaged)) { Array($0["flac"].prefix(60)) },
      OddFile("wrong Xing, hours.mp3", .playsWhole, check: { $0.durationMilliseconds == nil }) {
        withXingFrames($0["bare.mp3"], 0xFF_FFFF)
      },
      OddFile("wrong Xing, moments.mp3", .playsWhole, check: { $0.durationMilliseconds == nil }) {
        withXingFrames($0["bare.mp3"], 4)
      },
      OddFile(
        "chained.ogg", .plays(287_000...290_000, .complete),
        check: {
          (5_900...6_100).contains($0.durationMilliseconds ?? 0)
        }
      ) { $0["ogg"] + $0["other.ogg"] },
      OddFile("no size.wav", .playsWhole, check: { $0.channels == 2 }) {
        withDataLength($0["wav"], [0, 0, 0, 0])
      },
      OddFile("endless size.wav", .playsWhole) {
        withDataLength($0["wav"], [0xFF, 0xFF, 0xFF, 0xFF])
      },
      OddFile(
        "odd chunks.wav", .plays(144_000...144_000, .complete),
        check: {
          $0.artists == ["Björk"]
        }
      ) { oddChunks($0["wav"]) },
      OddFile("rubbish first.mp3", .playsWhole) {
        [UInt8](repeating: 0x55, count: 3_000) + $0["bare.mp3"]
      },
      OddFile("zeros behind a tag.mp3", .refused(.notAudio)) { _ in
        TagBytes.id3([("TIT2", TagBytes.latin(Array("Zero".utf8)))])
          + [UInt8](repeating: 0, count: 20_000_000)
      },
      OddFile("FLAC.mp3", .playsWhole, check: { $0.codec == "flac" }) { $0["flac"] },
      OddFile("MP3.flac", .playsWhole, check: { $0.codec == "mp3" }) { $0["bare.mp3"] },
      OddFile("picture.mp3", .refused(.notAudio)) { $0["cover.jpg"] },
      OddFile("text.mp3", .refused(.notAudio)) { _ in
        Array(repeatElement("This is not music.\n", count: 5_000).joined().utf8)
      },
      OddFile("HLS.mp3", .refused(.notAudio)) { _ in
        Array("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nhttp://127.0.0.1/a.ts\n".utf8)
      },
    ]

  private static func half(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.prefix(bytes.count / 2)) }

  /// Changes the number of frames in a Xing or Info header: four letters, flags, the number.
  private static func withXingFrames(_ bytes: [UInt8], _ frames: Int) -> [UInt8] {
    var bytes = bytes
    let start = bytes.indices.prefix(200).first {
      bytes[$0...].starts(with: Array("Info".utf8)) || bytes[$0...].starts(with: Array("Xing".utf8))
    }
    for (place, shift) in [24, 16, 8, 0].enumerated() {
      bytes[(start ?? 0) + 8 + place] = UInt8(truncatingIfNeeded: frames >> shift)
    }
    return bytes
  }

  /// Our WAV files have 44 bytes before the samples; the last four are their length.
  private static func withDataLength(_ bytes: [UInt8], _ length: [UInt8]) -> [UInt8] {
    bytes[..<40] + length + bytes[44...]
  }

  private static func oddChunks(_ wav: [UInt8]) -> [UInt8] {
    let artist = TagBytes.chunk("IART", [0x42, 0x6A, 0xF6, 0x72, 0x6B, 0])
    return wav[..<12] + TagBytes.chunk("JUNK", [1, 2, 3]) + wav[12..<36]
      + TagBytes.chunk("LIST", Array("INFO".utf8) + artist)
      + wav[36...]
      + TagBytes.chunk("ende", [1, 2], length: 0x7FFF_FFFF)
  }
}
