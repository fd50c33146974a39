// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

/// Long random evenings: whatever listeners and the engine do, the invariants hold.
@Suite struct TransportPropertyTests {
  @Test(arguments: UInt64(1)...20) func `effects always fit the state`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var transport = Transport()
    for step in 0..<500 {
      let before = transport
      let effects = try happening(in: &transport, step: step, using: &random)
      check(transport, after: effects, from: before)
    }
  }

  private func happening(
    in transport: inout Transport, step: Int, using random: inout SeededRandom
  ) throws -> [TransportEffect] {
    let id = transport.queue.items.randomElement(using: &random)?.id ?? ItemID(rawValue: 0)
    let commands: [TransportCommand] = [
      .resume, .pause, .toggle, .stop, .next, .previous(elapsed: .seconds(Int64(step % 5))),
      .seek(toFrame: Int64(step)), .add(tracks("n\(step)")), .remove([id]), .playItem(id),
      .add(tracks("i\(step)"), to: .before(id)), .setRepeat(RepeatMode.allCases[step % 3]),
      .playTracks(tracks("p\(step)", "q\(step)"), startingAt: step % 3, fromFrame: 0),
      .add(tracks("x\(step)"), to: .next), .move([id], to: .next), .setShuffled(step % 2 == 0),
    ]
    let events: [TransportEvent] = [
      .trackHeard(id), .needsNext(after: id), .trackFailed(id, reason: "bad"), .finished,
    ]
    if Bool.random(using: &random), let event = events.randomElement(using: &random) {
      return transport.receive(event)
    }
    guard let command = commands.randomElement(using: &random) else { return [] }
    let before = transport
    do {
      return try transport.perform(command)
    } catch {
      #expect(transport == before)
      return []
    }
  }

  private func check(
    _ transport: Transport, after effects: [TransportEffect], from before: Transport
  ) {
    #expect(effects.count <= 1)
    for effect in effects {
      switch effect {
      case .play(let item, _):
        #expect(transport.state == .playing)
        #expect(transport.queue.current == item.id)
      case .setNext(let item, _):
        #expect(transport.state != .stopped)
        if let item { #expect(transport.queue.item(item.id) == item) }
      case .pause: #expect(before.state == .playing && transport.state == .paused)
      case .resume: #expect(before.state == .paused && transport.state == .playing)
      case .stop: #expect(before.state != .stopped && transport.state == .stopped)
      }
    }
    if transport.state == .stopped {
      #expect(
        transport.queue.current == transport.queue.items.first?.id || before.state == .stopped)
    }
    #expect(transport.failures.count <= transport.queue.items.count)
  }
}
