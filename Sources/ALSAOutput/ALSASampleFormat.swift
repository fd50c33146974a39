// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CALSA

/// A sample layout a device takes: little-endian, interleaved.
public enum ALSASampleFormat: Sendable, CaseIterable, BitwiseCopyable {
  /// 32-bit IEEE float.
  case float32
  /// 32-bit signed integer.
  case signed32
  /// 24-bit signed integer in the low bits of 32.
  case signed24
  /// 24-bit signed integer packed in 3 bytes.
  case signed24Packed
  /// 16-bit signed integer.
  case signed16

  /// Bytes of one sample of one channel.
  public var bytesPerSample: Int {
    switch self {
    case .float32, .signed32, .signed24: 4
    case .signed24Packed: 3
    case .signed16: 2
    }
  }

  var code: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .signed32: SND_PCM_FORMAT_S32_LE
    case .signed24: SND_PCM_FORMAT_S24_LE
    case .signed24Packed: SND_PCM_FORMAT_S24_3LE
    case .signed16: SND_PCM_FORMAT_S16_LE
    }
  }
}
