// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI

@testable import CommandLineClient

/// A house of three rooms: one well, one older and late, one gone.
enum SampleRooms {
  static let full = Ink(usesColour: false, usesUnicode: true)

  static func window(_ p99: Double, mean: Double = 2, sounding: Double) -> SyncErrorDocument {
    SyncErrorDocument(
      p50Microseconds: p99 / 3, p99Microseconds: p99, maxMicroseconds: p99 * 2,
      meanMicroseconds: mean, soundingSeconds: sounding)
  }

  static var health: RoomHealthDocument {
    var health = RoomHealthDocument()
    health.bufferedMilliseconds = 5_980
    health.jitterMicroseconds = 212
    health.syncErrorP99Microseconds = 9
    health.syncErrorTenSeconds = window(12, mean: -2.5, sounding: 10)
    health.syncErrorFiveMinutes = window(31, sounding: 300)
    health.clockSigmaMicroseconds = 1.5
    health.clockBoundMicroseconds = 90
    health.hostFrequencyPPM = -12.5
    health.cardFrequencyPPM = 40.25
    health.outputLatencyMilliseconds = 42
    health.packets.received = 1_000
    health.packets.lost = 4
    (health.packets.requested, health.packets.superfluous) = (6, 1)
    health.latenessMilliseconds = 12.34
    return health
  }

  static var kitchen: RoomDocument {
    var room = RoomDocument(
      id: String(repeating: "ab", count: 32), name: "Kitchen", state: .playing, groupID: "house")
    room.isConnected = true
    room.volume = 40
    room.address = "192.0.2.7:7701"
    room.output = "alsa:default"
    room.softwareVersion = "0.1.0"
    room.health = health
    return room
  }

  static var old: RoomDocument {
    var room = kitchen
    room.name = "Living room"
    room.health?.syncErrorTenSeconds = nil
    room.health?.syncErrorFiveMinutes = nil
    room.health?.syncErrorP99Microseconds = 2_345
    return room
  }

  static var other: RoomDocument {
    var room = kitchen
    room.id = "cd"
    return room
  }

  static var gone: RoomDocument {
    var room = kitchen
    room.name = "Loft"
    room.isConnected = false
    room.state = .unreachable
    room.lastSeenSecondsAgo = 75
    return room
  }

  static var hour: RoomSyncDocument {
    let samples = (0..<360).map { index in
      var sample = SyncSampleDocument(
        endedUnixSeconds: 1_700_000_000 + Double(index) * 10, counted: SyncCountsDocument())
      if index >= 180 { sample.syncError = window(index == 200 ? 500 : 12, sounding: 10) }
      return sample
    }
    return RoomSyncDocument(
      roomID: kitchen.id, roomName: "Kitchen", intervalSeconds: 10,
      hour: SyncHourDocument(
        soundingSeconds: 1_800, typicalMicroseconds: 4, worstP99Microseconds: 500,
        maxMicroseconds: 1_000, meanMicroseconds: -2), samples: samples)
  }

  static func incident(_ id: UInt64, duration: Double? = 2) -> IncidentDocument {
    IncidentDocument(
      id: id, kind: .loss, beganUnixSeconds: 1_700_000_000 + Double(id) * 60,
      durationSeconds: duration, cause: "4 packets lost on the way, 80 ms in all",
      effect: "80 ms covered up", repair: "none: the music went on",
      counted: SyncCountsDocument())
  }

  static var log: RoomLogDocument {
    RoomLogDocument(
      roomID: kitchen.id, roomName: "Kitchen", incidents: (1...5).map { incident($0) })
  }

  static var state: StateDocument {
    let item = QueueItemDocument(id: 7, title: "Waltz", artist: "Anna", location: "/w.flac")
    return StateDocument(
      revision: 1,
      coordinator: CoordinatorDocument(
        name: "House", version: "0.1.0", id: "cd", boot: "b", musicFolders: []),
      rooms: [kitchen],
      groups: [
        GroupDocument(
          id: "house", name: "All rooms", roomIDs: [kitchen.id], volume: 40, isMuted: false,
          playback: PlaybackDocument(
            state: .playing, item: item, positionSeconds: 12, durationSeconds: 187),
          queue: QueueDocument(revision: 1, items: [item]))
      ])
  }
}
