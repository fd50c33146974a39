// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Testing
import WireProtocol

@testable import SpeakerRuntime

/// A coordinator, a room at full volume, and the link between them.
private struct Stage {
  let coordinator: TestCoordinator
  let room: TestRoom
  let link: TestLink

  init(ppm: Double = 0) throws {
    coordinator = try TestCoordinator()
    room = try TestRoom(ppm: ppm)
    link = try TestLink(to: room.speaker.address)
    try link.greet(coordinator)
    try link.send(.setVolume(SetVolume(volume: 100, muted: false, serial: 1)))
    try link.send(.arm(Arm()))
    _ = try link.read { $0.lastReport?.readyIn == .zero && $0.lastReport?.clockBound != nil }
  }

  func end() {
    room.speaker.stop()
    coordinator.stop()
  }

  /// The sample, with fraction, at which a moment lies in the recording.
  func sample(of moment: LocalInstant, ppm: Double = 0) throws -> Double {
    let start = try #require(room.notes.recordingStart)
    return (moment - start).inSeconds * 48_000 * (1 + ppm * 1e-6)
  }

  /// When a generation's first source frame is due, on this host.
  func due(_ stream: StreamAnnounce) -> LocalInstant {
    coordinator.local(at: stream.firstAudible.instant + stream.delayRamp.d0)
  }
}

@Suite(.serialized) struct StreamTests {
  @Test(arguments: [0.0, 60])
  func `a stream is heard whole and in time`(ppm: Double) throws {
    let stage = try Stage(ppm: ppm)
    let stream = stage.coordinator.announcement(
      generation: 1, firstHeard: LocalClock.now() + .milliseconds(250), delay: .seconds(1))
    try stage.link.send(.streamAnnounce(stream))
    try stage.coordinator.play(stream, seconds: 2, to: stage.room.speaker.address, Tone.sample)
    #expect(try stage.link.read { $0.lastReport?.state == .playing })
    #expect(stage.link.lastReport?.ssrc == stream.ssrc)
    try stage.link.read(within: .milliseconds(2_200)) { _ in false }
    let report = try #require(stage.link.lastReport)
    stage.end()

    let samples = Recording(path: stage.room.wav).left
    let first = try stage.sample(of: stage.due(stream), ppm: ppm)
    let onset = Int(first)
    #expect(samples[..<(onset - 48)].allSatisfy { abs($0) < 0.02 })
    let whole = onset + 480..<onset + 94_000
    #expect(Tone.quietBlocks(in: samples, over: whole, level: 0.5) == 0)
    let early = Tone.lateness(
      in: samples, over: onset + 2_400..<onset + 12_000, expected: first, pace: 1 + ppm * 1e-6)
    let late = Tone.lateness(
      in: samples, over: onset + 60_000..<onset + 90_000, expected: first, pace: 1 + ppm * 1e-6)
    #expect(abs(early.microseconds) < 500 && abs(early.level - 0.5) < 0.05)
    #expect(abs(late.microseconds) < 200 && abs(late.level - 0.5) < 0.05)
    #expect(report.received == 100 && report.lost == 0 && report.late == 0)
  }

  @Test func `a flush by UDP fades the room out at its frame, and is acknowledged`() throws {
    let stage = try Stage()
    let stream = stage.coordinator.announcement(
      generation: 1, firstHeard: LocalClock.now() + .milliseconds(250), delay: .seconds(1))
    try stage.link.send(.streamAnnounce(stream))
    try stage.coordinator.play(stream, seconds: 2, to: stage.room.speaker.address, Tone.sample)
    let cut = stream.firstAudible + 48_000
    let cutAt = stage.coordinator.local(at: cut.instant + stream.delayRamp.d0)
    let flush = FlushPacket(ssrc: stream.ssrc, serial: 7, fromFrame: cut, fadeMilliseconds: 10)
    for delay in [0, 5, 15] as [Int64] {
      stage.coordinator.send(
        RTCPPacket.flush(flush).encode(), to: stage.room.speaker.address,
        at: cutAt - .milliseconds(150) + .milliseconds(delay))
    }
    try stage.link.read(within: .milliseconds(1_700)) { _ in false }
    stage.end()
    #expect(stage.coordinator.acknowledged.contains { $0.serial == 7 && $0.ssrc == stream.ssrc })

    let samples = Recording(path: stage.room.wav).left
    let end = Int(try stage.sample(of: cutAt))
    let first = Int(try stage.sample(of: stage.due(stream)))
    #expect(Tone.quietBlocks(in: samples, over: first + 480..<end - 480, level: 0.5) == 0)
    #expect(samples[(end + 600)...].allSatisfy { abs($0) < 0.01 })
  }

