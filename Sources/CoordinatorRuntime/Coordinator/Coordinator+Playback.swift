// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import DecoderProtocol
internal import House
internal import WireProtocol

extension Coordinator {
  /// Carries out a command of the transport.
  ///
  /// - Throws: `TransportRefusal`; nothing has changed then.
  func perform(_ command: TransportCommand) throws(TransportRefusal) {
    let effects: [TransportEffect]
    do throws(TransportRefusal) { effects = try transport.perform(command) } catch {
      // The queue knows a station by its address; people know its name.
      guard case .live = error, case .seek = command, let id = transport.queue.current else {
        throw error
      }
      throw .live(stationName(id))
    }
    if effects.contains(.stop) { log.info("stopping") }
    carryOut(effects)
  }

  /// Has the engine do what the transport decided.
  func carryOut(_ effects: [TransportEffect]) {
    var pending = effects[...]
    while let effect = pending.popFirst() { pending += carryOut(effect) }
  }

  /// One effect; a track that has no file any more fails at once, which may have effects of its own.
  private func carryOut(_ effect: TransportEffect) -> [TransportEffect] {
    switch effect {
    case .play(let item, let frame):
      guard let source = source(of: item) else { return missing(item) }
      log.info("playing \(item.label)" + (frame > 0 ? " from \(seconds(frame)) s" : ""))
      awaitsGeneration = true
      leaveBroadcasts()
      armRooms()
      player.play(request(for: item, source, from: frame))
    case .setNext(let item?, let before):
      guard let source = source(of: item) else { return missing(item) }
      player.setNext(request(for: item, source), after: before)
    case .setNext(nil, let before): player.setNext(nil, after: before)
    case .pause:
      log.info("pausing")
      player.pause()
    case .resume:
      log.info("resuming")
      armRooms()
      player.resume()
    case .stop:
      leaveBroadcasts()
      player.stop()
    }
    return []
  }

  private func missing(_ item: QueueItem) -> [TransportEffect] {
    let reason =
      item.source.isLive
      ? "the coordinator was started without this input"
      : "the uploaded file is not there any more"
    log.warning("\(item.label): \(reason)")
    return transport.receive(.trackFailed(item.id, reason: reason))
  }

  private func request(
    for item: QueueItem, _ source: TrackSource, from frame: Int64 = 0
  ) -> TrackRequest {
    var request = TrackRequest(itemID: item.id, source: source, startFrame: frame)
    request.loudness = loudness(for: item)
    if case .station = item.source { request.isWaitedFor = true }
    return request
  }

  func source(of item: QueueItem) -> TrackSource? {
    switch item.source {
    case .file(let path): .media(.file(path: path))
    case .url(let url), .station(let url): .media(.url(url))
    case .upload(let id): parts.spool.upload(id).map { .media(.file(path: $0.path)) }
    case .input(let name):
      configuration.inputs.first { $0.name == name }
        .map { .input(LiveTrack(name: name, delay: $0.delay)) }
    }
  }

  /// Takes in what the engine tells.
  func receive(_ event: EngineEvent) {
    switch event {
    case .generationStarted(let announce):
      awaitsGeneration = false
      broadcast(.streamAnnounce(announce))
    case .delayChanged(let announce): broadcast(.streamAnnounce(announce))
    case .trackStarted(let run, let info): learn(info, of: run.itemID)
    case .trackHeard(let run): carryOut(transport.receive(.trackHeard(run.itemID)))
    case .titleHeard(let id, let title): heard(title, of: id)
    case .connection(let id, let connection): self.connection(connection, of: id)
    case .trackFailed(let id, let failure): trackFailed(id, failure)
    case .needsNext(let id): carryOut(transport.receive(.needsNext(after: id)))
    case .flush(let flush): broadcast(.flush(flush))
    case .streamEnds(let end): broadcast(.streamEnd(end))
    case .paused: break
    case .finished:
      // An end that was under way when something new was asked for is not the new one's end.
      guard !awaitsGeneration else { break }
      carryOut(transport.receive(.finished))
      if transport.state == .stopped { log.info("the queue has come to its end") }
    case .clockAsked(let address): heard(address)
    case .clockChanged(let id):
      log.notice("this host slept: the media clock begins anew (\(id.rawValue))")
    }
    settle()
  }

  private func trackFailed(_ id: ItemID, _ failure: DecoderFailure) {
    let item = transport.queue.item(id)
    log.warning("\(item.map(Self.place) ?? "a removed track") cannot be played: \(failure.text)")
    carryOut(transport.receive(.trackFailed(id, reason: failure.text)))
    // One line an event: of a single failure the reason to stop says nothing new.
    if transport.state == .stopped, transport.failures.count > 1, let reason = transport.stopReason
    {
      log.warning(reason)
    }
  }

  /// Where a track is, so that a person finds it.
  static func place(of item: QueueItem) -> String {
    switch item.source {
    case .file(let path): path
    case .url(let url), .station(let url): url
    case .upload: "the upload \(item.label)"
    case .input(let name): "the input \(name)"
    }
  }

  private func learn(_ info: MediaInfo, of id: ItemID) {
    func text(_ value: String) -> String? { value.isEmpty ? nil : value }
    media[id] = KnownMedia(
      title: text(info.title), artist: text(info.artist), album: text(info.album),
      durationFrames: info.durationFrames)
    if info.isLive { learnBroadcast(info, of: id) }
    // What left the queue is of no interest any more.
    if media.count > 2 * transport.queue.items.count + 16 {
      let present = Set(transport.queue.items.map(\.id))
      media = media.filter { present.contains($0.key) }
    }
  }

  /// Takes up the stream of the program that was here before.
  func takeUp(_ plan: RestartPlan) {
    guard let item = transport.queue.item(plan.itemID), let source = source(of: item) else {
      return
    }
    log.notice(
      "going on with \(item.label) at \(seconds(plan.sourceFrame)) s, as before the restart")
    serveRememberedRooms()
    player.resumeAfterRestart(
      request(for: item, source, from: plan.sourceFrame),
      firstAudible: plan.firstAudible)
  }

  /// The frame of the current track that is heard, or at which it will go on; nil when stopped.
  func currentFrame() -> Int64? {
    guard transport.state != .stopped, let current = transport.queue.current else { return nil }
    if let frame = transport.resumeFrame { return frame }
    // Until a new track is heard, the engine still tells of the old one.
    guard let position = player.position(), position.itemID == current else { return 0 }
    return max(0, position.sourceFrame)
  }

  /// Frames of a track as seconds with two decimals, for the log.
  private func seconds(_ frame: Int64) -> Double {
    (Double(frame) / Double(MediaFrame.rate) * 100).rounded() / 100
  }
}
