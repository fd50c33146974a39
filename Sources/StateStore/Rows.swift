// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase

// Rows to values. A column that is missing or odd makes its row, not the house, disappear.

func readQueue(_ database: borrowing SQLiteConnection) throws(SQLiteError) -> SavedQueue {
  var queue = SavedQueue()
  var items: [UInt64: SavedQueue.Item] = [:]
  let sql = "SELECT item, kind, location, label, title, artist, album, duration_ms FROM items"
  try database.rows(sql) { row in
    guard let id = row.bits(0), let kind = row.text(1), let location = row.text(2) else { return }
    var item = SavedQueue.Item(
      id: id, kind: kind, location: location, label: row.text(3) ?? location)
    item.title = row.text(4)
    item.artist = row.text(5)
    item.album = row.text(6)
    item.durationMilliseconds = row.integer(7)
    items[id] = item
  }
  var orders: [String: [UInt64]] = [:]
  try database.rows("SELECT name, items FROM orders") { row in
    guard let name = row.text(0), let text = row.text(1) else { return }
    orders[name] = OrderText.decode(text, limit: items.count)
  }
  queue.items = (orders["play"] ?? items.keys.sorted()).compactMap { items[$0] }
  queue.naturalOrder = orders["natural"]
  queue.history = orders["history"] ?? []
  try database.rows("SELECT current, revision, repeat_mode, next_item FROM queue_state") { row in
    queue.current = row.bits(0)
    queue.revision = row.bits(1) ?? 0
    queue.repeatMode = row.text(2) ?? "off"
    queue.nextID = row.bits(3) ?? 1
  }
  return queue
}

func readPlayback(_ database: borrowing SQLiteConnection) throws(SQLiteError) -> SavedPlayback {
  var playback = SavedPlayback()
  try database.rows("SELECT state, paused_at, clock_id, playout_delay_ns FROM playback") { row in
    playback.state = row.text(0) ?? "stopped"
    playback.pausedAt = row.integer(1) ?? 0
    playback.clockID = row.bits(2) ?? 0
    playback.playoutDelayNanoseconds = row.integer(3) ?? 0
  }
  var runs: [SavedPlayback.Run] = []
  try database.rows("SELECT item, media_frame, source_frame FROM runs ORDER BY place") { row in
    guard let item = row.bits(0), let media = row.integer(1), let source = row.integer(2) else {
      return
    }
    runs.append(SavedPlayback.Run(item: item, mediaFrame: media, sourceFrame: source))
  }
  playback.runs = runs
  return playback
}

func readRooms(_ database: borrowing SQLiteConnection) throws(SQLiteError) -> [SavedRoom] {
  var rooms: [SavedRoom] = []
  let sql = "SELECT id, name, address, volume, muted, volume_serial FROM rooms ORDER BY place"
  try database.rows(sql) { row in
    guard let id = row.text(0), let name = row.text(1) else { return }
    rooms.append(
      SavedRoom(
        id: id, name: name, address: row.text(2), volume: row.integer(3).map(Int.init),
        isMuted: row.integer(4) == 1, volumeSerial: row.bits(5) ?? 0))
  }
  return rooms
}
