// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ControlAPI
import House
import LinuxNetworking
import Testing
import WireProtocol

@testable import CoordinatorRuntime

private let kitchen = RoomID(nodeID: Array(repeating: 7, count: 32))

private func announcement() -> StreamAnnounce {
  StreamAnnounce(
    groupID: "house", ssrc: SSRC(session: 5, generation: 1), clockID: ClockID(rawValue: 9),
    clockPort: 7_700, lookAheadFrames: 312, firstAudible: MediaFrame(index: 1_000),
    delayRamp: DelayRamp(constant: .seconds(6)))
}

@Suite struct CoordinatorRoomsTests {
  @Test func `a speaker that is called becomes a room that gets the stream`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen", volume: 30)
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    let room = try #require(await house.coordinator.rooms[kitchen])
    #expect(room.name == "Kitchen")
    #expect(room.loudness.volume == 30)
    let destination = try #require(house.player.rooms.first)
    #expect(destination.id == kitchen)
    #expect(destination.address.description == "127.0.0.1:\(speaker.port)")
    await house.kill()
    speaker.die()
  }

  @Test func `one speaker reached in two ways is one room with one link`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(
      speakers: ["127.0.0.1:\(speaker.port)", "127.0.0.2:\(speaker.port)"])
    await house.eventually("both ways were tried, one link is left") { coordinator in
      speaker.accepted >= 2 && coordinator.links.count == 1
        && coordinator.rooms[kitchen]?.isOnline == true
    }
    #expect(await house.coordinator.rooms.rooms.count == 1)
    #expect(house.player.rooms.count == 1)
    await house.kill()
    speaker.die()
  }

  @Test func `a room that joins while music plays is told of the stream at once`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse()
    house.player.stand { $0.announce = announcement() }
    await house.coordinator.addContact(
      Contact(.configured("127.0.0.1:\(speaker.port)")))
    await house.eventually("the announcement has come") { _ in
      speaker.heard.contains(.streamAnnounce(announcement()))
    }
    await house.kill()
    speaker.die()
  }

  @Test func `generations, flushes and ends go to every room`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    let flush = FlushPacket(
      ssrc: SSRC(session: 5, generation: 1), serial: 3, fromFrame: MediaFrame(index: 5_000),
      fadeMilliseconds: 10)
    let end = StreamEnd(ssrc: flush.ssrc, endFrame: MediaFrame(index: 9_000))
    house.player.say(.generationStarted(announcement()))
    house.player.say(.flush(flush))
    house.player.say(.streamEnds(end))
    let expected: [ControlMessage] = [
      .streamAnnounce(announcement()), .flush(flush), .streamEnd(end),
    ]
    // Keepalives come in between when the machine is busy.
    await house.eventually("all three have come") { _ in
      speaker.heard.filter(expected.contains) == expected
    }
    await house.kill()
    speaker.die()
  }

  @Test func `a room that dies is called again and gets a new session`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    let session = try #require(house.player.rooms.first?.session)
    speaker.die()
    await house.eventually("the loss is noticed") { $0.rooms[kitchen]?.isOnline == false }
    // Datagrams may still reach it: it stays in service for a while.
    #expect(house.player.rooms.map(\.id) == [kitchen])
    let again = try TestSpeaker(id: 7, name: "Kitchen", port: speaker.port, runID: 2)
    await house.eventually("it is back") { $0.rooms[kitchen]?.isOnline == true }
    #expect(try #require(house.player.rooms.first?.session) != session)
    await house.kill()
    again.die()
  }

  @Test func `a twin with the same identity is refused and the first stays`() async throws {
    let first = try TestSpeaker(id: 7, name: "Kitchen", runID: 1)
    let house = try await TestHouse(speakers: ["127.0.0.1:\(first.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    let link = await house.coordinator.live[kitchen]?.link
    let twin = try TestSpeaker(id: 7, name: "Kitchen", runID: 2)
    await house.coordinator.addContact(Contact(.configured("127.0.0.3:\(twin.port)")))
    await house.eventually("the twin is refused") { _ in
      twin.heard.contains { message in
        if case .refusal(let refusal) = message {
          refusal.reason == .duplicateIdentity
        } else {
          false
        }
      }
    }
    #expect(await house.coordinator.live[kitchen]?.link == link)
    await house.kill()
    first.die()
    twin.die()
  }

  @Test func `a twin on the same host is refused too, and the room says so`() async throws {
    let first = try TestSpeaker(id: 7, name: "Kitchen", runID: 1)
    let house = try await TestHouse(speakers: ["127.0.0.1:\(first.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    let link = await house.coordinator.live[kitchen]?.link
    let twin = try TestSpeaker(id: 7, name: "Kitchen", runID: 2)
    await house.coordinator.addContact(Contact(.configured("127.0.0.1:\(twin.port)")))
    await house.eventually("the room tells of the twin") { coordinator in
      coordinator.roomDocuments().first?.detail.contains("have the same identity") == true
    }
    #expect(await house.coordinator.live[kitchen]?.link == link)
    await house.kill()
    first.die()
    twin.die()
  }

  @Test func `a peer that talks nonsense is no room, and is called again later`() async throws {
    let nonsense = try TestSpeaker(id: 7, name: "Kitchen", isGarbage: true)
    let house = try await TestHouse(speakers: ["127.0.0.1:\(nonsense.port)"])
    await house.eventually("it is called more than once") { _ in nonsense.accepted >= 2 }
    #expect(await house.coordinator.rooms.rooms.isEmpty)
    await house.kill()
    nonsense.die()
  }

  @Test func `a room is remembered with its address and called at the next start`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    await house.kill()
    let next = try await TestHouse(reusing: house)
    await next.eventually("it is there again") { $0.rooms[kitchen]?.isOnline == true }
    await next.kill()
    speaker.die()
  }
}

@Suite struct CoordinatorVolumeTests {
  @Test func `a volume goes to the room, and its own knob comes back`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen", volume: 20)
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    let answer = await house.command(#"{"command":"volume","level":35}"#, room: "kitchen")
    #expect(answer.status == 200)
    await house.eventually("the order has come") { _ in
      speaker.heard.contains(.setVolume(SetVolume(volume: 35, muted: false, serial: 1)))
    }
    var report = StateReport()
    report.volume = 50
    report.volumeSerial = 1
    speaker.say(.stateReport(report))
    await house.eventually("the knob is seen") { $0.rooms[kitchen]?.loudness.volume == 50 }
    await house.kill()
    speaker.die()
  }

  @Test func `rooms that are not there, or not known, are told apart`() async throws {
    let house = try await TestHouse()
    let unknown = await house.command(#"{"command":"mute","muted":true}"#, room: "attic")
    #expect(unknown.status == 404)
    #expect(unknown.text.contains("there is no room attic"))
    let nobody = await house.command(#"{"command":"volume","change":5}"#)
    #expect(nobody.status == 409)
    await house.kill()
  }
}
