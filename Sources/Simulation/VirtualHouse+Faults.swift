// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync

// Faults of a house, and what must be done afterwards for the music to go on. Faults may overlap.

extension VirtualHouse {
  /// Lets a fault happen now.
  public func happen(_ fault: HouseFault) {
    switch fault {
    case .cut(let room, let seconds):
      rooms[room]?.cut(seconds: seconds)
    case .stall(let room, let seconds):
      hurt(room, for: max(0, seconds)) { $0.stallCard(seconds: seconds) }
    case .xrun(let room):
      hurt(room, for: 0) { $0.runCardDry() }
    case .unplug(let room, let seconds):
      hurt(room, for: seconds) { $0.unplugCard(seconds: seconds) }
    case .halfOpen(let room, let seconds):
      rooms[room]?.loseControl(seconds: seconds)
    case .suspend(let room, let seconds):
      hurt(room, for: seconds) { $0.suspend(seconds: seconds) }
    case .restart(let room, let seconds):
      switchOff(room)
      after(seconds) { $0.switchOn(room) }
    case .outage(let seconds, let newClock):
      outage(seconds) { house in
        if newClock { house.coordinator.renewClock(off: house.random.unit() - 0.5) }
      }
    case .sleep(let seconds):
      // The new clock shows what the old one would, but for what the host's own clock has drifted.
      outage(seconds) { house in house.coordinator.renewClock(off: 1e-3 * house.random.unit()) }
    case .freeze(let seconds):
      freeze(seconds)
    case .seek:
      if coordinator.isRunning, silences == 0 { play() }
    case .pause(let seconds):
      pause(seconds)
    }
  }

  /// Something befalls a room's card or host for so many seconds.
  private func hurt(_ index: Int, for seconds: Double, _ action: (VirtualRoom) -> Void) {
    guard let room = rooms[index], room.isAwake else { return }
    action(room)
    meter.disturb(index, by: .shock, at: world.now.inSeconds + seconds)
  }

  private func outage(_ seconds: Double, _ changes: @escaping (VirtualHouse) -> Void) {
    coordinator.crash()
    silences += 1
    outages += 1
    after(seconds) { house in
      house.silences -= 1
      house.outages -= 1
      changes(house)
      guard house.outages == 0 else { return }
      house.coordinator.restart()
      if house.silences == 0 { house.play() }
    }
  }

  private func freeze(_ seconds: Double) {
    coordinator.freeze(seconds: seconds)
    // What nobody can hear any more is not sent: the music goes on in a new generation.
    guard seconds > scenario.start.delay.inSeconds else { return }
    after(seconds) { $0.play() }
  }

  private func pause(_ seconds: Double) {
    guard coordinator.isRunning else { return }
    coordinator.flush()
    silences += 1
    after(seconds) { house in
      house.silences -= 1
      if house.silences == 0 { house.play() }
    }
  }
}
