// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

// What is known about containers and codecs that FFmpeg's interface does not say.

extension MediaSource {
  /// Whether a seek lands on a packet whose timestamp is exact.
  var hasTrustedIndex: Bool {
    let names = containerName.split(separator: ",")
    return names.contains { ["aiff", "caf", "flac", "mov", "wav", "wv"].contains($0) }
  }

  /// Whether timestamps tell one sample from the next: a tick is a whole part of a sample, or
  /// two samples (AAC with SBR counts in pairs). Not the milliseconds of Matroska and ASF, which are
  /// rounded, though 48 samples go into one.
  var countsSamples: Bool {
    guard let stream else { return false }
    let base = stream.pointee.time_base
    let (ticks, samples) = (Int64(base.den), Int64(base.num) * Int64(frame.pointee.sample_rate))
    guard ticks > 0, samples > 0 else { return false }
    return ticks % samples == 0 || samples == ticks * 2
  }

  /// Whether a frame depends on the packets before its own.
  var codecHasMemory: Bool {
    guard let id = stream?.pointee.codecpar?.pointee.codec_id else { return true }
    switch id {
    case AV_CODEC_ID_AAC, AV_CODEC_ID_MP3, AV_CODEC_ID_OPUS, AV_CODEC_ID_VORBIS: return true
    default: return false
    }
  }

  /// The pre-skip of Opus in samples of 48 kHz, which is its only rate; else 0.
  var opusDelay: Int64 {
    guard let parameters = stream?.pointee.codecpar,
      parameters.pointee.codec_id == AV_CODEC_ID_OPUS
    else { return 0 }
    return Int64(parameters.pointee.initial_padding)
  }

  /// The number of samples before the encoder's padding, in the decoder's samples, for MP4.
  var gaplessLimit: Int64? {
    guard containerName.split(separator: ",").contains("mp4"), let stream else { return nil }
    if let noted = iTunesLength { return noted }
    let sampleTime = AVRational(num: 1, den: frame.pointee.sample_rate)
    if let edit {
      let tick = AVRational(num: 1, den: CInt(edit.ticksPerSecond))
      return av_rescale_q(edit.length, tick, sampleTime)
    }
    // Of an address we have libavformat's word only.
    guard stream.pointee.duration != tutti_no_timestamp, stream.pointee.duration > 0,
      countsSamples
    else { return nil }
    return av_rescale_q(stream.pointee.duration, stream.pointee.time_base, sampleTime)
  }

  /// What iTunes noted: hexadecimal words for zero, delay, padding, length, ... libavformat
  /// honours the delay, not the padding.
  private var iTunesLength: Int64? {
    let words = tag("iTunSMPB").split(separator: " ")
    guard words.count >= 4, let length = Int64(words[3], radix: 16), length > 0 else { return nil }
    return length
  }

  /// Gathers the description of the source, whose decoder gives `rate` samples a second.
  func describe(rate: Int) -> MediaInfo {
    var info = MediaInfo()
    info.title = tag("title")
    info.artist = tag("artist")
    if info.artist.isEmpty { info.artist = tag("album_artist") }
    info.album = tag("album")
    // "3" or "3/12".
    info.trackNumber = tag("track").split(separator: "/").first.flatMap { Int($0) }
    info.durationFrames = durationSeconds.map {
      Int64(($0 * Double(InputGrid.outputRate)).rounded())
    }
    info.codec = codecName
    info.sampleRate = rate
    info.channels = Int(frame.pointee.ch_layout.nb_channels)
    return info
  }
}
