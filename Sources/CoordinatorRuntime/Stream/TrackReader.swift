// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import DecoderProtocol
internal import House

/// What a reader tells the producer.
enum ReaderReport: Sendable {
  case opened(ItemID)
  case failed(ItemID, DecoderFailure)
  /// The server of a live stream has gone, or is back.
  case connection(ItemID, StreamConnection)
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

  /// A live input's reader works for microseconds at a time, and is waited for: it comes before ordinary
  /// threads, and after the media thread.
  static let livePriority: Int32 = 15

  /// Starts the thread.
  func start(isLive: Bool = false, log: Log) throws(ProcessError) {
    _ = try NamedThread(
      "reader", urgency: isLive ? .realTime(priority: Self.livePriority) : .normal, log: log
    ) { run() }
  }

  private func run() {
    while case .read(let track, let epoch) = history.nextInstruction() {
      read(track, epoch: epoch)
    }
  }

  private func read(_ track: TrackRequest, epoch: Int) {
    guard let source = opened(track, epoch: epoch) else { return }
    guard history.begin(source, for: track, epoch: epoch) else {
      source.cancel()
      return
    }
    report(.opened(track.itemID))
    copy(source, of: track, epoch: epoch)
  }

  /// The source of a track; nil when it has failed, which is told, or is not wanted any more.
  private func opened(_ track: TrackRequest, epoch: Int) -> (any PCMSource)? {
    do throws(DecoderFailure) {
      return try open(track)
    } catch {
      // A station that nobody reaches now may be there in a minute; what a server refuses it refuses.
      if track.isWaitedFor, error.reason == .network {
        return reopen(track, after: error, epoch: epoch)
      }
      report(.failed(track.itemID, error))
      return nil
    }
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

  private func copy(_ first: any PCMSource, of track: TrackRequest, epoch: Int) {
    let factor = factor(of: track)
    var source = first
    while true {
      switch source.next() {
      case .samples(var samples):
        if factor != 1 { for index in samples.indices { samples[index] *= factor } }
        guard history.append(samples, epoch: epoch) else {
          source.cancel()
          return
        }
      case .title(let title): history.note(title, of: track.itemID, epoch: epoch)
      case .connection(let connection): report(.connection(track.itemID, connection))
      case .end: return
      case .failure(let failure) where source.info.isLive:
        guard let fresh = reopen(track, after: failure, epoch: epoch) else { return }
        source = fresh
      case .failure(let failure):
        report(.failed(track.itemID, failure))
        return
      }
    }
  }

  /// How long to wait before a live stream whose decoder has failed is opened again, in milliseconds,
  /// at first and at most; doubled in between. Servers that go and come back are the decoder's affair:
  /// this is for what crashes it, what it cannot go on with, and a station that was never reached.
  private static let pause = (first: 500, longest: 30_000)

  /// Opens a live stream again, for as long as it takes.
  ///
  /// - Returns: The stream; nil when it is not wanted any more.
  private func reopen(
    _ track: TrackRequest, after failure: DecoderFailure, epoch: Int
  ) -> (any PCMSource)? {
    var (reason, pause) = (failure.text, Self.pause.first)
    while true {
      report(.connection(track.itemID, .lost(reason: reason, nextTryMilliseconds: pause)))
      guard history.rest(milliseconds: pause, epoch: epoch) else { return nil }
      do throws(DecoderFailure) {
        let source = try open(track)
        guard history.adopt(source, epoch: epoch) else {
          source.cancel()
          return nil
        }
        report(.connection(track.itemID, .connected))
        return source
      } catch { reason = error.text }
      pause = min(Self.pause.longest, pause * 2)
    }
  }
}
