// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import StateStore
import Testing

@testable import CoordinatorRuntime

@Suite struct CoordinatorRestorationTests {
  private static let clock = ClockID(rawValue: 5)
  private static let start = MediaInstant(nanosecondsSince1900: 4_000_000_000 * 1_000_000_000)

  /// A house that played item 1 from `start` on, stamped so, with D = 6 s.
  private func playing() -> SavedHouse {
    var saved = SavedHouse()
    for id in UInt64(1)...2 {
      saved.queue.items.append(.init(id: id, kind: "file", location: "/m/\(id)", label: "\(id)"))
    }
    saved.queue.current = 1
    saved.playback.state = "playing"
    saved.playback.runs = [
      .init(item: 1, mediaFrame: MediaFrame(Self.start).index, sourceFrame: 0),
      .init(
        item: 2, mediaFrame: (MediaFrame(Self.start) + 100 * MediaFrame.rate).index, sourceFrame: 0),
    ]
    saved.playback.clockID = Self.clock.rawValue
    saved.playback.playoutDelayNanoseconds = Nanoseconds.seconds(6).count
    return saved
  }

  private func restore(
    _ saved: SavedHouse, alive: Int64?, now: Int64, clock: ClockID = clock, delay: Int64 = 6
  ) -> Restoration {
    Restoration(
      saved, alive: alive.map { Self.start + .seconds($0) }, clockID: clock,
      now: Self.start + .seconds(now), delay: .seconds(delay))
  }

  @Test func `away for a moment, it goes on, in the next track if that has begun`() {
    let within = restore(playing(), alive: 50, now: 54)
    #expect(within.plan?.itemID == ItemID(rawValue: 1))
    #expect(within.transport.state == .playing)
    let later = restore(playing(), alive: 104, now: 110)
    #expect(later.plan?.itemID == ItemID(rawValue: 2))
    #expect(later.transport.queue.current == ItemID(rawValue: 2))
  }

  @Test func `away for long, it waits where it was when it was last alive`() {
    let restored = restore(playing(), alive: 50, now: 150)
    #expect(restored.plan == nil)
    #expect(restored.transport.state == .paused)
    #expect(restored.transport.resumeFrame == 44 * MediaFrame.rate)
  }

  @Test func `after a reboot the clock is another, and it waits where it was`() {
    let restored = restore(playing(), alive: 108, now: 110, clock: ClockID(rawValue: 6))
    #expect(restored.plan == nil)
    #expect(restored.transport.queue.current == ItemID(rawValue: 2))
    #expect(restored.transport.resumeFrame == 2 * MediaFrame.rate)
  }

  @Test func `with another playout delay it waits`() {
    #expect(restore(playing(), alive: 50, now: 54, delay: 1).transport.state == .paused)
  }

  @Test func `paused and stopped stay what they were, and nonsense does no harm`() {
    var saved = playing()
    saved.playback.state = "paused"
    saved.playback.pausedAt = 777
    #expect(restore(saved, alive: nil, now: 0).transport.resumeFrame == 777)
    saved.playback.state = "stopped"
    #expect(restore(saved, alive: nil, now: 0).transport.state == .stopped)
    saved.playback.state = "playing"
    saved.queue.items[0].kind = "hologram"
    saved.playback.runs[0].item = 99
    let restored = restore(saved, alive: 50, now: 54)
    #expect(restored.plan == nil)
    #expect(restored.transport.queue.items.count == 1)
    #expect(restored.transport.state == .paused)
    #expect(restore(SavedHouse(), alive: nil, now: 0).transport.state == .stopped)
  }
}
