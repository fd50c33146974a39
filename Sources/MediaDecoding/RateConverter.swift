// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// Converts one run of stereo samples to 48 kHz; see `InputGrid` for what is exact about it.
///
/// At both ends the filter reaches beyond what there is. Silence there would put a click on every
/// joint of a gapless album at 44.1 kHz, so the sound is continued by linear prediction.
final class RateConverter {
  let grid: InputGrid
  private var resampler: OpaquePointer?
  /// The first samples, until there are enough of them to continue them backwards.
  private var head: [Float]? = []
  /// The last samples so far.
  private var tail: [Float] = []
  /// Input samples of the run so far.
  private var consumed: Int64 = 0
  /// Output frames of the run so far; negative while they belong to the continuation before it.
  private var produced: Int64 = 0

  /// Taps of the filter at 48 kHz, more for higher rates in proportion. Measured with sines: flat
  /// to 20 kHz, images of 44.1 kHz below -92 dB, aliases of 96 and 192 kHz below -100 dB.
  private static let taps = 64
  /// Samples from which the continuation is predicted: 23 ms at 44.1 kHz.
  private static let observed = 1_024
  /// How far before a frame a run must begin for the frame to be exact: the filter's half length
  /// is 32 samples up to 48 kHz, 128 at 192 kHz.
  static let settlingSamples: Int64 = 2_048

  /// A converter at the beginning of a run.
  ///
  /// - Throws: `DecoderFailure` if libswresample refuses the rate.
  init(rate: Int64) throws(DecoderFailure) {
    grid = InputGrid(rate: rate)
    guard !grid.isIdentity else { return }
    var stereo = AVChannelLayout()
    av_channel_layout_default(&stereo, 2)
    var input = stereo
    swr_alloc_set_opts2(
      &resampler, &stereo, AV_SAMPLE_FMT_FLT, CInt(InputGrid.outputRate), &input,
      AV_SAMPLE_FMT_FLT, CInt(rate), 0, nil)
    configureFilter()
    guard swr_init(resampler) >= 0 else {
      swr_free(&resampler)
      throw DecoderFailure(
        .notAudio, "it has a sample rate of \(rate) Hz, which cannot be converted")
    }
  }

  deinit { swr_free(&resampler) }

  private func configureFilter() {
    guard let resampler else { return }
    let object = UnsafeMutableRawPointer(resampler)
    av_opt_set_int(object, "filter_size", Int64(Self.taps), 0)
    av_opt_set_double(object, "cutoff", 0.97, 0)
    // Rates whose grid is too fine for one filter per phase interpolate between filters.
    if grid.outputPeriod > 1 << 10 { av_opt_set_int(object, "linear_interp", 1, 0) }
  }

  /// Converts the next samples.
  func convert(_ samples: [Float], into output: inout [Float]) {
    consumed += Int64(samples.count / 2)
    guard !grid.isIdentity else {
      output += samples
      return
    }
    tail = (tail + samples).suffix(Self.observed * 2)
    guard var first = head else { return run(samples, into: &output) }
    first += samples
    head = first
    if first.count >= Self.observed * 2 { begin(into: &output) }
  }

  /// Ends the run: what the filter still holds, to the rounded length exactly.
  func finish(into output: inout [Float]) {
    guard !grid.isIdentity else { return }
    begin(into: &output)
    run(LinearPrediction.continuation(of: tail, frames: reach), into: &output)
    let surplus = Int(produced - grid.frames(consumed))
    if surplus >= 0 {
      output.removeLast(min(output.count, surplus * 2))
    } else {
      output.append(contentsOf: repeatElement(0, count: -surplus * 2))
    }
  }

  /// How far the filter reaches beyond the frame it computes, in input samples, with some to spare
  /// for the frames that libswresample holds back.
  private var reach: Int {
    Self.taps * Int(max(grid.rate, InputGrid.outputRate)) / Int(InputGrid.outputRate) + 64
  }

  /// Feeds the first samples, with their continuation to before the beginning.
  private func begin(into output: inout [Float]) {
    guard let first = head else { return }
    head = nil
    let periods = (Int64(reach) + grid.period - 1) / grid.period
    let count = Int(periods * grid.period)
    produced = -periods * grid.outputPeriod
    let backwards = LinearPrediction.continuation(
      of: reversed(Array(first.prefix(Self.observed * 2))), frames: count)
    run(reversed(backwards) + first, into: &output)
  }

  private func run(_ samples: [Float], into output: inout [Float]) {
    let count = samples.count / 2
    let capacity = max(Int(swr_get_out_samples(resampler, CInt(count))), 0)
    var frames = samples.withUnsafeBytes { bytes in
      var inputs = [bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)]
      return MediaDecoding.convert(resampler, &inputs, count, capacity: capacity)
    }
    let early = min(max(-produced, 0), Int64(frames.count / 2))
    produced += Int64(frames.count / 2)
    if early > 0 { frames.removeFirst(Int(early) * 2) }
    output += frames
  }

  /// The stereo frames in reverse order.
  private func reversed(_ samples: [Float]) -> [Float] {
    stride(from: samples.count - 2, through: 0, by: -2).flatMap { samples[$0..<$0 + 2] }
  }
}
