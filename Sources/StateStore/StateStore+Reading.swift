// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import SQLiteDatabase
internal import Synchronization

extension StateStore {
  /// Reads everything that is kept, but for the clock.
  ///
  /// - Returns: The house as it was saved.
  /// - Throws: `SQLiteError`.
  public func load() throws(SQLiteError) -> SavedHouse {
    try state.withLock { open throws(SQLiteError) in
      var house = SavedHouse()
      house.queue = try readQueue(open.database)
      house.playback = try readPlayback(open.database)
      house.rooms = try readRooms(open.database)
      return house
    }
  }

  /// Reads the media clock.
  ///
  /// - Returns: The clock, or nil when none has been kept.
  /// - Throws: `SQLiteError`.
  public func loadClock() throws(SQLiteError) -> SavedClock? {
    try state.withLock { open throws(SQLiteError) in
      var clock: SavedClock?
      try open.database.rows("SELECT boot_id, constant, clock_id, suspended_ns FROM clock") { row in
        guard let boot = row.text(0), let constant = row.integer(1), let id = row.bits(2) else {
          return
        }
        clock = SavedClock(
          bootID: boot, constant: constant, clockID: id, suspended: row.integer(3) ?? 0)
      }
      return clock
    }
  }

  /// Reads which generations may have been used.
  ///
  /// - Returns: The state of the counter, or nil when none has been kept.
  /// - Throws: `SQLiteError`.
  public func loadGeneration() throws(SQLiteError) -> SavedGeneration? {
    try state.withLock { open throws(SQLiteError) in
      var generation: SavedGeneration?
      try open.database.rows("SELECT session, first_unused FROM generation") { row in
        guard let session = row.integer(0), let firstUnused = row.integer(1) else { return }
        generation = SavedGeneration(
          session: UInt16(truncatingIfNeeded: session),
          firstUnused: UInt16(truncatingIfNeeded: firstUnused))
      }
      return generation
    }
  }

  /// Reads when the program was last known to be alive.
  ///
  /// - Returns: The media clock then, in nanoseconds since 1900; nil when it was never kept.
  /// - Throws: `SQLiteError`.
  public func loadAlive() throws(SQLiteError) -> Int64? {
    try state.withLock { open throws(SQLiteError) in
      try open.database.number("SELECT media_ns FROM alive")
    }
  }
}
