// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// What of FFmpeg may run. Debian's build carries some 300 demuxers and 500 decoders, network
// protocols and play-lists that open further addresses; music needs these few. Everything else
// stays unreachable for a hostile file.

/// The parts of FFmpeg that may touch a source.
enum AllowLists {
  /// Containers, by the names of `ffmpeg -demuxers` (comma-separated: FFmpeg's own format).
  static let demuxers = "aac,aiff,asf,caf,flac,matroska,mov,mp3,ogg,wav,wv"

  /// Codecs, by the names of `ffmpeg -decoders`.
  static let decoders =
    "aac,alac,flac,mp3,mp3float,opus,vorbis,wavpack,wmalossless,wmapro,wmav1,wmav2,"
    + "pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,"
    + "pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_mulaw,pcm_alaw,"
    + "adpcm_ms,adpcm_ima_wav,adpcm_ima_qt"

  /// What an address may be fetched with. Not `file`: a redirect must not read our disk.
  static let networkProtocols = "http,https,tcp,tls"

  /// Whether `decoder` may run.
  static func allows(decoder: String) -> Bool {
    decoders.split(separator: ",").contains { $0 == decoder }
  }
}
