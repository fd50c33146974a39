// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import SQLiteDatabase
internal import StateStore

/// Keeps what the media path needs to keep, in the house's state file.
///
/// A save that fails costs continuity after a crash, not the music: it is logged and passed over.
struct StoreAdapter: StreamStorage {
  let store: StateStore
  let log: Log

  func savedClock() -> SavedMediaClock? {
    attempt { () throws(SQLiteError) in try store.loadClock() }.flatMap { $0 }
      .map { clock in
        SavedMediaClock(
          bootID: clock.bootID, constant: clock.constant, clockID: ClockID(rawValue: clock.clockID),
          suspended: clock.suspended)
      }
  }

  func save(_ clock: SavedMediaClock) {
    attempt { () throws(SQLiteError) in
      try store.save(
        SavedClock(
          bootID: clock.bootID, constant: clock.constant, clockID: clock.clockID.rawValue,
          suspended: clock.suspended))
    }
  }

  func savedGenerations() -> GenerationCounter.Saved? {
    attempt { () throws(SQLiteError) in try store.loadGeneration() }.flatMap { $0 }
      .map { GenerationCounter.Saved(session: $0.session, firstUnused: $0.firstUnused) }
  }

  func save(_ generations: GenerationCounter.Saved) {
    attempt { () throws(SQLiteError) in
      try store.save(
        SavedGeneration(session: generations.session, firstUnused: generations.firstUnused))
    }
  }

  /// Runs an operation of the store; a failure becomes a line in the log.
  @discardableResult
  func attempt<Result>(_ body: () throws(SQLiteError) -> Result) -> Result? {
    do throws(SQLiteError) {
      return try body()
    } catch {
      log.error("\(error)", kind: "state-store")
      return nil
    }
  }
}
