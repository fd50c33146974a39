// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import CoordinatorRuntime
import DecoderProtocol
import House
import LinuxNetworking
import Testing
import WireProtocol

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineStreamTests {
  @Test func `a generation begins by the stamp rule and is contiguous`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 200_000)])
    let asked = rig.clock.now()
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    let packets = try await rig.receive(60, of: announce.ssrc)
    #expect(Int(announce.lookAheadFrames) == EngineRig.lookAhead)
    for (number, packet) in packets.enumerated() {
      let stamp = announce.firstAudible - 312 + Int64(number) * 960
      #expect(packet.header.timestamp == RTPTimestamp(stamp))
      #expect(packet.header.sequence == UInt16(number))
      #expect(packet.header.payloadType == 97)
      #expect(packet.header.marker == (number == 0))
    }
    let heardIn = announce.firstAudible.instant + rig.delay - asked
    #expect(heardIn >= .milliseconds(120) && heardIn < .milliseconds(120) + patience)
    let run = try #require(rig.engine.status.timeline.runs.first)
    #expect(run.firstFrame == announce.firstAudible && run.sourceFrame == 0)
    await rig.end()
  }

  @Test func `steady packets leave at their stamps, spread over the rooms`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 200_000)], rooms: 4, delay: .milliseconds(400))
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    for room in 0..<4 {
      let packets = try await rig.receive(60, of: announce.ssrc, in: room).dropFirst(30)
      let late = packets.map { packet -> Nanoseconds in
        let stamp = packet.header.timestamp.unwrapped(near: announce.firstAudible)
        return rig.clock.media(at: packet.arrival) - stamp.instant - .milliseconds(Int64(room) * 5)
      }.sorted()
      #expect(late[0] >= .zero && late[late.count / 2] < .milliseconds(5), "\(late)")
    }
    await rig.end()
  }

  @Test func `a button is on the wire at once, and the burst keeps to 20 Mb per s`()
    async throws
  {
    let rig = try EngineRig([1: TestTrack(frames: 600_000)], rooms: 3, delay: .seconds(6))
    let asked = LocalClock.now()
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    var all: [RoomProbe.Packet] = []
    for room in 0..<3 { all += try await rig.receive(290, of: announce.ssrc, in: room) }
    let arrivals = all.map(\.arrival).sorted()
    let first = try #require(arrivals.first)
    let last = try #require(arrivals.last)
    #expect(first - asked < patience)
    let bits = Double(all.map { ($0.bytes + 48) * 8 }.reduce(0, +))
    let rate = bits / max((last - first).inSeconds, 0.001)
    #expect(rate < 21.5e6, "the cap and the allowance")
    await rig.end()
  }

  @Test func `tracks join without a frame lost or added`() async throws {
    let lengths: [Int64] = [30_123, 20_457, 15_000]
    let rig = try EngineRig([
      1: TestTrack(frames: lengths[0]), 2: TestTrack(frames: lengths[1]),
      3: TestTrack(frames: lengths[2]),
    ])
    rig.followers = [1: 2, 2: 3]
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    let second = try await rig.started(2)
    let third = try await rig.started(3)
    #expect(second.firstFrame - announce.firstAudible == lengths[0])
    #expect(third.firstFrame - second.firstFrame == lengths[1])
    let total = lengths.reduce(0, +)
    let end = try await rig.streamEnd()
    #expect(end.endFrame == announce.firstAudible + total)
    let packets = try await rig.receive(Int((total + 312 + 959) / 960), of: announce.ssrc)
    let music = try decode(packets, lookAhead: EngineRig.lookAhead)
    #expect(music.count / 2 >= Int(total), "the last frame can be decoded")
    for (join, track) in [(lengths[0], 2), (lengths[0] + lengths[1], 3)] {
      let before = match(music[Int(join - 2_000) * 2..<Int(join - 200) * 2]) {
        let start = track == 2 ? lengths[0] : lengths[1]
        return TestMusic.sample(track: track - 1, frame: start - 2_000 + $0)
      }
      let after = match(music[Int(join + 200) * 2..<Int(join + 2_000) * 2]) {
        TestMusic.sample(track: track, frame: 200 + $0)
      }
      #expect(before.best == 0 && before.decibels > 20, "\(before)")
      #expect(after.best == 0 && after.decibels > 20, "\(after)")
    }
    await rig.end()
  }

  @Test func `the end of the queue rings out, and then nothing is on the wire`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 24_000)], delay: .milliseconds(400))
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    let end = try await rig.finished()
    let late = rig.clock.now() - end.instant - rig.delay
    #expect(end == announce.firstAudible + 24_000)
    #expect(late >= .zero && late < patience)
    #expect(rig.rooms[0].count == 26, "24,312 frames of music and run-up are 26 packets")
    #expect(rig.engine.status.phase == .idle && rig.engine.status.announce == nil)
    await rig.end()
  }

  @Test func `a track that breaks off plays as far as it goes, and the next follows`() async throws
  {
    let rig = try EngineRig([
      1: TestTrack(frames: 60_000, failsAt: 20_001), 2: TestTrack(frames: 20_000),
    ])
    rig.engine.play(rig.track(1))
    let failed = try await rig.event {
      if case .trackFailed(let item, _) = $0 { item } else { nil }
    }
    #expect(failed.rawValue == 1)
    rig.engine.setNext(rig.track(2))
    let second = try await rig.started(2)
    let announce = try await rig.firstGeneration()
    #expect(second.firstFrame == announce.firstAudible + 20_001)
    await rig.end()
  }

  @Test func `a track that cannot be opened is reported, and another can be played`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 0, isMissing: true), 2: TestTrack(frames: 9_000)])
    rig.engine.play(rig.track(1))
    let failed = try await rig.event {
      if case .trackFailed(let item, let failure) = $0 { (item, failure.reason) } else { nil }
    }
    #expect(failed.0.rawValue == 1 && failed.1 == .missing)
    rig.engine.play(rig.track(2))
    let run = try await rig.started(2)
    #expect(run.sourceFrame == 0)
    await rig.end()
  }
}