  @Test func `a new generation takes over, and the old one's packets are dropped`() throws {
    let stage = try Stage()
    let address = stage.room.speaker.address
    let first = stage.coordinator.announcement(
      generation: 1, firstHeard: LocalClock.now() + .milliseconds(250), delay: .seconds(1))
    try stage.link.send(.streamAnnounce(first))
    try stage.coordinator.play(first, seconds: 2, to: address, Tone.sample)
    #expect(try stage.link.read { $0.lastReport?.state == .playing })
    let second = stage.coordinator.announcement(
      generation: 2, firstHeard: LocalClock.now() + .milliseconds(300), delay: .seconds(1))
    let cut = FlushPacket(
      ssrc: first.ssrc, serial: 1, fromFrame: second.firstAudible, fadeMilliseconds: 10)
    try stage.link.send(.flush(cut))
    try stage.link.send(.streamAnnounce(second))
    try stage.coordinator.play(second, seconds: 1, to: address) { -Tone.sample($0) }
    try stage.link.read(within: .milliseconds(1_700)) { _ in false }
    #expect(stage.link.lastReport?.ssrc == second.ssrc)
    stage.end()

    let samples = Recording(path: stage.room.wav).left
    let start = try stage.sample(of: stage.due(second))
    let steady = Int(start) + 2_400..<Int(start) + 40_000
    let phase = Tone.lateness(in: samples, over: steady, expected: start)
    // Upside down is half a period off: 1,000 us.
    #expect(abs(phase.microseconds) > 700 && abs(phase.level - 0.5) < 0.05)
    let before = Int(try stage.sample(of: stage.due(first))) + 480..<Int(start) - 480
    #expect(Tone.quietBlocks(in: samples, over: before, level: 0.5) == 0)
  }

  @Test func `lost packets and floods of garbage leave no hole in the rest`() throws {
    let stage = try Stage()
    let address = stage.room.speaker.address
    let stream = stage.coordinator.announcement(
      generation: 1, firstHeard: LocalClock.now() + .milliseconds(250), delay: .milliseconds(500))
    try stage.link.send(.streamAnnounce(stream))
    try stage.coordinator.play(stream, seconds: 2, to: address, skipping: [40, 41], Tone.sample)
    for index in 0..<3_000 {
      let length = 1 + index * 37 % 900
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ index &* 17) }
      let due = LocalClock.now() + .microseconds(Int64(index) * 300)
      stage.coordinator.send(bytes, to: address, at: due)
    }
    try stage.link.read(within: .milliseconds(2_300)) { _ in false }
    let report = try #require(stage.link.lastReport)
    stage.end()
    #expect(report.discarded > 1_000)
    #expect(report.lost == 2)

    let samples = Recording(path: stage.room.wav).left
    let first = Int(try stage.sample(of: stage.due(stream)))
    let lost = first + 40 * 960 - 312..<first + 43 * 960 + 1_000
    #expect(Tone.quietBlocks(in: samples, over: first + 480..<lost.lowerBound, level: 0.5) == 0)
    #expect(
      Tone.quietBlocks(in: samples, over: lost.upperBound..<first + 94_000, level: 0.5) == 0)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `five percent lost in bursts are sent again and not heard`(seed: UInt64) throws {
    let stage = try Stage()
    let stream = stage.coordinator.announcement(
      generation: 1, firstHeard: LocalClock.now() + .milliseconds(400), delay: .seconds(2),
      repairs: true)
    try stage.link.send(.streamAnnounce(stream))
    let end = stream.firstAudible + (300 * 960 - 312)
    try stage.link.send(.streamEnd(StreamEnd(ssrc: stream.ssrc, endFrame: end)))
    stage.coordinator.lose(BurstyLoss(share: 0.05, burst: 4, seed: seed))
    try stage.coordinator.play(stream, seconds: 6, to: stage.room.speaker.address, Tone.sample)
    try stage.link.read(within: .milliseconds(6_800)) { _ in false }
    let report = try #require(stage.link.lastReport)
    stage.end()
    #expect(stage.coordinator.dropped > 5 && report.repaired > 3)
    #expect(report.received + report.repaired == 300)
    #expect(report.lost == 0 && report.concealed == 0)
    let samples = Recording(path: stage.room.wav).left
    let first = Int(try stage.sample(of: stage.due(stream)))
    #expect(Tone.quietBlocks(in: samples, over: first + 480..<first + 280_000, level: 0.5) == 0)
  }

  @Test func `the music outlives the control link`() throws {
    let stage = try Stage()
    let stream = stage.coordinator.announcement(
      generation: 1, firstHeard: LocalClock.now() + .milliseconds(250), delay: .seconds(1))
    do {
      let second = try TestLink(to: stage.room.speaker.address)
      try second.greet(stage.coordinator)
      #expect(try second.read { $0.hello != nil })
      try second.send(.streamAnnounce(stream))
      try second.read(within: .milliseconds(50)) { _ in false }
    }
    try stage.coordinator.play(stream, seconds: 1.5, to: stage.room.speaker.address, Tone.sample)
    try letPass(.milliseconds(2_000))
    stage.end()
    let samples = Recording(path: stage.room.wav).left
    let first = Int(try stage.sample(of: stage.due(stream)))
    #expect(Tone.quietBlocks(in: samples, over: first + 480..<first + 70_000, level: 0.5) == 0)
  }
}
