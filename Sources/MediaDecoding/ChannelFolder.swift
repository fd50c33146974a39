// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// The format of decoded audio, as far as conversion depends on it.
struct InputFormat: Equatable {
  var rate: Int64
  var sampleFormat: AVSampleFormat
  var mix: ChannelMix

  init(_ frame: UnsafePointer<AVFrame>) {
    rate = Int64(frame.pointee.sample_rate)
    sampleFormat = AVSampleFormat(frame.pointee.format)
    mix = ChannelMix(frame.pointee.ch_layout)
  }

  var channels: Int { mix.left.count }
}

/// Turns decoded samples of any format and channels to interleaved stereo, at their own rate.
final class ChannelFolder {
  private let format: InputFormat
  private var converter: OpaquePointer?

  /// Values beyond are cut. Codecs exceed full scale a little (up to 3 dB in loud MP3s), which is
  /// left for the volume to bring down; damaged files exceed it 100,000 times, which no volume
  /// setting would.
  private static let ceiling: Float = 2

  /// A folder for one format.
  ///
  /// - Throws: `DecoderFailure` if libswresample refuses the format.
  init(_ format: InputFormat) throws(DecoderFailure) {
    self.format = format
    var stereo = AVChannelLayout()
    var source = AVChannelLayout()
    av_channel_layout_default(&stereo, 2)
    // Which channels these are does not matter any more: the matrix is ours.
    av_channel_layout_default(&source, CInt(format.channels))
    swr_alloc_set_opts2(
      &converter, &stereo, AV_SAMPLE_FMT_FLT, CInt(format.rate), &source, format.sampleFormat,
      CInt(format.rate), 0, nil)
    let accepted = swr_set_matrix(converter, format.mix.matrix, CInt(format.channels))
    guard accepted >= 0, swr_init(converter) >= 0 else {
      swr_free(&converter)
      throw DecoderFailure(
        .notAudio,
        "it has \(format.channels) channels at \(format.rate) Hz, which cannot be converted"
      )
    }
  }

  deinit { swr_free(&converter) }

  /// Folds `samples` samples of a frame from `offset` on.
  func fold(_ frame: UnsafePointer<AVFrame>, from offset: Int, samples: Int) -> [Float] {
    let bytes = Int(av_get_bytes_per_sample(format.sampleFormat))
    let isPlanar = av_sample_fmt_is_planar(format.sampleFormat) != 0
    let planes = isPlanar ? format.channels : 1
    let stride = isPlanar ? bytes : bytes * format.channels
    let data = frame.pointee.extended_data
    var inputs: [UnsafePointer<UInt8>?] = (0..<planes).map { plane in
      data?[plane].map { UnsafePointer($0 + offset * stride) }
    }
    var folded = convert(converter, &inputs, samples, capacity: samples)
    for index in folded.indices {
      let value = folded[index]
      // Written so that what is not a number becomes silence.
      folded[index] =
        value >= -Self.ceiling ? min(value, Self.ceiling) : value < 0 ? -Self.ceiling : 0
    }
    return folded
  }
}

/// Runs a libswresample context that gives interleaved stereo floats.
func convert(
  _ context: OpaquePointer?, _ inputs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ samples: Int, capacity: Int
) -> [Float] {
  [Float](unsafeUninitializedCapacity: max(capacity, 1) * 2) { buffer, count in
    var target = buffer.baseAddress.map {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self)
    }
    let frames = swr_convert(context, &target, CInt(max(capacity, 1)), inputs, CInt(samples))
    count = 2 * Int(max(frames, 0))
  }
}
