// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Synchronization

extension StateStore {
  /// Reads everything that is kept, but for the clock.
  ///
  /// - Returns: The house as it was saved.
  /// - Throws: `StateStoreError`.
  public func load() throws(StateStoreError) -> SavedHouse {
    try state.withLock { open throws(StateStoreError) in
      var house = SavedHouse()
      house.queue = try readQueue(open.database, items: open.queueRows)
      house.playback = try readPlayback(open.database)
      house.rooms = try readRooms(open.database)
      return house
    }
  }

  /// Reads the media clock.
  ///
  /// - Returns: The clock, or nil when none has been kept.
  /// - Throws: `StateStoreError`.
  public func loadClock() throws(StateStoreError) -> SavedClock? {
    try state.withLock { open throws(StateStoreError) in
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
  /// - Throws: `StateStoreError`.
  public func loadGeneration() throws(StateStoreError) -> SavedGeneration? {
    try state.withLock { open throws(StateStoreError) in
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
  /// - Throws: `StateStoreError`.
  public func loadAlive() throws(StateStoreError) -> Int64? {
    try state.withLock { open throws(StateStoreError) in
      try open.database.number("SELECT media_ns FROM alive")
    }
  }
}
