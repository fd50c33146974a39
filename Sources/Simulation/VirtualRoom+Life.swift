// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import Playout
internal import RealtimeAudio

// What befalls a room: it is switched off, its host sleeps, its network is cut, its card stands still.

extension VirtualRoom {
  /// Begins, or goes on, with network and sound.
  func start() {
    reconnect()
    startNetwork()
    wakeAudio()
  }

  /// Switches the room off for good.
  public func stop() {
    life += 1
    if let destination { coordinator.remove(destination) }
    destination = nil
    isAsleep = false
    cuts += 1
    planned = PlannedBlocks()
  }

  /// Lets the host sleep: no clock of it counts, the card stops, the network is deaf.
  ///
  /// - Parameter seconds: How long; then everything goes on where it stood. A control link that was
  ///   silent for more than 3 s is dead: that shows at the next keepalive, and it is made anew.
  public func suspend(seconds: Double) {
    guard isAwake else { return }
    life += 1
    isAsleep = true
    planned = PlannedBlocks()
    let life = life
    world.schedule(at: world.now.advanced(bySeconds: seconds)) {
      if self.life == life { self.resume(after: seconds) }
    }
  }

  private func resume(after seconds: Double) {
    isAsleep = false
    host.slept(seconds: seconds)
    clock.hostSlept(at: host.local(at: world.now))
    down.isCut = false
    up.isCut = false
    restartCard()
    startNetwork()
    wakeAudio()
    guard seconds > Self.silenceLimit else { return hearAgain() }
    schedule(at: world.now.advanced(bySeconds: Self.keepalive * random.unit())) { $0.reconnect() }
  }

  /// Cuts both ways for `seconds`; a link that was silent for 3 s is made anew (`ControlConnection`).
  public func cut(seconds: Double) {
    guard isAwake else { return }
    down.isCut = true
    up.isCut = true
    cuts += 1
    let cut = cuts
    schedule(at: world.now.advanced(bySeconds: seconds)) { room in
      guard room.cuts == cut else { return }
      room.down.isCut = false
      room.up.isCut = false
      if seconds > Self.silenceLimit { room.reconnect() }
    }
  }

  /// Lets the card stand still for `seconds`, or swallow as much if negative.
  public func stallCard(seconds: Double) { card.stall(seconds: seconds, at: world.now) }

  /// Ends the card's run: what it held is never heard, and it has to be started again.
  public func runCardDry() {
    guard isAwake, !isCardAway else { return }
    restartCard()
  }

  /// Pulls the card out. The room looks for it as a speaker does, and opens it anew when it is back.
  public func unplugCard(seconds: Double) {
    guard isAwake else { return }
    cardIsBackAt = max(cardIsBackAt, world.now.advanced(bySeconds: seconds))
    guard !isCardAway else { return }
    isCardAway = true
    openings = 0
    planned = PlannedBlocks()
    // The old one tells, as it goes, that nothing reads the lanes any more.
    renderer = Renderer(bank: bank, deviceRate: configuration.card.rate)
  }

  /// Tries to open the card.
  ///
  /// - Returns: Whether it is there.
  func openCard() -> Bool {
    guard world.now >= cardIsBackAt else {
      let pause = Self.cardPauses[min(openings, Self.cardPauses.count - 1)]
      openings += 1
      schedule(at: world.now.advanced(bySeconds: pause)) { $0.wakeAudio() }
      return false
    }
    isCardAway = false
    pump = PlayoutPump(
      deviceRate: configuration.card.rate, priorFrequency: pump.dac.frequency)
    restartCard()
    return true
  }

  /// The card ran dry or slept: it starts again on silence, with its crystal known.
  func restartCard() {
    planned = PlannedBlocks()
    card.restart(
      at: world.now, prefill: Int64(configuration.fill * Double(configuration.card.rate)))
    pump.deviceRestarted()
    // Music that begins after silence fades in.
    renderer.startGain(at: 0)
  }

  /// Lets all that is said on the control link get lost for `seconds`, without a word; UDP passes.
  public func loseControl(seconds: Double) {
    hearsControl = false
    world.schedule(at: world.now.advanced(bySeconds: seconds)) {
      self.hearsControl = true
      if self.isAwake { self.reconnect() }
    }
  }

  /// Seconds between attempts to open a card that is away (`AudioThread`).
  private static var cardPauses: [Double] { [0.25, 0.5, 1] }

  /// Seconds without a word after which either end gives a control link up.
  private static var silenceLimit: Double { 3 }
  /// Seconds between two words on an idle control link.
  private static var keepalive: Double { 1 }
}
