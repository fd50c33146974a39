// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import House
import LinuxNetworking
import Testing

@testable import AvahiDiscovery
@testable import CoordinatorRuntime

private func service(
  _ name: String, at address: String, on interfaceName: String = "eth0", interface: Int32 = 2,
  port: UInt16 = 7_701, id: String? = nil
) -> DiscoveredService {
  DiscoveredService(
    instance: ServiceInstance(
      name: name, type: FoundServices.speakerType, domain: "local", interface: interface,
      family: address.contains(":") ? .v6 : .v4),
    host: "kitchen.local", address: address, port: port, text: id.map { ["id": $0] } ?? [:],
    interfaceName: interfaceName, isOnThisHost: false)
}

@Suite struct CoordinatorDiscoveryTests {
  @Test func `bridges of containers come last, and IPv4 comes first`() {
    var found = FoundServices()
    _ = found.add(service("Kitchen", at: "172.17.0.1", on: "docker0", interface: 3))
    _ = found.add(service("Kitchen", at: "2001:db8::7"))
    _ = found.add(service("Kitchen", at: "10.0.0.7"))
    #expect(
      found.addresses(of: "Kitchen").map(\.description) == [
        "10.0.0.7:7701", "[2001:db8::7]:7701", "172.17.0.1:7701",
      ])
  }

  @Test func `a service is gone when its last instance is`() {
    var found = FoundServices()
    let (one, two) = (service("Kitchen", at: "10.0.0.7"), service("Kitchen", at: "fd00::7"))
    _ = found.add(one)
    _ = found.add(two)
    let isGoneAfterOne = found.remove(one.instance)
    let isGoneAfterBoth = found.remove(two.instance)
    #expect(!isGoneAfterOne)
    #expect(isGoneAfterBoth)
    #expect(found.addresses(of: "Kitchen").isEmpty)
  }

  @Test func `a speaker that is found becomes a room, once`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    let kitchen = RoomID(nodeID: Array(repeating: 7, count: 32))
    await house.eventually("the room is there") { $0.live[kitchen] != nil }
    let announced = service(
      "Kitchen", at: "127.0.0.2", port: speaker.port, id: kitchen.rawValue)
    await house.coordinator.receive(.found(announced))
    // What says that it is a room which is connected is not called.
    #expect(speaker.accepted == 1)
    #expect(await house.coordinator.contacts.count == 3)
    await house.kill()
    speaker.die()
  }

  @Test func `a speaker that moved is found again where browsing says`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let kitchen = RoomID(nodeID: Array(repeating: 7, count: 32))
    let house = try await TestHouse()
    await house.coordinator.receive(
      .found(service("Kitchen", at: "127.0.0.1", port: speaker.port, id: kitchen.rawValue)))
    await house.eventually("the room is there") { $0.live[kitchen] != nil }
    speaker.die()
    await house.eventually("the loss is noticed") { $0.live[kitchen] == nil }
    let moved = try TestSpeaker(id: 7, name: "Kitchen", runID: 2)
    await house.coordinator.receive(
      .found(service("Kitchen", at: "127.0.0.1", port: moved.port, id: kitchen.rawValue)))
    await house.eventually("it is there again") { $0.live[kitchen] != nil }
    await house.kill()
    moved.die()
  }

  @Test func `without Avahi what was found is forgotten, and what is connected stays`() async throws
  {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let kitchen = RoomID(nodeID: Array(repeating: 7, count: 32))
    let house = try await TestHouse()
    await house.coordinator.receive(.found(service("Kitchen", at: "127.0.0.1", port: speaker.port)))
    await house.eventually("the room is there") { $0.live[kitchen] != nil }
    await house.coordinator.receive(.unavailable(reason: "no D-Bus"))
    #expect(await house.coordinator.live[kitchen] != nil)
    #expect(await house.coordinator.contacts.keys.contains(.remembered(kitchen)))
    #expect(await !house.coordinator.contacts.keys.contains(.discovered("Kitchen")))
    await house.kill()
    speaker.die()
  }
}
