// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

/// A small house in which every field has a value.
enum SampleHouse {
  static let item = QueueItemDocument(
    id: 7, title: "Waltz", artist: "Anna", album: "Dances", durationSeconds: 187.5,
    location: "/music/waltz.flac")

  static var kitchen: RoomDocument {
    var room = RoomDocument(id: "ab12", name: "Kitchen", state: .playing, groupID: "house")
    room.isConnected = true
    room.volume = 40
    room.address = "192.0.2.7:7701"
    room.output = "alsa:default"
    room.softwareVersion = "0.1.0"
    var health = RoomHealthDocument()
    health.bufferedMilliseconds = 5_980
    health.syncErrorP99Microseconds = 23.5
    health.packets.received = 1_000
    room.health = health
    return room
  }

  static let window = SyncErrorDocument(
    p50Microseconds: 4, p99Microseconds: 12, maxMicroseconds: 31, meanMicroseconds: -2.5,
    soundingSeconds: 10)

  static var sync: RoomSyncDocument {
    var counted = SyncCountsDocument()
    counted.lostPackets = 2
    var sample = SyncSampleDocument(endedUnixSeconds: 1_700_000_010.25, counted: counted)
    sample.syncError = window
    sample.clockSigmaMicroseconds = 1.5
    sample.clockBoundMicroseconds = 90
    let silent = SyncSampleDocument(
      endedUnixSeconds: 1_700_000_020.25, counted: SyncCountsDocument())
    return RoomSyncDocument(
      roomID: "ab12", roomName: "Kitchen", intervalSeconds: 10,
      hour: SyncHourDocument(
        soundingSeconds: 10, typicalMicroseconds: 4, worstP99Microseconds: 12,
        maxMicroseconds: 31, meanMicroseconds: -2.5), samples: [sample, silent])
  }

  static var log: RoomLogDocument {
    let incident = IncidentDocument(
      id: 1, kind: .loss, beganUnixSeconds: 1_700_000_005.5, durationSeconds: 1,
      cause: "2 packets lost on the way, 40 ms in all", effect: "40 ms covered up",
      repair: "none: the music went on", counted: sync.samples[0].counted)
    return RoomLogDocument(roomID: "ab12", roomName: "Kitchen", incidents: [incident])
  }

  static var job: JobDocument {
    var job = JobDocument(id: "scan-b1-1", cause: .request, isFull: true)
    job.state = .failed
    job.startedUnixSeconds = 1_700_000_000.5
    job.elapsedSeconds = 2.5
    job.counts.found = 3
    job.currentFolder = "/music/a"
    job.detail = "/music: the disk does not answer"
    job.failures = [ScanFailureDocument(path: "/music/a/x.mp3", reason: "it is no sound")]
    return job
  }

  static let playback = PlaybackDocument(
    state: .playing, item: item, positionSeconds: 12.25, durationSeconds: 187.5)

  static var station: PlaybackDocument {
    var broadcast = BroadcastDocument()
    broadcast.genre = "Jazz"
    broadcast.kilobitsPerSecond = 128
    broadcast.titles = [
      HeardTitleDocument(artist: "Björk", title: "Jóga", sinceUnixSeconds: 1_700_000_000),
      HeardTitleDocument(artist: nil, title: "News", sinceUnixSeconds: 1_699_999_000),
    ]
    broadcast.connection = .reconnecting
    broadcast.lossReason = "the server ended it"
    broadcast.nextTrySeconds = 8
    var playback = PlaybackDocument(state: .playing, item: item, positionSeconds: 12.25)
    playback.broadcast = broadcast
    return playback
  }

  static let queue = QueueDocument(
    revision: 3, items: [item], currentItemID: 7, shuffle: true, repeatMode: .all)

  static var group: GroupDocument {
    GroupDocument(
      id: "house", name: "House", roomIDs: ["ab12"], volume: 40, isMuted: false,
      playback: playback, queue: queue)
  }

  static var state: StateDocument {
    StateDocument(
      revision: 99,
      coordinator: CoordinatorDocument(
        name: "House", version: "0.1.0", id: "cd34", boot: "b1", musicFolders: ["/music"]),
      rooms: [kitchen], groups: [group])
  }
}
