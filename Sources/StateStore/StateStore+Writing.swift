// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import SQLiteDatabase
internal import Synchronization

extension StateStore {
  /// Keeps the whole queue.
  ///
  /// - Parameter queue: The queue.
  /// - Throws: `SQLiteError`; the last queue that was kept is still there then.
  public func save(_ queue: SavedQueue) throws(SQLiteError) {
    try save(SavedQueueEdit(whole: queue))
  }

  /// Keeps what has changed in the queue since it was kept last.
  ///
  /// - Parameter edit: What has changed.
  /// - Throws: `SQLiteError`; the last queue that was kept is still there then.
  public func save(_ edit: SavedQueueEdit) throws(SQLiteError) {
    try state.withLock { open throws(SQLiteError) in
      try open.database.transaction { database throws(SQLiteError) in
        if edit.removesAll { try database.run("DELETE FROM items") }
        try database.run(
          "DELETE FROM items WHERE item = ?", each: edit.removed.lazy.map { [.bits($0)] })
        try database.run(
          "INSERT OR REPLACE INTO items VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
          each: edit.added.lazy.map(\.row))
        for (name, order) in edit.orders {
          if let order {
            try database.run(
              "INSERT OR REPLACE INTO orders VALUES(?, ?)",
              [.text(name.rawValue), .text(OrderText.encode(order))])
          } else {
            try database.run("DELETE FROM orders WHERE name = ?", [.text(name.rawValue)])
          }
        }
        try database.run(
          "INSERT OR REPLACE INTO queue_state VALUES(1, ?, ?, ?, ?)",
          [
            .optional(edit.current), .bits(edit.revision), .text(edit.repeatMode),
            .bits(edit.nextID),
          ])
      }
    }
  }

  /// Keeps where playback stands.
  ///
  /// - Parameter playback: Where it stands.
  /// - Throws: `SQLiteError`.
  public func save(_ playback: SavedPlayback) throws(SQLiteError) {
    try state.withLock { open throws(SQLiteError) in
      try open.database.transaction { database throws(SQLiteError) in
        try database.run(
          "INSERT OR REPLACE INTO playback VALUES(1, ?, ?, ?, ?)",
          [
            .text(playback.state), .integer(playback.pausedAt), .bits(playback.clockID),
            .integer(playback.playoutDelayNanoseconds),
          ])
        try database.run("DELETE FROM runs")
        for (place, run) in playback.runs.enumerated() {
          try database.run(
            "INSERT INTO runs VALUES(?, ?, ?, ?)",
            [
              .integer(Int64(place)), .bits(run.item), .integer(run.mediaFrame),
              .integer(run.sourceFrame),
            ])
        }
      }
    }
  }

  /// Keeps which generations may have been used.
  ///
  /// - Parameter generation: The state of the counter.
  /// - Throws: `SQLiteError`.
  public func save(_ generation: SavedGeneration) throws(SQLiteError) {
    try run(
      "INSERT OR REPLACE INTO generation VALUES(1, ?, ?)",
      [.integer(Int64(generation.session)), .integer(Int64(generation.firstUnused))])
  }

  /// Keeps a room: adds it, or replaces what was known of it.
  ///
  /// - Parameter room: The room.
  /// - Throws: `SQLiteError`.
  public func save(_ room: SavedRoom) throws(SQLiteError) {
    try run(
      """
      INSERT INTO rooms(id, name, address, volume, muted, volume_serial) VALUES(?, ?, ?, ?, ?, ?)
      ON CONFLICT(id) DO UPDATE SET name = excluded.name, address = excluded.address,
        volume = excluded.volume, muted = excluded.muted, volume_serial = excluded.volume_serial
      """,
      [
        .text(room.id), .text(room.name), .optional(room.address), .optional(room.volume),
        .integer(room.isMuted ? 1 : 0), .bits(room.volumeSerial),
      ])
  }

  /// Forgets a room.
  ///
  /// - Parameter id: Its speaker's node id, in hex.
  /// - Throws: `SQLiteError`.
  public func forgetRoom(_ id: String) throws(SQLiteError) {
    try run("DELETE FROM rooms WHERE id = ?", [.text(id)])
  }

  /// Keeps the media clock.
  ///
  /// - Parameter clock: The clock.
  /// - Throws: `SQLiteError`.
  public func save(_ clock: SavedClock) throws(SQLiteError) {
    try run(
      "INSERT OR REPLACE INTO clock VALUES(1, ?, ?, ?, ?)",
      [
        .text(clock.bootID), .integer(clock.constant), .bits(clock.clockID),
        .integer(clock.suspended),
      ])
  }

  /// Keeps that the program was alive, so that its successor knows how long it was away.
  ///
  /// - Parameter mediaNanoseconds: The media clock, in nanoseconds since 1900.
  /// - Throws: `SQLiteError`.
  public func saveAlive(atMediaNanoseconds mediaNanoseconds: Int64) throws(SQLiteError) {
    try run("INSERT OR REPLACE INTO alive VALUES(1, ?)", [.integer(mediaNanoseconds)])
  }

  /// Makes what has been saved survive a power cut too. Waits for the disk: not for a busy thread.
  ///
  /// - Throws: `SQLiteError`.
  public func checkpoint() throws(SQLiteError) {
    try checkpoints.withLock { _ throws(SQLiteError) in
      let database = try SQLiteConnection(path: path)
      try database.rows("PRAGMA wal_checkpoint(PASSIVE)") { _ in }
    }
  }

  private func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    try state.withLock { open throws(SQLiteError) in try open.database.run(sql, values) }
  }
}
