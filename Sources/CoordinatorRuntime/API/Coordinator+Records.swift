// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ControlAPI
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import WireProtocol

/// What rooms did in the last hour: kept in memory, told to who asks.
extension Coordinator {
  /// Writes in a room's record; rooms that are forgotten take theirs along.
  func record(_ room: RoomID, _ write: (inout RoomRecord) -> Void) {
    if records[room] == nil { records = records.filter { rooms[$0.key] != nil } }
    write(&records[room, default: RoomRecord()])
  }

  /// How well a room was in time in the last hour.
  func syncDocument(of name: String) throws(ProblemDocument) -> RoomSyncDocument {
    let room = try knownRoom(name)
    let history = records[room.id]?.history ?? SyncHistory()
    return RoomSyncDocument(
      roomID: room.id.rawValue, roomName: room.name,
      intervalSeconds: SyncHistory.interval.inSeconds,
      hour: history.summary.map(SyncHourDocument.init),
      samples: history.samples.map(SyncSampleDocument.init))
  }

  /// What happened to a room in the last hour.
  func logDocument(of name: String) throws(ProblemDocument) -> RoomLogDocument {
    let room = try knownRoom(name)
    let incidents = records[room.id]?.diary.incidents ?? []
    return RoomLogDocument(
      roomID: room.id.rawValue, roomName: room.name,
      incidents: incidents.map(IncidentDocument.init))
  }
}

extension SyncErrorDocument {
  /// A window, in the units of the API.
  init(_ window: SyncErrorWindow) {
    self.init(
      p50Microseconds: window.p50.inMicroseconds, p99Microseconds: window.p99.inMicroseconds,
      maxMicroseconds: window.max.inMicroseconds, meanMicroseconds: window.mean.inMicroseconds,
      soundingSeconds: window.sounding.inSeconds)
  }
}

extension SyncHourDocument {
  /// An hour, in the units of the API.
  init(_ summary: SyncSummary) {
    self.init(
      soundingSeconds: summary.sounding.inSeconds,
      typicalMicroseconds: summary.typical.inMicroseconds,
      worstP99Microseconds: summary.worstP99.inMicroseconds,
      maxMicroseconds: summary.max.inMicroseconds, meanMicroseconds: summary.mean.inMicroseconds)
  }
}

extension SyncSampleDocument {
  /// Ten seconds, in the units of the API.
  init(_ sample: SyncSample) {
    self.init(
      endedUnixSeconds: milliseconds(sample.ended), counted: SyncCountsDocument(sample.counted))
    syncError = sample.error.map { SyncErrorDocument($0) }
    clockSigmaMicroseconds = sample.clockSigma?.inMicroseconds
    clockBoundMicroseconds = sample.clockBound?.inMicroseconds
  }
}

extension SyncCountsDocument {
  /// Counters, by the names of the API.
  init(_ counted: ReportCounters) {
    self.init()
    lostPackets = UInt64(counted.lost)
    latePackets = UInt64(counted.late)
    repairedPackets = UInt64(counted.repaired)
    concealedPackets = UInt64(counted.concealed)
    underruns = UInt64(counted.underruns)
    resyncs = UInt64(counted.resyncs)
  }
}

extension IncidentDocument {
  /// An incident with its words.
  init(_ incident: RoomIncident) {
    self.init(
      id: incident.id, kind: IncidentKind(rawValue: incident.kind.rawValue) ?? .unknown,
      beganUnixSeconds: milliseconds(incident.began),
      durationSeconds: incident.seconds.map { ($0 * 1_000).rounded() / 1_000 },
      cause: incident.cause, effect: incident.effect, repair: incident.repair,
      counted: SyncCountsDocument(incident.counted))
  }
}

/// A time of day to the millisecond: finer would be pretence.
private func milliseconds(_ time: WallTime) -> Double { (time.seconds * 1_000).rounded() / 1_000 }
