// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ClockSync

// Faults of a house, and what must be done afterwards for the music to go on. Faults may overlap.

extension VirtualHouse {
  /// Lets a fault happen now.
  public func happen(_ fault: HouseFault) {
    switch fault {
    case .cut(let room, let seconds):
      rooms[room]?.cut(seconds: seconds)
    case .stall(let room, let seconds):
      stall(room, seconds)
    case .suspend(let room, let seconds):
      suspend(room, seconds)
    case .restart(let room, let seconds):
      switchOff(room)
      after(seconds) { $0.switchOn(room) }
    case .outage(let seconds, let newClock):
      outage(seconds, newClock: newClock)
    case .seek:
      if coordinator.isRunning, silences == 0 { play() }
    case .pause(let seconds):
      pause(seconds)
    }
  }

  private func stall(_ index: Int, _ seconds: Double) {
    guard let room = rooms[index], room.isAwake else { return }
    room.stallCard(seconds: seconds)
    meter.disturb(index, by: .shock, at: world.now.inSeconds + max(0, seconds))
  }

  private func suspend(_ index: Int, _ seconds: Double) {
    guard let room = rooms[index], room.isAwake else { return }
    room.suspend(seconds: seconds)
    meter.disturb(index, by: .shock, at: world.now.inSeconds + seconds)
  }

  private func outage(_ seconds: Double, newClock: Bool) {
    coordinator.crash()
    silences += 1
    outages += 1
    after(seconds) { house in
      house.silences -= 1
      house.outages -= 1
      if newClock { house.coordinator.renewClock(off: house.random.unit() - 0.5) }
      guard house.outages == 0 else { return }
      house.coordinator.restart()
      if house.silences == 0 { house.play() }
    }
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
