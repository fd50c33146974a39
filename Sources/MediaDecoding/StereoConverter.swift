// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// The sample format of decoded audio, as far as conversion depends on it.
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

/// Converts one run of samples of one format.
final class StereoConverter {
  let grid: InputGrid
  private let format: InputFormat
  private var resampler: OpaquePointer?
  /// Input samples since the run began.
  private var consumed: Int64 = 0
  /// Output frames since the run began.
  private var produced: Int64 = 0

  /// Half the length of the filter in input samples, as a power above it: how far before a frame
  /// a run must begin for the frame to be exact. 64 taps cover 256 samples at 192 kHz.
  static let settlingSamples: Int64 = 2_048

  /// A converter at the beginning of a run.
  ///
  /// - Throws: `DecoderFailure` if libswresample refuses the format.
  init(_ format: InputFormat) throws(DecoderFailure) {
    self.format = format
    grid = InputGrid(rate: format.rate)
    var stereo = AVChannelLayout()
    var source = AVChannelLayout()
    av_channel_layout_default(&stereo, 2)
    av_channel_layout_default(&source, CInt(format.channels))
    swr_alloc_set_opts2(
      &resampler, &stereo, AV_SAMPLE_FMT_FLT, CInt(InputGrid.outputRate), &source,
      format.sampleFormat, CInt(format.rate), 0, nil)
    configureFilter()
    let accepted = swr_set_matrix(resampler, format.mix.matrix, CInt(format.channels))
    guard accepted >= 0, swr_init(resampler) >= 0 else {
      swr_free(&resampler)
      throw DecoderFailure(
        .notAudio, "has \(format.channels) channels at \(format.rate) Hz, which cannot be converted"
      )
    }
  }

  deinit { swr_free(&resampler) }

  private func configureFilter() {
    guard let resampler else { return }
    let object = UnsafeMutableRawPointer(resampler)
    // Measured with sines at 44.1 -> 48 kHz: see docs/measurements.md.
    av_opt_set_int(object, "filter_size", 64, 0)
    av_opt_set_int(object, "phase_shift", 10, 0)
    av_opt_set_double(object, "cutoff", 0.97, 0)
    // Rates whose grid is too fine for one filter per phase interpolate between filters.
    if grid.outputPeriod > 1 << 10 { av_opt_set_int(object, "linear_interp", 1, 0) }
  }

  /// Converts `samples` of a decoded frame from `offset` on, appending interleaved stereo.
  func convert(
    _ frame: UnsafePointer<AVFrame>, from offset: Int, samples: Int, into output: inout [Float]
  ) {
    let bytes = Int(av_get_bytes_per_sample(format.sampleFormat))
    let isPlanar = av_sample_fmt_is_planar(format.sampleFormat) != 0
    let planes = isPlanar ? format.channels : 1
    let stride = isPlanar ? bytes : bytes * format.channels
    let data = frame.pointee.extended_data
    var inputs: [UnsafePointer<UInt8>?] = (0..<planes).map { plane in
      data?[plane].map { UnsafePointer($0 + offset * stride) }
    }
    consumed += Int64(samples)
    run(&inputs, samples, into: &output)
  }

  /// Ends the run: what the filter still holds, to the rounded length exactly.
  func finish(into output: inout [Float]) {
    let length = grid.frames(consumed)
    while produced < length {
      let before = produced
      run(nil, 0, into: &output)
      if produced == before { break }
    }
    if produced > length {
      output.removeLast(min(output.count, Int(produced - length) * 2))
    } else {
      output.append(contentsOf: repeatElement(0, count: Int(length - produced) * 2))
    }
    produced = length
  }

  private func run(
    _ inputs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ samples: Int,
    into output: inout [Float]
  ) {
    let capacity = max(Int(swr_get_out_samples(resampler, CInt(samples))), 0) + 64
    let block = [Float](unsafeUninitializedCapacity: capacity * 2) { buffer, count in
      var target = buffer.baseAddress.map {
        UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self)
      }
      count =
        2 * Int(max(swr_convert(resampler, &target, CInt(capacity), inputs, CInt(samples)), 0))
    }
    produced += Int64(block.count / 2)
    output += block
  }
}
