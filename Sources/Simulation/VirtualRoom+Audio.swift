// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import Playout
internal import RealtimeAudio
internal import WireProtocol

// The audio thread of a virtual room: reads the card, plans blocks, renders them, writes them; and,
// beside it, the truth: when each block was heard, and when it was due.

extension VirtualRoom {
  func wakeAudio() {
    if isCardAway, !openCard() { return }
    let dry = card.underrunFrames
    readCard(at: world.now)
    if card.underrunFrames != dry { restartCard() }
    judgeHeard()
    let fill = Int64(configuration.fill * Double(configuration.card.rate))
    while card.written - card.playing(at: world.now) < fill { renderBlock() }
    let wake = host.local(at: world.now) + Nanoseconds(seconds: 0.009 + 0.002 * random.unit())
    schedule(at: host.moment(of: wake)) { $0.wakeAudio() }
    readExtra(before: wake)
  }

  /// The readings beside the block's own, each asked for when the one before is done.
  private func readExtra(before wake: LocalInstant) {
    let now = host.local(at: world.now)
    guard let order = pump.extraReadings(after: now, before: wake) else { return }
    // A timer's overshoot on a real machine: 30 to 80 us at p50, with a tail.
    let overshoot = 30e-6 + 40e-6 * exponential(&random)
    schedule(at: host.moment(of: order.from).advanced(bySeconds: overshoot)) {
      $0.obey(order, before: wake)
    }
  }

  private func obey(_ order: ReadingOrder, before wake: LocalInstant) {
    guard !isCardAway else { return }
    // Not an event each: nothing else happens to the card in these 300 us.
    var moment = world.now
    repeat {
      readCard(at: moment)
      // A status call takes 1 to 3 us.
      moment = moment.advanced(bySeconds: 1e-6 + 2e-6 * random.unit())
    } while pump.readsOn(at: host.local(at: moment))
    readExtra(before: wake)
  }

  private func readCard(at moment: TrueInstant) {
    let pointer = card.pointer(at: moment)
    let noise = Nanoseconds(seconds: configuration.card.stampNoise * random.unit())
    pump.observe(
      DeviceStatus(
        framesWritten: card.written, delayFrames: card.written - pointer,
        stamp: host.local(at: moment) + noise, uncertainty: .zero))
  }

  private func renderBlock() {
    let start = card.written
    let order = pump.plan(
      snapshot, blockStart: start, frames: blockFrames, position: renderer.position)
    if let order {
      let position = order.jumpTo ?? renderer.position
      render(order)
      note(start, position, order)
    }
    card.write(blockFrames)
  }

  private func render(_ order: RenderOrder) {
    guard configuration.rendersSamples else {
      renderer.pass(order, frames: blockFrames)
      return
    }
    output.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { renderer.render(order, into: base, frames: blockFrames) }
    }
    trace.digest(output)
  }

  // MARK: The truth

  private func note(_ start: Int64, _ position: MediaPosition, _ order: RenderOrder) {
    // The room counts as it did by an earlier clock; the truth is told by the present one.
    let shift = MediaFrame(index: receiver.clock?.shift ?? 0).instant - MediaFrame(index: 0).instant
    let due =
      position.instant + snapshot.delay.delay(at: position.frame) + snapshot.latency + shift
    planned.append(
      PlannedBlock(
        deviceFrame: start, due: due, clock: snapshot.clockMap?.clockID ?? coordinator.clockID,
        isAudible: isAudible(position), isJump: order.jumpTo != nil))
    guard let onBlock else { return }
    let heardSeconds = card.heard(start)
    let heard = coordinator.media(at: TrueInstant(seconds: heardSeconds))
    onBlock(
      RoomBlock(
        deviceFrame: start, position: position, step: order.step, heardSeconds: heardSeconds,
        error: (heard - due).inSeconds, samples: output))
  }

  /// Compares the blocks that have been heard with when they were due.
  private func judgeHeard() {
    let playing = card.playing(at: world.now)
    while let block = planned.popFirst(heardBy: playing) {
      guard block.isAudible else { continue }
      let seconds = card.heard(block.deviceFrame)
      let moment = TrueInstant(seconds: seconds)
      guard let media = coordinator.media(at: moment, of: block.clock) else { continue }
      let heard = HeardBlock(
        seconds: seconds, error: (media - block.due).inSeconds, isJump: block.isJump)
      trace.add(heard)
      onHeard?(heard)
    }
  }

  /// Whether music is heard at the position: a lane has its cue there, and music in it.
  private func isAudible(_ position: MediaPosition) -> Bool {
    guard receiver.activity == .playing, snapshot.clockMap != nil else { return false }
    let cues = snapshot.schedule
    return (0..<cues.count).contains {
      cues[$0].lane >= 0 && cues[$0].start <= position.frame
    }
  }
}
