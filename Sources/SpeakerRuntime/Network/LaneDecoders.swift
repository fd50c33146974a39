// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import OpusCodec
internal import Playout
internal import RealtimeAudio

/// Carries out decode steps: one decoder a lane, lanes filled to the frame. Lives on the network thread.
final class LaneDecoders {
  /// The decoder of one lane; a class, so that four of them can stand in an array.
  private final class Slot {
    private var decoder: OpusDecoder?

    func renew() throws(OpusError) { decoder = try OpusDecoder() }

    func drop() { decoder = nil }

    func decode(_ payload: [UInt8], into samples: inout [Float]) throws(OpusError) -> Int {
      var room = samples.mutableSpan
      return try decoder?.decode(payload.span, into: &room) ?? 0
    }

    func conceal(_ frames: Int, into samples: inout [Float]) throws(OpusError) -> Int {
      var room = samples.mutableSpan
      return try decoder?.conceal(frames: frames, into: &room) ?? 0
    }
  }

  private let bank: LaneBank
  private let log: Log
  private let slots = (0..<LaneBank.laneCount).map { _ in Slot() }
  private var samples: [Float]
  /// Packets that the decoder refused.
  private(set) var failures = 0

  /// Decoders that fill `bank`.
  init(bank: LaneBank, log: Log) {
    self.bank = bank
    self.log = log
    samples = [Float](repeating: 0, count: 2 * OpusFormat.maximumPacketFrames)
  }

  /// Carries out a step; what cannot be decoded becomes silence of the same length.
  func perform(_ step: DecodeStep) {
    switch step {
    case .open(let lane, _, let first, let audible):
      open(lane, from: first, firstAudible: audible)
    case .preroll(let lane, let payload, _):
      _ = decode(payload, in: lane)
    case .decode(let lane, let payload, _, let frames, let envelope):
      append(decode(payload, in: lane), of: frames, envelope, to: lane)
    case .conceal(let lane, let frames, let envelope):
      append(conceal(frames, in: lane), of: frames, envelope, to: lane)
    case .silence(let lane, let frames):
      bank[lane].appendSilence(frames)
    case .close(let lane):
      slots[lane].drop()
    }
  }

  private func open(_ lane: Int, from first: MediaFrame, firstAudible: MediaFrame) {
    do throws(OpusError) {
      try slots[lane].renew()
    } catch {
      log.error("no decoder: \(error); this stream stays silent", kind: "decoder")
    }
    bank[lane].open(from: first, firstAudible: firstAudible)
  }

  /// Decodes into `samples`.
  ///
  /// - Returns: Frames of music there, 0 when there is none.
  private func decode(_ payload: [UInt8], in lane: Int) -> Int {
    do throws(OpusError) {
      return try slots[lane].decode(payload, into: &samples)
    } catch {
      log.warning("a packet could not be decoded: \(error)", kind: "decode")
      failures += 1
      return 0
    }
  }

  private func conceal(_ frames: Int, in lane: Int) -> Int {
    do throws(OpusError) {
      return try slots[lane].conceal(frames, into: &samples)
    } catch {
      return 0
    }
  }

  private func append(_ decoded: Int, of frames: Int, _ envelope: StepEnvelope, to lane: Int) {
    let count = min(decoded, frames)
    if envelope != .unity {
      for frame in 0..<count {
        let gain = envelope.gain(at: frame)
        samples[2 * frame] *= gain
        samples[2 * frame + 1] *= gain
      }
    }
    bank[lane].append(samples.span.extracting(0..<2 * count))
    if count < frames { bank[lane].appendSilence(frames - count) }
  }
}
