// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import DecoderProtocol
internal import House

/// What a reader tells the producer.
enum ReaderReport: Sendable {
  case opened(ItemID)
  case failed(ItemID, DecoderFailure)
}

/// Reads the tracks of one line, one after the other, on a thread of its own.
///
/// Opening and reading block on the decoder for as long as that takes; nobody waits for this thread.
/// It ends when its line is cancelled.
struct TrackReader: Sendable {
  let history: PCMHistory
  let sources: any PCMSourceOpener
  let inputs: LiveInputs
  let report: @Sendable (ReaderReport) -> Void

  /// Starts the thread.
  func start(log: Log) throws(ProcessError) {
    _ = try NamedThread("reader", log: log) { run() }
  }

  private func run() {
    while case .read(let track, let epoch) = history.nextInstruction() {
      read(track, epoch: epoch)
    }
  }

  private func read(_ track: TrackRequest, epoch: Int) {
    let source: any PCMSource
    do throws(DecoderFailure) {
      source = try open(track)
    } catch {
      report(.failed(track.itemID, error))
      return
    }
    guard history.begin(source, for: track, epoch: epoch) else {
      source.cancel()
      return
    }
    report(.opened(track.itemID))
    copy(source, of: track, epoch: epoch)
  }

  private func open(_ track: TrackRequest) throws(DecoderFailure) -> any PCMSource {
    switch track.source {
    case .media(let location): try sources.open(location, startFrame: track.startFrame)
    case .input(let live): try inputs.open(live)
    }
  }

  /// What the samples of a track are multiplied with.
  private func factor(of track: TrackRequest) -> Float {
    guard track.loudness != .off, case .media(let location) = track.source else { return 1 }
    return LoudnessLaw.factor(sources.loudness(of: location), track.loudness)
  }

  private func copy(_ source: any PCMSource, of track: TrackRequest, epoch: Int) {
    let factor = factor(of: track)
    while true {
      switch source.next() {
      case .samples(var samples):
        if factor != 1 { for index in samples.indices { samples[index] *= factor } }
        guard history.append(samples, epoch: epoch) else {
          source.cancel()
          return
        }
      case .end: return
      case .failure(let failure):
        report(.failed(track.itemID, failure))
        return
      }
    }
  }
}
