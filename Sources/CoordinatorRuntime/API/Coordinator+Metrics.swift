// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CommandLineOptions
internal import ControlAPI

/// What Prometheus reads. The names are listed in `docs/metrics.md`.
extension Coordinator {
  /// Every figure of the house.
  func metrics() -> MetricsText {
    var text = MetricsText()
    text.add(
      "tutti_build_info", .gauge, help: "The coordinator's version.",
      samples: [([("version", tuttiVersion)], 1)])
    addGroup(to: &text)
    addStream(to: &text)
    addRooms(to: &text)
    return text
  }

  private func addGroup(to text: inout MetricsText) {
    let group = groupDocument()
    let label = [(name: "group", value: group.id)]
    text.add(
      "tutti_group_playing", .gauge, help: "1 while the group plays.",
      samples: [(label, group.playback.state == .playing ? 1 : 0)])
    text.add(
      "tutti_group_position_seconds", .gauge, help: "The heard position within the track.",
      samples: [(label, group.playback.positionSeconds)])
    text.add(
      "tutti_queue_items", .gauge, help: "Tracks in the queue.",
      samples: [(label, Double(group.queue.count))])
    text.add(
      "tutti_queue_revision", .counter, help: "Edits of the queue.",
      samples: [(label, Double(group.queue.revision))])
  }

  private func addStream(to text: inout MetricsText) {
    let counters = player.counters
    text.add(
      "tutti_stream_packets_total", .counter, help: "Audio packets, all rooms, by fate.",
      samples: [
        ([("kind", "sent")], Double(counters.packetsSent)),
        ([("kind", "skipped")], Double(counters.packetsSkipped)),
        ([("kind", "refused")], Double(counters.packetsRefused)),
      ])
    text.add(
      "tutti_stream_sent_bytes_total", .counter, help: "Octets of audio packets, all rooms.",
      Double(counters.bytesSent))
    text.add(
      "tutti_stream_repairs_total", .counter, help: "Packets that rooms asked for again, by fate.",
      samples: [
        ([("kind", "sent")], Double(counters.repairsSent)),
        ([("kind", "late")], Double(counters.repairsLate)),
        ([("kind", "refused")], Double(counters.repairsRefused)),
      ])
    text.add(
      "tutti_stream_latest_wake_seconds", .gauge, help: "How late the media thread woke, at worst.",
      counters.latestWake.inSeconds)
    text.add(
      "tutti_flushes_unacknowledged_total", .counter,
      help: "Flushes that some room never acknowledged on UDP.",
      Double(counters.flushesUnacknowledged))
    text.add(
      "tutti_clock_requests_total", .counter, help: "Questions to the clock service, answered.",
      Double(counters.clockRequests))
    text.add(
      "tutti_garbage_datagrams_total", .counter, help: "Datagrams that were none of ours.",
      Double(counters.garbage))
  }

  // MARK: - Rooms

  /// A room and the label that names it.
  private struct Subject {
    var room: RoomDocument
    var health: RoomHealthDocument?
    var label: (name: String, value: String)
  }

  private func addRooms(to text: inout MetricsText) {
    let rooms = roomDocuments()
    let names = Dictionary(grouping: rooms, by: \.name)
    let subjects = rooms.map { room in
      // Two rooms of one name are told apart by the beginnings of their identities.
      let isAlone = names[room.name]?.count == 1
      return Subject(
        room: room, health: room.isConnected ? room.health : nil,
        label: ("room", isAlone ? room.name : "\(room.name) (\(room.id.prefix(8)))"))
    }
    addPresence(of: subjects, to: &text)
    addSync(of: subjects, to: &text)
    addHealth(of: subjects, to: &text)
  }

