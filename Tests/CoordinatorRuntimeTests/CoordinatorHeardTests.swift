// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import LinuxNetworking
import Testing
import WireProtocol

@testable import CoordinatorRuntime

private let kitchen = RoomID(nodeID: Array(repeating: 7, count: 32))

extension Coordinator {
  /// The speaker has been away for so long that it is called every five seconds only.
  fileprivate func forget(_ origin: Contact.Origin) { contacts[origin]?.backoff = RedialBackoff() }

  fileprivate func tire(of origin: Contact.Origin) {
    for _ in 0..<8 { _ = contacts[origin]?.backoff.nextCall(after: LocalClock.now()) }
    callLater(origin)
  }
}

/// A room's clock questions are the first sign that it can be reached again.
@Suite struct CoordinatorHeardTests {
  @Test func `a room that was long away and asks for the time is called at once`() async throws {
    let placeholder = try TestSpeaker(id: 7, name: "Kitchen")
    let port = placeholder.port
    let house = try await TestHouse(speakers: ["127.0.0.1:\(port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    placeholder.die()
    await house.eventually("the loss is noticed") { $0.rooms[kitchen]?.isOnline == false }
    for origin in await house.coordinator.contacts.keys {
      // The room was there lately: what is worn out is the patience, not the memory.
      await house.coordinator.forget(origin)
      await house.coordinator.tire(of: origin)
    }
    let again = try TestSpeaker(id: 7, name: "Kitchen", port: port, runID: 2)
    let began = LocalClock.now()
    house.player.say(.clockAsked(by: .loopback(port: port)))
    await house.eventually("it is back") { $0.rooms[kitchen]?.isOnline == true }
    // Less than the five seconds of the planned call.
    #expect(LocalClock.now() - began < .seconds(3))
    await house.kill()
    again.die()
  }

  @Test func `a room that asks from another address is called there, and is the same room`()
    async throws
  {
    let before = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(before.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    before.die()
    await house.eventually("the loss is noticed") { $0.rooms[kitchen]?.isOnline == false }
    let after = try TestSpeaker(id: 7, name: "Kitchen")
    house.player.say(.clockAsked(by: .loopback(port: after.port)))
    await house.eventually("it is back") { $0.rooms[kitchen]?.isOnline == true }
    #expect(house.player.rooms.map(\.address) == [.loopback(port: after.port)])
    #expect(await house.coordinator.rooms.rooms.count == 1)
    // It is looked for there the next time, whatever was configured.
    let remembered = await house.coordinator.contacts[.remembered(kitchen)]?.addresses.first
    #expect(remembered == .loopback(port: after.port))
    await house.kill()
    after.die()
  }

  @Test func `where every room is well, nobody who asks for the time is called`() async throws {
    let room = try TestSpeaker(id: 7, name: "Kitchen")
    let guest = try TestSpeaker(id: 9, name: "Guest")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(room.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    await house.coordinator.heard(.loopback(port: guest.port))
    #expect(await house.coordinator.holds { $0.links.count == 1 })
    #expect(guest.accepted == 0)
    await house.kill()
    room.die()
    guest.die()
  }

  @Test func `nobody is told of twice in a row, and a flood of askers is not told of`() {
    var askers = UnlinkedAskers()
    let start = LocalClock.now()
    let room = SocketAddress.loopback(port: 7_701)
    askers.linked = [room]
    #expect(askers.isNews(room, at: start) == false)
    let other = SocketAddress.loopback(port: 7_702)
    #expect(askers.isNews(other, at: start) == true)
    #expect(askers.isNews(other, at: start + .milliseconds(199)) == false)
    #expect(askers.isNews(other, at: start + .milliseconds(200)) == true)
    let flood = (0..<1_000).filter { port in
      askers.isNews(.loopback(port: UInt16(10_000 + port)), at: start + .milliseconds(210))
    }
    #expect(flood.count < UnlinkedAskers.capacity)
    #expect(askers.isNews(.loopback(port: 7_703), at: start + .seconds(1)) == true)
  }
}
