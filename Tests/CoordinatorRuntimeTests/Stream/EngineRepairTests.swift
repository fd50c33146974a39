// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import CoordinatorRuntime
import House
import LinuxNetworking
import Testing
import WireProtocol

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineRepairTests {
  func ask(
    _ rig: EngineRig, _ numbers: some Sequence<Int>, of ssrc: SSRC, from socket: UDPSocket
  ) {
    let request = NegativeAcknowledgement(media: ssrc, missing: numbers.map { UInt16($0) })
    let bytes = RTCPPacket.negativeAcknowledgement(request).encode()
    socket.send(bytes, to: .loopback(port: rig.engine.port), .audio)
  }

  @Test func `what a room asks for is sent again, byte for byte, to that room alone`()
    async throws
  {
    let rig = try EngineRig(
      [1: TestTrack(frames: 600_000)], rooms: 2, delay: .seconds(2))
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    let source = try #require(announce.retransmission)
    let originals = try await rig.receive(60, of: announce.ssrc)
    ask(rig, [40, 41, 55], of: announce.ssrc, from: rig.rooms[0].socket)
    let again = try await rig.receive(3, of: source)
    for (packet, number) in zip(again, [40, 41, 55]) {
      #expect(packet.header.payloadType == 100)
      #expect(packet.header.timestamp == originals[number].header.timestamp)
      #expect(packet.payload.prefix(2) == [0, UInt8(number)])
      #expect(Array(packet.payload.dropFirst(2)) == originals[number].payload)
    }
    #expect(again.map(\.header.sequence) == [0, 1, 2])
    // The other room's own numbers begin at 0: nothing was sent to it before.
    ask(rig, [50], of: announce.ssrc, from: rig.rooms[1].socket)
    #expect(try await rig.receive(1, of: source, in: 1)[0].header.sequence == 0)
    try await rig.askClock()
    #expect(rig.engine.counters.repairsSent == 4)
    #expect(rig.engine.counters.repairsAsked == 4)
    await rig.end()
  }

  @Test func `a stranger and a room that asks for nonsense get nothing`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 600_000)], delay: .seconds(2))
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    _ = try await rig.receive(60, of: announce.ssrc)
    let stranger = try UDPSocket(binding: .loopback(port: 0))
    for _ in 0..<100 { ask(rig, 10..<60, of: announce.ssrc, from: stranger) }
    ask(rig, 30_000..<30_200, of: announce.ssrc, from: rig.rooms[0].socket)
    ask(rig, 10..<60, of: announce.ssrc.next, from: rig.rooms[0].socket)
    // Answers to the clock keep the order of the questions: by now all has been read.
    for _ in 0..<10 { try await rig.askClock() }
    #expect(rig.engine.counters.repairsForeign > 50)
    #expect(rig.engine.counters.repairsSent == 0)
    await rig.end()
  }

  @Test func `a flood in a room's name gets its credit, and clocks are answered meanwhile`()
    async throws
  {
    let rig = try EngineRig(
      [1: TestTrack(frames: 900_000)], rooms: 2, delay: .seconds(6))
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    _ = try await rig.receive(300, of: announce.ssrc)
    var slowest = Nanoseconds.zero
    let began = LocalClock.now()
    for _ in 0..<200 {
      for _ in 0..<10 { ask(rig, 20..<300, of: announce.ssrc, from: rig.rooms[0].socket) }
      let asked = LocalClock.now()
      try await rig.askClock()
      slowest = max(slowest, LocalClock.now() - asked)
    }
    let seconds = (LocalClock.now() - began).inSeconds
    let sent = rig.engine.counters.repairsSent
    #expect(sent >= 280, "one refill is granted at once")
    #expect(Double(sent) <= 400 + 100 * seconds + 20, "\(sent) in \(seconds) s")
    #expect(slowest < patience)
    await rig.end()
  }

  @Test func `a room that is gone does not hold the others up`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 600_000)], rooms: 1, delay: .seconds(2))
    // Nobody listens there: every datagram comes back as an ICMP error.
    var gone = rig.destination(0)
    gone.id = RoomID(rawValue: "gone")
    gone.address = .loopback(port: 9)
    // And there no route leads: the kernel refuses at once.
    var unreachable = rig.destination(0)
    unreachable.id = RoomID(rawValue: "unreachable")
    unreachable.address = try SocketAddress(literal: "255.255.255.255:7701")
    rig.engine.setRooms([gone, rig.destination(0), unreachable])
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    let packets = try await rig.receive(120, of: announce.ssrc)
    for (number, packet) in packets.enumerated() {
      #expect(Int(packet.header.sequence) == number)
    }
    ask(rig, [100], of: announce.ssrc, from: rig.rooms[0].socket)
    let source = try #require(announce.retransmission)
    #expect(try await rig.receive(1, of: source)[0].payload.prefix(2) == [0, 100])
    #expect(rig.engine.counters.packetsRefused > 100)
    await rig.end()
  }

  @Test func `the generation before is still repaired`() async throws {
    let rig = try EngineRig(
      [1: TestTrack(frames: 600_000), 2: TestTrack(frames: 600_000)], delay: .seconds(2))
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.receive(60, of: first.ssrc)
    rig.engine.play(rig.track(2))
    let second = try await rig.generation()
    _ = try await rig.receive(60, of: second.ssrc)
    ask(rig, [50], of: first.ssrc, from: rig.rooms[0].socket)
    let source = try #require(first.retransmission)
    #expect(try await rig.receive(1, of: source)[0].payload.prefix(2) == [0, 50])
    await rig.end()
  }
}
