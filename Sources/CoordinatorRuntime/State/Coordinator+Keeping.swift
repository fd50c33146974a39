// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import LinuxNetworking
internal import SQLiteDatabase
internal import StateStore

/// What has been written to the state file.
struct KeptState {
  var queue: PlayQueue?
  /// The uploads that the queue needed when the spool was swept last.
  var uploads: Set<String>?
  var playback: SavedPlayback?
  var rooms: [RoomID: SavedRoom] = [:]
  /// When the disk was last waited for, in ticks, and whether something was written since.
  var isDirty = false
  /// The garbage that has been spoken of.
  var garbage: UInt64 = 0
}

extension Coordinator {
  /// How often the disk is waited for when something was written: a power cut costs so much at most.
  static var ticksPerCheckpoint: Int { 5 }

  /// Writes what has changed.
  func keep() {
    keepQueue()
    keepPlayback()
    keepRooms()
  }

  private func keepQueue() {
    guard kept.queue != transport.queue else { return }
    let edit = SavedQueueEdit(from: kept.queue, to: transport.queue)
    guard
      parts.store.attempt({ () throws(SQLiteError) in try parts.store.store.save(edit) }) != nil
    else { return }
    let hasNewItems = kept.queue?.revision != transport.queue.revision || kept.uploads == nil
    kept.queue = transport.queue
    kept.isDirty = true
    guard hasNewItems else { return }
    let uploads = Self.uploads(transport.queue)
    if kept.uploads != uploads { sweepSpool(inUse: uploads) }
    kept.uploads = uploads
  }

  private func keepPlayback() {
    var playback = SavedPlayback()
    playback.state = transport.state.rawValue
    switch transport.state {
    case .stopped: break
    case .paused: playback.pausedAt = currentFrame() ?? 0
    case .playing: playback.runs = player.status.timeline.runs.map(SavedPlayback.Run.init)
    }
    playback.clockID = parts.clock.clockID.rawValue
    playback.playoutDelayNanoseconds = configuration.playoutDelay.count
    guard kept.playback != playback else { return }
    if parts.store.attempt({ () throws(SQLiteError) in
      try parts.store.store.save(playback)
    }) != nil {
      kept.playback = playback
      kept.isDirty = true
      giveSignOfLife()
    }
  }

  private func keepRooms() {
    for room in rooms.rooms {
      let saved = SavedRoom(room)
      guard kept.rooms[room.id] != saved else { continue }
      guard
        parts.store.attempt({ () throws(SQLiteError) in
          try parts.store.store.save(saved)
        }) != nil
      else { return }
      kept.rooms[room.id] = saved
      kept.isDirty = true
    }
    for id in kept.rooms.keys where rooms[id] == nil {
      parts.store.attempt { () throws(SQLiteError) in
        try parts.store.store.forgetRoom(id.rawValue)
      }
      kept.rooms[id] = nil
    }
  }

  /// Each tick: signs of life, and now and then the disk.
  func keepAlive() {
    if ticks % Int(Restoration.signOfLife.inSeconds) == 0 { giveSignOfLife() }
    guard kept.isDirty, ticks % Self.ticksPerCheckpoint == 0 else { return }
    kept.isDirty = false
    parts.disk.run { [store = parts.store] in
      store.attempt { () throws(SQLiteError) in try store.store.checkpoint() }
    }
  }

  private func giveSignOfLife() {
    let now = parts.clock.now().nanosecondsSince1900
    parts.store.attempt { () throws(SQLiteError) in
      try parts.store.store.saveAlive(atMediaNanoseconds: now)
    }
  }

  // MARK: - Uploads

  /// The uploads that a queue needs.
  static func uploads(_ queue: PlayQueue) -> Set<String> {
    Set(
      queue.items.compactMap { item in
        if case .upload(let id) = item.source { id } else { nil }
      })
  }

  private func sweepSpool(inUse: Set<String>) {
    parts.disk.run { [spool = parts.spool] in
      spool.sweep(inUse: inUse, now: Int(wallTime().seconds))
    }
  }
}
