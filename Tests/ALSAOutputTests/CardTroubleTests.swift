// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Testing

@testable import ALSAOutput
@testable import SpeakerRuntime

/// What the room's audio thread does when its card fails, on the lab's virtual card.
extension ALSADeviceTests {
  @Test func `a card with other channels is refused with what it has and what to try`() throws {
    let card = try VirtualCardFolder("channels 6")
    let error = #expect(throws: ALSAError.self) { _ = try ALSADevice(name: card.name) }
    let words = error?.description ?? ""
    #expect(words.contains("it plays 6 channels and two are needed"))
    #expect(words.contains("'plug:card' converts"))
  }

  @Test func `after an xrun the sound fades in, in time, and is counted`() throws {
    let card = try VirtualCardFolder("ppm 40")
    let room = try TroubledRoom(card.name)
    defer { room.stop() }
    try room.playLevel()
    #expect(room.isEventually { $0.phase == .running && $0.isReady })
    room.feed(for: .milliseconds(300))
    card.control(.xrun, 1)
    room.feed(for: .milliseconds(700))
    #expect(room.report.underruns == 1)
    #expect(room.report.phase == .running)
    let runs = card.runs
    #expect(runs.count == 2)
    let second = card.samples(from: runs.last ?? 0)
    let steps = zip(second.dropFirst(), second).map { abs($0 - $1) }
    // Half of full scale in 20 ms is 0.0005 a frame; a cross-fade of 10 ms is twice as steep.
    #expect((steps.max() ?? 1) < 0.005)
    #expect((second.max() ?? 0) > 0.49)
  }

  @Test
  func `an unplugged card is said in words, looked for without haste, and plays when it is back`()
    throws
  {
    let card = try VirtualCardFolder("ppm 0")
    let room = try TroubledRoom(card.name)
    defer { room.stop() }
    try room.playLevel()
    #expect(room.isEventually { $0.phase == .running && $0.isReady })
    card.control(.unplugged, 1)
    #expect(room.isEventually { $0.phase == .trouble })
    #expect(room.desk.trouble.contains("No such device"))
    let before = room.processorTicks
    room.feed(for: .seconds(2))
    // Attempts at 0.25, 0.75 and 1.75 s; a tick is 10 ms: never a tenth of a core.
    #expect(room.processorTicks - before < 20)
    card.control(.unplugged, 0)
    #expect(room.isEventually(within: .seconds(3)) { $0.phase == .running && $0.isReady })
    room.feed(for: .milliseconds(300))
    let last = card.samples(from: card.runs.last ?? 0)
    #expect((last.max() ?? 0) > 0.49)
    // It is not held to be well before it has proved so.
    #expect(!room.desk.trouble.isEmpty)
    #expect(room.isEventually(within: .seconds(4)) { _ in room.desk.trouble.isEmpty })
  }

  @Test func `a busy card is waited for`() throws {
    let card = try VirtualCardFolder("ppm 0")
    card.control(.busy, 1)
    let room = try TroubledRoom(card.name)
    defer { room.stop() }
    #expect(room.isEventually { $0.phase == .trouble })
    #expect(room.desk.trouble.contains("another program holds it"))
    card.control(.busy, 0)
    #expect(room.isEventually(within: .seconds(3)) { $0.phase == .running && $0.isReady })
  }

  @Test func `a card that dies soon after each start is not opened four times a second for ever`()
    throws
  {
    let card = try VirtualCardFolder("ppm 0")
    let room = try TroubledRoom(card.name)
    defer { room.stop() }
    let end = LocalClock.now() + .seconds(4)
    var serial: Int64 = 0
    while LocalClock.now() < end {
      serial += 1
      card.control(.xrun, serial)
      room.feed(for: .milliseconds(20))
    }
    // Five dry runs, then pauses of 0.25, 0.5 and 1 s: some five openings; at 0.25 s each
    // it would be eleven.
    #expect(card.openings <= 6)
    #expect(room.desk.trouble.contains("keeps running dry"))
  }
}
