// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DecoderProtocol
internal import LinuxNetworking
internal import Synchronization

/// The live inputs of the house, by name.
struct LiveInputs: Sendable {
  private let inputs: [String: PipeInput]

  /// These inputs; their names differ.
  init(_ inputs: [PipeInput] = []) {
    self.inputs = Dictionary(inputs.map { ($0.configuration.name, $0) }) { first, _ in first }
  }

  /// Listens to an input.
  ///
  /// - Throws: When there is none of that name, or the process is out of descriptors.
  func open(_ track: LiveTrack) throws(DecoderFailure) -> any PCMSource {
    guard let input = inputs[track.name] else {
      throw DecoderFailure(.missing, "there is no input \(track.name)")
    }
    do {
      return try LiveSource(input, block: Int(track.packetFrames))
    } catch {
      throw DecoderFailure(.other, "\(error)")
    }
  }
}

/// A live input as music that never ends: a block whenever one is due by this host's clock, which is the
/// media clock's pace. A block that was not asked for in time is made late, never left out, so that what
/// is heard stays where it belongs.
final class LiveSource: PCMSource {
  let info: MediaInfo
  private let input: PipeInput
  private let listener: Int
  private let blockTime: Nanoseconds
  private let poller: Poller
  private let isCancelled = Atomic(false)
  /// When the next block is due: the first one's moment and the blocks since. `next` alone uses it.
  private let clock: Mutex<(began: LocalInstant, blocks: Int64)>

  init(_ input: PipeInput, block: Int) throws(NetworkError) {
    self.input = input
    // 240 or 960 frames: whole nanoseconds.
    blockTime = Nanoseconds(Int64(block) * 1_000_000_000 / MediaFrame.rate)
    poller = try Poller()
    var info = MediaInfo()
    info.title = input.configuration.name
    info.codec = "pcm"
    info.sampleRate = input.configuration.rate
    info.channels = 2
    self.info = info
    listener = input.listen(block: block)
    clock = Mutex((LocalClock.now(), 0))
  }

  func next() -> PCMRead {
    let due = clock.withLock { clock in
      clock.blocks += 1
      return clock.began + blockTime * clock.blocks
    }
    while !isCancelled.load(ordering: .acquiring), LocalClock.now() < due {
      poller.wait(until: due) { _ in }
    }
    var samples: [Float] = []
    guard !isCancelled.load(ordering: .acquiring), input.read(listener, at: due, into: &samples)
    else { return .end(DecoderEnd(sourceFrames: 0, ending: .stopped)) }
    return .samples(samples)
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    input.leave(listener)
    poller.wake()
  }
}
