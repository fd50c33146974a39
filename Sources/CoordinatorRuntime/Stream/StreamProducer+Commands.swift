// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import DecoderProtocol
internal import House
internal import LinuxNetworking
internal import WireProtocol

extension StreamProducer {
  /// The rooms' fade when one generation takes over from another (design section 5).
  static var crossFadeMilliseconds: UInt16 { 10 }
  /// The fade of pause and stop: no click, and silence well within 120 ms of the button.
  static var pauseFadeMilliseconds: UInt16 { 25 }
  /// A pause is due this long after the button at least: the order has to reach every room, and
  /// rooms have handed 40-50 ms to their device.
  static var shortestPauseLead: Nanoseconds { .milliseconds(60) }
  /// A room with a slower device cuts late rather than let the others play on.
  static var longestPauseLead: Nanoseconds { .milliseconds(90) }
  /// One block and the way of a datagram, beside the device.
  static var pauseMargin: Nanoseconds { .milliseconds(12) }
  /// A pause keeps this much behind what is encoded, beyond D.
  static var historyBeyondDelay: Nanoseconds { .seconds(1) }
  /// How far a reader is ahead of the encoder.
  static var readAhead: Nanoseconds { .seconds(1) }

  func perform(_ command: ProducerCommand) {
    switch command {
    case .play(let track): play(track, stamp: nil)
    case .takeUp(let track, let firstAudible): play(track, stamp: firstAudible)
    case .follow(let successor, let item): follow(with: successor, after: item)
    case .pause: pause(at: look())
    case .resume: resume(at: look())
    case .stop: stop(at: look())
    case .serve(let rooms):
      serve(rooms)
    case .heed(let deliveries): follow(deliveries, at: look())
    case .reader(let report, let number): take(report, from: number)
    case .shutDown(let fade): shutDown(fade: fade, at: look())
    }
  }

  private func play(_ track: TrackRequest, stamp: MediaFrame?) {
    dropPending()
    guard let line = openLine(with: track) else { return }
    if generation == nil { dropLine() }
    pending = PendingStart(
      line: line, content: 0, stamp: stamp, skipsWhenLate: true, needed: line.packetFrames,
      since: look())
    phase = .opening
  }

  private func pause(at now: MediaInstant) {
    if let pending, generation == nil || pending.line.number != line?.number {
      // The new music is not there yet: what still sounds is not what the listener wants back.
      endGeneration(at: pauseFrame(at: now), fadeMilliseconds: Self.pauseFadeMilliseconds)
      dropLine(unless: pending.line.number)
      line = pending.line
      pausedAt = pending.content
      self.pending = nil
      phase = .paused
      reportPause(in: pending.line, at: pending.content)
      return
    }
    guard phase == .playing || phase == .opening, let generation, let line else { return }
    let frame = max(pauseFrame(at: now), generation.firstAudible)
    // The last sounds of the queue ring out within the fade: that is the end, not a pause.
    if let end = generation.endFrame, frame >= end, pending == nil { return }
    pending = nil
    pausedAt = generation.content(at: frame)
    endGeneration(at: frame, fadeMilliseconds: Self.pauseFadeMilliseconds)
    phase = .paused
    reportPause(in: line, at: pausedAt)
  }

  private func resume(at now: MediaInstant) {
    guard phase == .paused, let line else { return }
    pending = PendingStart(
      line: line, content: pausedAt, needed: line.packetFrames, since: now)
    phase = .opening
    line.history.consume(to: pausedAt)
  }

  private func stop(at now: MediaInstant) {
    dropPending()
    endGeneration(at: pauseFrame(at: now), fadeMilliseconds: Self.pauseFadeMilliseconds)
    dropLine()
    phase = .idle
  }

  private func shutDown(fade: Nanoseconds, at now: MediaInstant) {
    dropPending()
    let milliseconds = UInt16(clamping: fade.count / 1_000_000)
    endGeneration(at: pauseFrame(at: now), fadeMilliseconds: milliseconds)
    dropLine()
    phase = .idle
    // The last repetition of a flush goes out at 40 ms.
    shared.media.post(.shutDown(by: LocalClock.now() + .milliseconds(100)))
    isShutDown = true
  }

  private func take(_ report: ReaderReport, from number: Int) {
    // What an old line still reads is of no interest once another is waited for.
    guard number == (pending?.line ?? line)?.number else { return }
    switch report {
    case .opened(let item): emit(.needsNext(after: item))
    case .failed(let item, let failure):
      log.debug("item \(item.rawValue): \(failure.text)")
      emit(.trackFailed(item, failure))
    case .connection(let item, let connection): emit(.connection(item, connection))
    }
  }

  private func reportPause(in line: Line, at content: Int64) {
    guard let mark = line.history.mark(at: content) else { return }
    let source = mark.sourceFrame + content - mark.content
    emit(.paused(at: StreamPosition(itemID: mark.itemID, sourceFrame: source)))
  }

  /// The stamp at which a pause asked for at `now` cuts.
  func pauseFrame(at now: MediaInstant) -> MediaFrame {
    let slowest = rooms.map(\.readiness.outputLatency).max() ?? .zero
    let lead = min(
      max(slowest + Self.pauseMargin, Self.shortestPauseLead), Self.longestPauseLead)
    let frame = delay.stamp(heardAt: now + lead)
    guard let generation, generation.live != nil else { return frame }
    // A live input has nothing beyond its newest packet: the fade has to end there.
    let fade = Int64(Self.pauseFadeMilliseconds) * MediaFrame.rate / 1_000
    return min(frame, generation.stamp(of: generation.decodableContent) - fade)
  }
}

// MARK: - Lines

extension StreamProducer {
  /// Starts reading a new line.
  private func openLine(with track: TrackRequest) -> Line? {
    lineNumber += 1
    let number = lineNumber
    let mailbox = shared.producer
    do {
      let history = try PCMHistory(
        first: track,
        behind: frames(in: longestDelay(of: track.source.live) + Self.historyBeyondDelay),
        ahead: frames(in: Self.readAhead), wakeProducer: { mailbox.poller.wake() })
      let reader = TrackReader(history: history, sources: sources, inputs: inputs) { report in
        mailbox.post(.reader(report, line: number))
      }
      try reader.start(isLive: track.source.live != nil, log: log)
      return Line(number: number, history: history, live: track.source.live)
    } catch {
      log.error("no track can be read: \(error)")
      emit(
        .trackFailed(track.itemID, DecoderFailure(.decoderUnavailable, String(describing: error))))
      return nil
    }
  }

  /// Gives up the line that is waited for, unless it is the one that sounds.
  func dropPending() {
    if let pending, pending.line.number != line?.number { pending.line.history.cancel() }
    pending = nil
  }

  /// Gives up the line that sounds, unless it is this one.
  func dropLine(unless number: Int? = nil) {
    guard let line, line.number != number else { return }
    line.history.cancel()
    self.line = nil
  }

  private func frames(in time: Nanoseconds) -> Int64 {
    time.count * MediaFrame.rate / 1_000_000_000
  }
}
