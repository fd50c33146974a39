// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import House
import Testing

private func speaker(_ byte: UInt8) -> RoomID { RoomID(nodeID: Array(repeating: byte, count: 32)) }

extension RoomRegistry {
  /// A room appears with a volume.
  fileprivate mutating func appears(_ byte: UInt8, _ name: String, volume: Int? = 20) {
    connected(
      speaker(byte), named: name, at: "10.0.0.\(byte):7701",
      loudness: Room.Loudness(volume: volume), now: WallTime(seconds: Double(byte)))
  }

  fileprivate func volume(_ byte: UInt8) -> Int? { self[speaker(byte)]?.loudness.volume }
}

@Suite struct RoomRegistryTests {
  @Test func `one speaker found in two ways is one room`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    rooms.connected(
      speaker(1), named: "Kitchen", at: "[fe80::1%eth0]:7701", loudness: .init(),
      now: .init(seconds: 9))
    #expect(rooms.rooms.count == 1)
    #expect(rooms[speaker(1)]?.address == "[fe80::1%eth0]:7701")
    #expect(rooms[speaker(1)]?.since == WallTime(seconds: 1))
    #expect(rooms.volume(1) == 20)
  }

  @Test func `names are made unique, and the first keeps its own`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    rooms.appears(2, "kitchen")
    rooms.appears(3, "Kitchen")
    rooms.appears(4, "")
    #expect(rooms.rooms.map(\.name) == ["Kitchen", "kitchen 2", "Kitchen 3", "Speaker"])
    rooms.appears(2, "Bath")
    #expect(rooms[speaker(2)]?.name == "Bath")
  }

  @Test func `a room is found by name in any case, by id, and by a clear beginning of it`() {
    var rooms = RoomRegistry()
    rooms.appears(0xab, "Living room")
    #expect(rooms.room(called: "LIVING ROOM")?.id == speaker(0xab))
    #expect(rooms.room(called: "ABABAB")?.id == speaker(0xab))
    #expect(rooms.room(called: "abab") == nil)
    #expect(rooms.room(called: speaker(0xab).rawValue)?.id == speaker(0xab))
    #expect(rooms.room(called: "attic") == nil)
  }

  @Test func `a room that goes says since when`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    rooms.disconnected(speaker(1), now: WallTime(seconds: 50))
    rooms.disconnected(speaker(1), now: WallTime(seconds: 60))
    #expect(rooms[speaker(1)]?.isOnline == false)
    #expect(rooms[speaker(1)]?.since == WallTime(seconds: 50))
  }

  @Test func `saved rooms come back offline with their names`() {
    var rooms = RoomRegistry(restoring: [
      (speaker(1), "Kitchen", "10.0.0.1:7701", .init(volume: 30, isMuted: true, serial: 4)),
      (speaker(1), "Twin", nil, .init()),
    ])
    #expect(rooms.rooms.count == 1)
    #expect(rooms[speaker(1)]?.isOnline == false)
    rooms.appears(2, "Kitchen")
    #expect(rooms[speaker(2)]?.name == "Kitchen 2")
  }

  @Test func `a house remembers so many rooms, and drops the one longest gone`() {
    var rooms = RoomRegistry()
    for number in 0..<RoomRegistry.capacity + 1 {
      let id = RoomID(rawValue: "\(number)")
      rooms.connected(id, named: "R", at: "", loudness: .init(), now: .init(seconds: 0))
      if number < 2 { rooms.disconnected(id, now: .init(seconds: Double(10 - number))) }
    }
    #expect(rooms.rooms.count == RoomRegistry.capacity)
    #expect(rooms[RoomID(rawValue: "1")] == nil)
    #expect(rooms[RoomID(rawValue: "0")] != nil)
  }
}

@Suite struct LoudnessTests {
  @Test func `connecting again takes over what the speaker says, louder or not`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen", volume: 60)
    rooms.disconnected(speaker(1), now: .init(seconds: 2))
    rooms.appears(1, "Kitchen", volume: 15)
    #expect(rooms.volume(1) == 15)
  }

  @Test func `a speaker that has forgotten our orders is still listened to`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    for volume in 30..<35 { _ = rooms.request(.set(volume), in: speaker(1)) }
    rooms.disconnected(speaker(1), now: .init(seconds: 2))
    rooms.appears(1, "Kitchen", volume: 25)
    let isTaken = rooms.reported(.init(volume: 40, serial: 0), by: speaker(1))
    #expect(isTaken)
    #expect(rooms.volume(1) == 40)
  }

  @Test func `a room that is not there takes no orders`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    rooms.disconnected(speaker(1), now: .init(seconds: 2))
    #expect(rooms.request(.set(50), in: speaker(1)) == nil)
    #expect(rooms.setMuted(true, in: speaker(1)) == nil)
    #expect(rooms.volume(1) == 20)
  }

  @Test func `an answer to an older order is passed over`() throws {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    let asked = rooms.request(.set(70), in: speaker(1))
    let order = try #require(asked)
    let isOldTaken = rooms.reported(.init(volume: 20, serial: order.serial - 1), by: speaker(1))
    #expect(!isOldTaken)
    #expect(rooms.volume(1) == 70)
    let isNewTaken = rooms.reported(.init(volume: 65, serial: order.serial), by: speaker(1))
    #expect(isNewTaken)
    #expect(rooms.volume(1) == 65)
  }

  @Test(arguments: [
    (VolumeRequest.set(300), 100), (.set(-4), 0), (.change(by: -30), 0), (.change(by: .max), 100),
  ])
  func `a volume stays between 0 and 100`(request: VolumeRequest, expected: Int) {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen")
    let order = rooms.request(request, in: speaker(1))
    #expect(order?.volume == expected)
  }

  @Test func `the group keeps its balance through zero and through small steps`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen", volume: 60)
    rooms.appears(2, "Bath", volume: 20)
    _ = rooms.requestGroup(.set(0))
    #expect((rooms.volume(1), rooms.volume(2)) == (0, 0))
    for _ in 0..<60 { _ = rooms.requestGroup(.change(by: 1)) }
    #expect((rooms.volume(1), rooms.volume(2)) == (60, 20))
    _ = rooms.requestGroup(.set(100))
    #expect((rooms.volume(1), rooms.volume(2)) == (100, 33))
  }

  @Test func `turning one room changes the balance that the group keeps`() {
    var rooms = RoomRegistry()
    rooms.appears(1, "Kitchen", volume: 80)
    rooms.appears(2, "Bath", volume: 40)
    _ = rooms.requestGroup(.set(60))
    _ = rooms.request(.set(30), in: speaker(1))
    #expect(rooms.groupVolume == 30)
    _ = rooms.requestGroup(.set(60))
    #expect((rooms.volume(1), rooms.volume(2)) == (60, 60))
  }

  @Test func `the group is muted when every room is`() {
    var rooms = RoomRegistry()
    #expect(!rooms.isGroupMuted)
    rooms.appears(1, "Kitchen")
    rooms.appears(2, "Bath")
    #expect(rooms.setGroupMuted(true).count == 2)
    #expect(rooms.isGroupMuted)
    _ = rooms.setMuted(false, in: speaker(2))
    #expect(!rooms.isGroupMuted)
  }

  @Test func `half the volume is eighteen decibels down`() {
    #expect(VolumeLaw.amplitude(of: 100) == 1)
    #expect(VolumeLaw.amplitude(of: 50) == 0.125)
    #expect(VolumeLaw.amplitude(of: 0) == 0)
    #expect(VolumeLaw.amplitude(of: -7) == 0)
  }
}
