// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import LinuxNetworking
import Testing
import WireProtocol

@testable import CoordinatorRuntime

struct ClockServiceTests {
  /// As a stock GStreamer 1.22 asks: leap 3, version 4, mode 3, stratum 16, poll 4; its uptime of
  /// 86,400.5 s as transmit stamp.
  var stockQuestion: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 48)
    (bytes[0], bytes[1], bytes[2]) = (0xE3, 16, 4)
    bytes.replaceSubrange(40..<48, with: [0x00, 0x01, 0x51, 0x80, 0x80, 0, 0, 0])
    return bytes
  }

  func clock() -> (MediaClock, TurnedHost) {
    let host = TurnedHost()
    return (MediaClock(storage: MemoryStorage(), host: host.clocks), host)
  }

  @Test func `a speaker's question is answered with both moments and the clock's identity`() throws
  {
    let (clock, host) = clock()
    let received = clock.local(at: clock.now())
    host.pass(.microseconds(40))
    let question = NTPPacket.request(stamp: 0x0123_4567_89AB_CDEF).encode()
    let answer = ClockService.reply(to: question.span, received: received, by: clock)
    let bytes = try #require(answer)
    let reply = try NTPPacket.parse(bytes.span)
    #expect(bytes[0] == 0x24, "leap 0, version 4, mode 4")
    #expect(reply.origin.rawValue == 0x0123_4567_89AB_CDEF)
    #expect(reply.receive.instant == clock.media(at: received))
    #expect(reply.transmit.instant - reply.receive.instant == .microseconds(40))
    #expect(reply.reference.rawValue == clock.clockID.rawValue)
  }

  @Test func `a stock GStreamer question is answered without its bias`() throws {
    let (clock, _) = clock()
    let answer = ClockService.reply(
      to: stockQuestion.span, received: clock.local(at: clock.now()), by: clock)
    let bytes = try #require(answer)
    let reply = try NTPPacket.parse(bytes.span)
    #expect(reply.leap == 0 && reply.version == 4 && reply.stratum == 1 && reply.poll <= 2)
    let sent = NTPTimestamp(rawValue: 0x0001_5180_8000_0000)
    let shift = Double(reply.origin.rawValue &- sent.rawValue) / 4.294967296
    #expect((shift - 86_400).magnitude < 1, "1 ns for each second of uptime")
  }

  @Test func `garbage is no question`() {
    let (clock, _) = clock()
    for length in [0, 1, 47] {
      let bytes = [UInt8](repeating: 0xE3, count: length)
      #expect(
        ClockService.reply(to: bytes.span, received: clock.local(at: clock.now()), by: clock) == nil
      )
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineSocketTests {
  @Test func `the clock is answered and garbage is counted while music flows`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 400_000)])
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    var random = SystemRandomNumberGenerator()
    let engine = SocketAddress.loopback(port: rig.engine.port)
    for length in 0..<200 {
      var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Mode 6: never a question, whatever the other bits say.
      if length > 0 { bytes[0] = bytes[0] & 0x3F | 0x06 }
      rig.rooms[0].socket.send(bytes, to: engine, .bestEffort)
    }
    let question = ClockServiceTests().stockQuestion
    let asked = rig.clock.now() - Nanoseconds(1)
    let reply = try await rig.askClock(question)
    #expect(reply.mode == 4 && reply.reference.rawValue == rig.clock.clockID.rawValue)
    #expect(reply.transmit.instant <= rig.clock.now())
    #expect(reply.transmit.instant >= asked)
    _ = try await rig.receive(55, of: announce.ssrc)
    #expect(rig.engine.counters.clockRequests == 1)
    #expect(rig.engine.counters.garbage == 200)
    await rig.end()
  }

  @Test func `a room that joins late gets all that is still playable, and the other its share`()
    async throws
  {
    let rig = try EngineRig([1: TestTrack(frames: 600_000)], rooms: 2)
    rig.engine.setRooms([rig.destination(0)])
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    let held = try await rig.receive(90, of: announce.ssrc)
    let joined = rig.clock.now()
    rig.engine.setRooms([rig.destination(0), rig.destination(1)])
    let filling = try await rig.receive(45, of: announce.ssrc, in: 1)
    let first = filling[0].header.timestamp.unwrapped(near: announce.firstAudible)
    #expect(first.instant + rig.delay > joined - .milliseconds(20))
    #expect(first.instant + rig.delay < joined + patience)
    for (number, packet) in filling.enumerated() {
      #expect(packet.header.sequence == filling[0].header.sequence + UInt16(number))
    }
    let known = held[0].header.sequence
    let others = try await rig.receive(20, of: announce.ssrc)
    #expect(known == 0 && others.map(\.header.sequence) == Array(90..<110), "undisturbed")
    #expect(rig.engine.counters.packetsSkipped == 0)
    await rig.end()
  }

  @Test func `a port in use is named`() throws {
    let taken = try UDPSocket(binding: .loopback(port: 0))
    let storage = MemoryStorage()
    let port = taken.localAddress.port
    let error = #expect(throws: NetworkError.self) {
      _ = try PlaybackEngine(
        configuration: EngineConfiguration(listen: .loopback(port: port)),
        clock: MediaClock(storage: storage), storage: storage, sources: TestMusicOpener([:]),
        log: .discarding)
    }
    #expect(error?.description.contains("\(port)") == true)
  }
}
