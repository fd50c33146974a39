// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import DecoderProtocol
internal import House
internal import LinuxNetworking
internal import WireProtocol

extension StreamProducer {
  /// Begins the generation that is waited for, once its first packet can be made.
  func startPending(at now: MediaInstant) {
    guard var start = pending else { return }
    if start.line.live != nil { return startLive(start, at: now) }
    let delay = shared.configuration.playoutDelay
    let lead = FastStart.lead(rooms: rooms.map(\.readiness), delay: delay)
    let soonest = FastStart.firstAudible(at: now, lead: lead, delay: delay)
    let firstAudible = max(start.stamp ?? soonest, soonest)
    if let stamp = start.stamp, start.skipsWhenLate {
      start.content += firstAudible - stamp
    }
    let (end, isFinished) = start.line.history.extent
    let needed = max(start.needed, reserve(of: start))
    if end < start.content + needed, !isFinished {
      start.line.history.consume(to: min(end, start.content))
      return
    }
    guard start.content < end else { return finishWithoutSound(start, at: soonest) }
    guard isQuiet(for: start.line, at: now) else { return }
    begin(start, firstAudible: firstAudible)
  }

  /// The line that was waited for has come to its end, and there is nothing (more) in it.
  private func finishWithoutSound(_ start: PendingStart, at frame: MediaFrame) {
    pending = nil
    // What sounds is of the same line: it rings out, and ends by itself.
    if generation != nil, start.line.number == line?.number { return }
    endGeneration(at: frame, fadeMilliseconds: Self.crossFadeMilliseconds)
    start.line.history.cancel()
    dropLine()
    phase = .idle
    guard let mark = start.line.history.mark(at: start.content) else { return }
    let text = mark.sourceFrame > 0 ? "it ends before that place" : "there is no sound in it"
    emit(.trackFailed(mark.itemID, DecoderFailure(.noSound, text)))
  }

  func begin(_ start: PendingStart, firstAudible: MediaFrame) {
    pending = nil
    let ssrc = nextName()
    heardTitle = nil
    endGeneration(at: firstAudible, fadeMilliseconds: Self.crossFadeMilliseconds)
    dropLine(unless: start.line.number)
    line = start.line
    delay = beginDelay(of: start.line)
    let announce = announcement(of: ssrc, firstAudible: firstAudible, live: start.line.live)
    let grid = PacketGrid(
      firstStamp: firstAudible - Int64(announce.lookAheadFrames),
      packetFrames: start.line.packetFrames,
      delayRamp: delay)
    let kept = longestDelay(of: start.line.live) + .seconds(2)
    let store = PacketStore(ssrc: ssrc, capacity: grid.due(at: grid.firstStamp.instant + kept))
    generation = Generation(
      announce: announce, grid: grid, history: start.line.history, store: store,
      live: start.line.live,
      firstContent: start.content, laidOut: start.content)
    encoder.begin()
    phase = .playing
    shared.media.post(.send(grid, store))
    log.info("generation \(ssrc) begins at frame \(firstAudible.index)")
    emit(.generationStarted(announce))
    layOutFirstRun(of: start)
  }

  private func announcement(
    of ssrc: SSRC, firstAudible: MediaFrame, live: LiveTrack?
  ) -> StreamAnnounce {
    StreamAnnounce(
      groupID: shared.configuration.groupID, ssrc: ssrc, clockID: shared.clock.clockID,
      clockPort: shared.socket.localAddress.port, lookAheadFrames: UInt32(encoder.lookAhead),
      firstAudible: firstAudible, delayRamp: delay, retransmission: ssrc.retransmission,
      deviceFill: live?.delay.deviceFill)
  }

  private func nextName() -> SSRC {
    let (ssrc, save) = counter.next()
    if let save { storage.save(save) }
    return ssrc
  }

  /// Ends the generation that sounds, in every room at `frame`.
  func endGeneration(at frame: MediaFrame, fadeMilliseconds: UInt16) {
    guard let ending = generation else { return }
    generation = nil
    shared.media.post(.silence)
    timeline.cut(at: frame)
    forgetUnheard(from: frame)
    if let end = ending.endFrame, end <= frame { return }
    flush(ending.ssrc, from: frame, fadeMilliseconds: fadeMilliseconds)
    quietFrom =
      delay.heardTime(of: frame) + .milliseconds(Int64(fadeMilliseconds)) + Self.quietMargin
  }

  func flush(_ ssrc: SSRC, from frame: MediaFrame, fadeMilliseconds: UInt16) {
    flushSerial &+= 1
    let flush = FlushPacket(
      ssrc: ssrc, serial: flushSerial, fromFrame: frame, fadeMilliseconds: fadeMilliseconds)
    shared.media.post(.flush(flush))
    emit(.flush(flush))
  }

  /// A track that takes long to open does not keep the old one sounding.
  func endOverduePatience(at now: MediaInstant) {
    guard let pending, generation != nil, pending.line.number != line?.number,
      now - pending.since >= Self.patience
    else { return }
    endGeneration(at: pauseFrame(at: now), fadeMilliseconds: Self.pauseFadeMilliseconds)
    dropLine()
  }

  /// After a sleep of the host the clock is another. Rooms have played on what they held: the new
  /// generation takes over where they are now, or begins where they ran dry.
  func renewClock() {
    guard let renewal = shared.clock.renewIfHostSlept() else { return }
    log.notice("the host slept: the media clock begins anew")
    // What was stamped later than this had not left.
    let last = generation.map { min(MediaFrame(lastLook), $0.stamp(of: $0.decodableContent)) }
    let playing = delay.stamp(heardAt: renewal.before)
    let heard = last.map { min(playing, $0) } ?? delay.stamp(heardAt: lastLook)
    // A ramp is of the old clock's frames.
    delay = DelayRamp(constant: delay.delay(at: heard))
    let place = timeline.position(at: heard)
    unheard = []
    unheardTitles = []
    emit(.clockChanged(renewal.clockID))
    let now = look()
    standStill(at: place, since: delay.stamp(heardAt: now))
    quietFrom = now
    if var waiting = pending {
      (waiting.stamp, waiting.since, waiting.earliest) = (nil, now, nil)
      pending = waiting
    }
    guard let ending = generation, let line else { return }
    generation = nil
    shared.media.post(.silence)
    guard pending == nil else { return }
    let isHeard = playing == heard
    pending = PendingStart(
      line: line, content: ending.content(at: heard),
      stamp: isHeard ? delay.stamp(heardAt: now) : nil, skipsWhenLate: isHeard,
      needed: line.packetFrames, since: now)
  }

  /// Until something is heard in the new clock, the position is where it was in the old one.
  private func standStill(at place: StreamPosition?, since frame: MediaFrame) {
    timeline = StreamTimeline()
    guard let place else { return }
    timeline.begin(
      PositionRun(itemID: place.itemID, firstFrame: frame, sourceFrame: place.sourceFrame))
    timeline.cut(at: frame)
  }
}
