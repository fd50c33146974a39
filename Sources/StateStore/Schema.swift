// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase

/// The shape of the database of the coordinator's state.
enum Schema {
  /// Marks the file as ours: "TUTT".
  static let applicationID: Int64 = 0x5455_5454

  /// Each brings the file from the version of its index to the next.
  static let migrations = [
    """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE queue(
      place INTEGER PRIMARY KEY, item INTEGER NOT NULL UNIQUE,
      kind TEXT NOT NULL, location TEXT NOT NULL, label TEXT NOT NULL);
    CREATE TABLE queue_state(
      one INTEGER PRIMARY KEY CHECK (one = 1), current INTEGER, revision INTEGER NOT NULL,
      repeat_mode TEXT NOT NULL, next_item INTEGER NOT NULL);
    CREATE TABLE playback(
      one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL, paused_at INTEGER NOT NULL,
      clock_id INTEGER NOT NULL, playout_delay_ns INTEGER NOT NULL);
    CREATE TABLE runs(
      place INTEGER PRIMARY KEY, item INTEGER NOT NULL, media_frame INTEGER NOT NULL,
      source_frame INTEGER NOT NULL);
    CREATE TABLE generation(
      one INTEGER PRIMARY KEY CHECK (one = 1), session INTEGER NOT NULL,
      first_unused INTEGER NOT NULL);
    CREATE TABLE alive(one INTEGER PRIMARY KEY CHECK (one = 1), media_ns INTEGER NOT NULL);
    CREATE TABLE rooms(
      place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, address TEXT,
      volume INTEGER, muted INTEGER NOT NULL, volume_serial INTEGER NOT NULL);
    CREATE TABLE clock(
      one INTEGER PRIMARY KEY CHECK (one = 1), boot_id TEXT NOT NULL, constant INTEGER NOT NULL,
      clock_id INTEGER NOT NULL, suspended_ns INTEGER NOT NULL);
    """,
    // The items by themselves, and their order in one text each: an edit writes the items that came, and
    // a few octets a thousand items for the order, wherever in the queue it was.
    """
    CREATE TABLE items(
      item INTEGER PRIMARY KEY, kind TEXT NOT NULL, location TEXT NOT NULL, label TEXT NOT NULL,
      title TEXT, artist TEXT, album TEXT, duration_ms INTEGER);
    CREATE TABLE orders(name TEXT PRIMARY KEY, items TEXT NOT NULL);
    INSERT INTO items SELECT item, kind, location, label, NULL, NULL, NULL, NULL FROM queue;
    INSERT INTO orders
      SELECT 'play', ifnull(group_concat(item, ' '), '') FROM (SELECT item FROM queue ORDER BY place);
    DROP TABLE queue;
    """,
  ]
}
