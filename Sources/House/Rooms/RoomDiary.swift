// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

// Why did the kitchen stutter? Reports come each second and carry counters; what has grown since
// the one before has happened between the two. What follows each other closely is one incident:
//
//   report      . . x x . x . . . . . . . .        x: a counter has grown
//   incident      |<------->|<- quiet ->| written down as over, with its end at the last x
//
// Troubles that a report states (no clock, device in trouble) and the link's absence last as long
// as they are stated. A new kind of trouble is a case of `RoomIncident.Kind`, its words, and a line
// in `take`.

/// What happened to a room in the last hour. At most 200 incidents.
public struct RoomDiary: Sendable {
  /// Incidents that are kept.
  public static let capacity = 200
  /// An incident that is over for so long is dropped, in seconds.
  public static let retention = 3_600.0
  /// What is quiet for so long is over.
  public static let quiet = Nanoseconds.seconds(5)
  /// A refused speaker is called every few seconds; after so long it is gone.
  public static let twinQuiet = Nanoseconds.seconds(15)

  /// The incidents, oldest first.
  public private(set) var incidents: [RoomIncident] = []

  private struct Open: Sendable {
    var id: UInt64
    /// Whether it lasts until it is not stated any more; else it is over when it is quiet.
    var isStated = false
    /// When something was counted last.
    var lastSign: (at: LocalInstant, wall: WallTime)?
  }

  private var open: [RoomIncident.Kind: Open] = [:]
  private var lastID: UInt64 = 0
  private var last: (counters: ReportCounters, wall: WallTime)?
  private var runID: UInt64?
  private var hasHadClock = false

  /// An empty diary.
  public init() {}

  /// The room is connected.
  ///
  /// - Parameters:
  ///   - runID: Which run of its program; a new one counts from zero.
  ///   - wall: The time of day.
  public mutating func connected(runID: UInt64, wall: WallTime) {
    if let before = self.runID, before != runID {
      last = nil
      hasHadClock = false
      for kind in [RoomIncident.Kind.loss, .device, .timing, .clock] { close(kind, wall: wall) }
      noteNewRun()
    }
    self.runID = runID
    close(.link, wall: wall)
  }

  /// The room's link is gone.
  ///
  /// - Parameters:
  ///   - reason: Why, in words.
  ///   - wall: The time of day.
  public mutating func disconnected(because reason: String, wall: WallTime) {
    state(.link, detail: reason, wall: wall)
  }

  /// Another speaker with the room's identity was refused.
  ///
  /// - Parameters:
  ///   - detail: What it was told.
  ///   - now: This host's clock.
  ///   - wall: The time of day.
  public mutating func refusedTwin(_ detail: String, at now: LocalInstant, wall: WallTime) {
    let place = begin(.twin, wall: wall)
    incidents[place].detail = detail
    open[.twin]?.lastSign = (now, wall)
  }

  /// What a person who looks at the room now has to know beside its own words; nil when nothing.
  public var warning: String? {
    guard let id = open[.twin]?.id, let place = place(of: id) else { return nil }
    return incidents[place].cause
  }

  /// Takes in a report.
  ///
  /// - Parameters:
  ///   - report: What the room says.
  ///   - now: This host's clock.
  ///   - wall: The time of day.
  public mutating func take(_ report: StateReport, at now: LocalInstant, wall: WallTime) {
    let counters = ReportCounters(report)
    if let last { note(counters.since(last.counters), from: last.wall, at: now, wall: wall) }
    if report.state == .trouble {
      state(.device, detail: report.detail, wall: last?.wall ?? wall)
    } else if let trouble = open[.device], trouble.isStated {
      close(.device, wall: wall)
    }
    if report.clockBound != nil {
      hasHadClock = true
      close(.clock, wall: wall)
    } else if hasHadClock, report.state != .idle {
      state(.clock, detail: "", wall: last?.wall ?? wall)
    }
    last = (counters, wall)
    settle(at: now, wall: wall)
  }

  // MARK: - Writing

  /// Something was counted.
  private mutating func note(
    _ grown: ReportCounters, from before: WallTime, at now: LocalInstant, wall: WallTime
  ) {
    var (loss, device, timing) = (ReportCounters(), ReportCounters(), ReportCounters())
    loss.lost = grown.lost
    loss.late = grown.late
    loss.repaired = grown.repaired
    loss.concealed = grown.concealed
    device.underruns = grown.underruns
    // A jump after the device was away belongs to that.
    if grown.underruns > 0 || open[.device] != nil {
      device.resyncs = grown.resyncs
    } else {
      timing.resyncs = grown.resyncs
    }
    let parts: [(RoomIncident.Kind, ReportCounters)] = [
      (.loss, loss), (.device, device), (.timing, timing),
    ]
    for (kind, counted) in parts where !counted.isZero {
      let place = begin(kind, wall: before)
      incidents[place].counted = incidents[place].counted + counted
      open[kind]?.lastSign = (now, wall)
    }
  }

  /// A trouble is there until it is not stated any more.
  private mutating func state(_ kind: RoomIncident.Kind, detail: String, wall: WallTime) {
    let place = begin(kind, wall: wall)
    if !detail.isEmpty { incidents[place].detail = detail }
    open[kind]?.isStated = true
  }

  /// The link that is down went with its program.
  private mutating func noteNewRun() {
    guard let id = open[.link]?.id, let place = place(of: id) else { return }
    incidents[place].isNewRun = true
  }

  /// The open incident of a kind, or a new one.
  private mutating func begin(_ kind: RoomIncident.Kind, wall: WallTime) -> Int {
    if let id = open[kind]?.id, let place = place(of: id) { return place }
    lastID += 1
    open[kind] = Open(id: lastID)
    if incidents.count >= Self.capacity { incidents.removeFirst() }
    incidents.append(RoomIncident(id: lastID, kind: kind, began: wall))
    return incidents.count - 1
  }

  private mutating func close(_ kind: RoomIncident.Kind, wall: WallTime) {
    guard let incident = open.removeValue(forKey: kind), let place = place(of: incident.id) else {
      return
    }
    incidents[place].ended = wall
  }

  /// Ends what has been quiet for long enough, and forgets what is long over.
  private mutating func settle(at now: LocalInstant, wall: WallTime) {
    for (kind, incident) in open {
      if !incident.isStated, let sign = incident.lastSign, now - sign.at >= quiet(kind) {
        close(kind, wall: sign.wall)
      }
    }
    incidents.removeAll { incident in
      incident.ended.map { wall.seconds - $0.seconds > Self.retention } ?? false
    }
  }

  private func quiet(_ kind: RoomIncident.Kind) -> Nanoseconds {
    kind == .twin ? Self.twinQuiet : Self.quiet
  }

  private func place(of id: UInt64) -> Int? { incidents.lastIndex { $0.id == id } }
}