  private func addPresence(of subjects: [Subject], to text: inout MetricsText) {
    text.add(
      "tutti_room_connected", .gauge, help: "1 while the control link is up.",
      samples: subjects.map { ([$0.label], $0.room.isConnected ? 1 : 0) })
    text.add(
      "tutti_room_playing", .gauge, help: "1 while the room sounds.",
      samples: subjects.map { ([$0.label], $0.room.state == .playing ? 1 : 0) })
    text.add(
      "tutti_room_volume_ratio", .gauge, help: "The room's volume, 0 to 1.",
      samples: subjects.map { ([$0.label], Double($0.room.volume) / 100) })
    text.add(
      "tutti_room_muted", .gauge, help: "1 while the room is muted.",
      samples: subjects.map { ([$0.label], $0.room.isMuted ? 1 : 0) })
  }

  private func addSync(of subjects: [Subject], to text: inout MetricsText) {
    text.add(
      "tutti_room_sync_error_seconds", .gauge,
      help: "Heard minus due, magnitude, over the last ten seconds; absent in silence.",
      samples: subjects.flatMap { subject in
        let window = subject.health?.syncErrorTenSeconds
        let figures = [
          ("0.5", window?.p50Microseconds), ("0.99", window?.p99Microseconds),
          ("1", window?.maxMicroseconds),
        ]
        return figures.map { ([subject.label, ("quantile", $0.0)], $0.1.map { $0 / 1e6 }) }
      })
    text.add(
      "tutti_room_sync_error_mean_seconds", .gauge,
      help: "Heard minus due, mean over the last ten seconds; positive is late.",
      samples: subjects.map {
        ([$0.label], $0.health?.syncErrorTenSeconds.map { $0.meanMicroseconds / 1e6 })
      })
    let microseconds: [(String, String, KeyPath<RoomHealthDocument, Double?>)] = [
      ("clock_sigma_seconds", "Standard deviation of its clock.", \.clockSigmaMicroseconds),
      ("clock_bound_seconds", "Its clock's error cannot pass it.", \.clockBoundMicroseconds),
      ("host_frequency_error_ratio", "How fast its host clock runs.", \.hostFrequencyPPM),
      ("card_frequency_error_ratio", "How fast its card runs.", \.cardFrequencyPPM),
    ]
    for (name, help, path) in microseconds {
      text.add(
        "tutti_room_" + name, .gauge, help: help,
        samples: subjects.map { subject in
          ([subject.label], subject.health.flatMap { $0[keyPath: path] }.map { $0 / 1e6 })
        })
    }
  }

  private func addHealth(of subjects: [Subject], to text: inout MetricsText) {
    text.add(
      "tutti_room_packets_total", .counter, help: "Packets of the room's stream, by fate.",
      samples: subjects.flatMap { subject in
        let packets = subject.health?.packets
        let figures = [
          ("received", packets?.received), ("late", packets?.late), ("lost", packets?.lost),
          ("repaired", packets?.repaired), ("concealed", packets?.concealed),
          ("discarded", packets?.discarded),
        ]
        return figures.map { ([subject.label, ("kind", $0.0)], $0.1.map { Double($0) }) }
      })
    let gauges: [(String, String, (RoomHealthDocument) -> Double)] = [
      ("buffered_seconds", "Music held ahead.", { $0.bufferedMilliseconds / 1e3 }),
      ("jitter_seconds", "How unevenly packets arrive.", { $0.jitterMicroseconds / 1e6 }),
      ("output_latency_seconds", "What the device holds.", { $0.outputLatencyMilliseconds / 1e3 }),
    ]
    for (name, help, figure) in gauges {
      text.add(
        "tutti_room_" + name, .gauge, help: help,
        samples: subjects.map { ([$0.label], $0.health.map(figure)) })
    }
    text.add(
      "tutti_room_underruns_total", .counter, help: "Times the device ran dry.",
      samples: subjects.map { ([$0.label], $0.health.map { Double($0.underruns) }) })
    text.add(
      "tutti_room_resyncs_total", .counter, help: "Cross-faded jumps.",
      samples: subjects.map { ([$0.label], $0.health.map { Double($0.resyncs) }) })
  }
}
