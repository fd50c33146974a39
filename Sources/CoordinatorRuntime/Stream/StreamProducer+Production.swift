// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import OpusCodec
internal import WireProtocol

extension StreamProducer {
  /// Makes the packets that are due, a few ahead, and not more than a turn's worth.
  func produce(at now: MediaInstant) {
    hasMore = false
    guard var current = generation, current.endContent == nil, let line else { return }
    // Of a line whose follower was taken back, the next generation makes the rest.
    guard pending?.line.number != line.number else { return }
    guard current.grid.due(at: now + Self.lowWater) > current.packets else { return }
    let target = current.grid.due(at: now + Self.highWater)
    let before = current.packets
    while current.packets < target, current.endContent == nil {
      guard current.packets < before + Self.packetsPerTurn else {
        hasMore = true
        break
      }
      guard makePacket(of: &current) else { break }
    }
    generation = current
    guard current.packets > before else { return }
    shared.media.poller.wake()
    line.history.consume(to: current.nextContent)
    layOutRuns(upTo: current.nextContent)
    if current.endContent != nil { tellEnd(of: current) }
  }

  /// Makes one packet, if its content is there; at the end of the line, all that are left.
  ///
  /// - Returns: Whether there may be another.
  private func makePacket(of current: inout Generation) -> Bool {
    let (end, isFinished) = current.history.extent
    let isWhole = current.nextContent + current.grid.packetFrames <= end
    guard isWhole || isFinished else { return false }
    do throws(OpusError) {
      try encoder.appendPacket(to: &current)
      guard !isWhole else { return true }
      // Silence follows in this packet, so it is the end for good, whatever is added now. The last
      // frames come out of the decoder `lookAhead` later than they went in.
      while current.decodableContent < end { try encoder.appendPacket(to: &current) }
      current.endContent = end
      return false
    } catch {
      log.error("a packet cannot be encoded (\(error)): it is left out")
      return false
    }
  }

  private func tellEnd(of current: Generation) {
    emit(.streamEnds(StreamEnd(ssrc: current.ssrc, endFrame: current.endFrame)))
  }

  /// How long before silence the rooms must know that the music ends there.
  private static var lastCall: Nanoseconds { .milliseconds(100) }

  /// When the music does not come in time, something has to be decided before the rooms run dry.
  func watchForStarvation(at now: MediaInstant) {
    guard pending == nil, let current = generation, current.endContent == nil, let line else {
      return
    }
    let heard = current.grid.heardTime(of: current.packets)
    if line.history.awaitsSuccessor {
      // Nobody says what follows: the rooms must learn that it ends while they still can.
      if heard - now < Self.lastCall { line.history.follow(with: .none) }
    } else if heard - now < (current.live == nil ? Self.shortestPauseLead : .zero) {
      rebuffer(current, in: line, at: now)
    }
  }

  /// The source has been too slow for D: wait for half a second of music and go on where it
  /// stopped, instead of playing scraps.
  private func rebuffer(_ current: Generation, in line: Line, at now: MediaInstant) {
    log.warning("no music in time (a slow source, or this host stood still): waiting for more")
    let content = current.decodableContent
    endGeneration(
      at: current.stamp(of: content), fadeMilliseconds: Self.pauseFadeMilliseconds)
    pending = PendingStart(
      line: line, content: content,
      needed: line.live?.packetFrames ?? MediaFrame.rate / 2, since: now)
    phase = .opening
  }
}

// MARK: - What is laid out, and what is heard

extension StreamProducer {
  /// Lays out the run that a generation begins in.
  func layOutFirstRun(of start: PendingStart) {
    guard let current = generation, let mark = current.history.mark(at: start.content) else {
      return
    }
    layOut(mark, from: max(start.content, mark.content))
    layOutTitles(in: start.content..<start.content + 1)
  }

  /// Lays out the tracks that begin in what has been encoded.
  func layOutRuns(upTo content: Int64) {
    guard let current = generation else { return }
    let end = current.endContent.map { min($0, content) } ?? content
    guard current.laidOut + 1 < end else { return }
    for mark in current.history.marks(in: current.laidOut + 1..<end) {
      layOut(mark, from: mark.content)
    }
    layOutTitles(in: current.laidOut + 1..<end)
    generation?.laidOut = end - 1
  }

  private func layOut(_ mark: TrackMark, from content: Int64) {
    guard let current = generation else { return }
    let run = PositionRun(
      itemID: mark.itemID, firstFrame: current.stamp(of: content),
      sourceFrame: mark.sourceFrame + content - mark.content)
    timeline.begin(run)
    unheard.removeAll { $0.firstFrame >= run.firstFrame }
    unheard.append(run)
    emit(.trackStarted(run, mark.info))
  }

  /// Reports the runs whose first frame is heard by now, and the end.
  func tellWhatIsHeard(at now: MediaInstant) {
    let heard = delay.stamp(heardAt: now)
    while let run = unheard.first, run.firstFrame <= heard {
      unheard.removeFirst()
      timeline.forget(before: heard)
      emit(.trackHeard(run))
    }
    tellHeardTitles(at: heard)
    guard let current = generation, pending == nil, let end = current.endFrame, end <= heard else {
      return
    }
    generation = nil
    shared.media.post(.silence)
    timeline.cut(at: end)
    dropLine()
    phase = .idle
    emit(.finished(at: end))
  }

  /// Says what comes after `item`, or after the track that is being read.
  func follow(with successor: Successor, after item: ItemID?) {
    guard let line = pending?.line ?? line else { return }
    switch item.map(line.history.place) ?? .last {
    case .followed(let boundary): return takeBack(from: boundary, in: line, successor)
    // An answer that has been overtaken: the track is not in the line any more.
    case .unknown: return
    case .last: break
    }
    if let current = generation, let end = current.endContent, pending == nil {
      append(successor, at: end, to: current, in: line)
    } else {
      line.history.follow(with: successor)
    }
  }

  /// All packets have been made: what follows after all begins where they end.
  private func append(
    _ successor: Successor, at end: Int64, to current: Generation, in line: Line
  ) {
    guard case .track = successor else { return }
    line.history.follow(with: successor)
    pending = PendingStart(
      line: line, content: end, stamp: current.stamp(of: end), needed: line.packetFrames,
      since: look())
  }

  /// Another follower than the one that was laid out.
  private func takeBack(from boundary: Int64, in line: Line, _ successor: Successor) {
    guard let current = generation, pending == nil, current.nextContent > boundary else {
      line.history.replace(from: boundary, with: successor)
      return
    }
    let stamp = current.stamp(of: boundary)
    guard delay.heardTime(of: stamp) - look() > Self.longestPauseLead else {
      log.info("the queue was changed too late: the old follower is heard already")
      return
    }
    line.history.replace(from: boundary, with: successor)
    switch successor {
    case .track:
      pending = PendingStart(
        line: line, content: boundary, stamp: stamp, needed: line.packetFrames, since: look())
    case .none, .unknown:
      generation?.endContent = boundary
      timeline.cut(at: stamp)
      forgetUnheard(from: stamp)
      flush(current.ssrc, from: stamp, fadeMilliseconds: Self.crossFadeMilliseconds)
    }
  }
}
