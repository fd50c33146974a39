// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import StateStore

// A program that was away for a moment goes on by itself: the rooms still play what they hold, and at each
// stamp the new generation carries the very sample of the old one. A program that was away for long, or
// whose host was restarted, has a listener who has noticed: then the music waits where it was.

/// What a coordinator makes of what was saved.
struct Restoration: Sendable {
  /// Within so long an absence the music goes on by itself.
  static let absence = Nanoseconds.seconds(60)
  /// How often a living program says so (`KeptState`): an absence may be so much shorter than it seems.
  static let signOfLife = Nanoseconds.seconds(2)

  /// The queue, and whether it plays.
  var transport: Transport
  /// Whether the queue is what the file says, item by item.
  var isQueueIntact: Bool
  /// The rooms; none is online.
  var rooms: RoomRegistry
  /// Where to take up the stream, if it goes on by itself.
  var plan: RestartPlan?
  /// Whether a live input played a moment ago: it is heard again, at what it says now.
  var playsLive = false

  /// Judges what was saved.
  ///
  /// - Parameters:
  ///   - saved: The file's contents.
  ///   - alive: When the last program was known to be alive, on the media clock of that time.
  ///   - clockID: Which run of the media clock this is.
  ///   - now: The media clock.
  ///   - delay: The playout delay from now on.
  init(
    _ saved: SavedHouse, alive: MediaInstant?, clockID: ClockID, now: MediaInstant,
    delay: Nanoseconds
  ) {
    rooms = RoomRegistry(saved.rooms)
    var queue = PlayQueue(saved.queue)
    isQueueIntact =
      queue.items.count == saved.queue.items.count && queue.nextID.rawValue == saved.queue.nextID
      && queue.naturalOrder?.map(\.rawValue) == saved.queue.naturalOrder
    let playback = saved.playback
    let runs = playback.runs.map(PositionRun.init)
    let oldDelay = Nanoseconds(playback.playoutDelayNanoseconds)
    guard playback.state == PlaybackState.playing.rawValue else {
      let isPaused = playback.state == PlaybackState.paused.rawValue
      transport = Transport(
        restoring: queue, playback: isPaused ? .paused(atFrame: playback.pausedAt) : .stopped)
      return
    }
    let isRecent = alive.map { $0 <= now && now - $0 < Self.absence + Self.signOfLife } ?? false
    if queue.currentItem?.source.isLive == true {
      transport = Transport(restoring: queue, playback: .paused(atFrame: 0))
      playsLive = isRecent && playback.clockID == clockID.rawValue
      return
    }
    let isSameClock = playback.clockID == clockID.rawValue && oldDelay == delay
    if isSameClock, isRecent,
      let plan = RestartPlan(runs: runs, now: now, lead: FastStart.shortestLead, delay: delay),
      queue.item(plan.itemID) != nil
    {
      try? queue.select(plan.itemID)
      transport = Transport(restoring: queue, playback: .playing)
      self.plan = plan
      return
    }
    // Where it was when the program was last alive; the beginning of the track when that is not known.
    let position = alive.flatMap {
      StreamTimeline(restoring: runs).position(at: $0, delay: oldDelay)
    }
    if let position, queue.item(position.itemID) != nil { try? queue.select(position.itemID) }
    transport = Transport(
      restoring: queue, playback: .paused(atFrame: max(0, position?.sourceFrame ?? 0)))
  }
}
