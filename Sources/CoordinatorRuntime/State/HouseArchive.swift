// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import StateStore

// Between the house's values and the store's rows. The words in the file are here and nowhere else.

extension SavedQueueEdit {
  /// What has changed from one queue to another; everything, when there was none.
  init(from old: PlayQueue?, to new: PlayQueue) {
    self.init(
      current: new.current?.rawValue, revision: new.revision, repeatMode: new.repeatMode.rawValue,
      nextID: new.nextID.rawValue)
    if old?.history != new.history { orders[.history] = new.history.map(\.rawValue) }
    guard old?.revision != new.revision else { return }
    orders[.play] = new.items.map(\.id.rawValue)
    if old == nil || old?.naturalOrder != new.naturalOrder {
      orders[.natural] = .some(new.naturalOrder?.map(\.rawValue))
    }
    guard let old else {
      removesAll = true
      added = new.items.map(SavedQueue.Item.init)
      return
    }
    added = new.items.filter { $0.id >= old.nextID }.map(SavedQueue.Item.init)
    if added.count == new.items.count {
      removesAll = true
    } else if new.items.count - added.count < old.items.count {
      removed = old.items.filter { new.index(of: $0.id) == nil }.map(\.id.rawValue)
    }
  }
}

extension SavedQueue.Item {
  /// A track for the file.
  init(_ item: QueueItem) {
    let (kind, location) = Self.words(for: item.source)
    self.init(id: item.id.rawValue, kind: kind, location: location, label: item.label)
    title = item.facts.title
    artist = item.facts.artist
    album = item.facts.album
    durationMilliseconds = item.facts.durationMilliseconds
  }

  private static func words(for source: ItemSource) -> (kind: String, location: String) {
    switch source {
    case .file(let path): ("file", path)
    case .url(let url): ("url", url)
    case .station(let url): ("station", url)
    case .upload(let id): ("upload", id)
    case .input(let name): ("input", name)
    }
  }
}

extension QueueItem {
  /// A track from the file; nil for a kind that this version does not know.
  init?(_ saved: SavedQueue.Item) {
    let source: ItemSource
    switch saved.kind {
    case "file": source = .file(path: saved.location)
    case "url": source = .url(saved.location)
    case "station": source = .station(saved.location)
    case "upload": source = .upload(id: saved.location)
    case "input": source = .input(name: saved.location)
    default: return nil
    }
    self.init(
      id: ItemID(rawValue: saved.id), source: source, label: saved.label,
      facts: ItemFacts(
        title: saved.title, artist: saved.artist, album: saved.album,
        durationMilliseconds: saved.durationMilliseconds))
  }
}

extension PlayQueue {
  /// A queue from the file; items of a kind that this version does not know are left out.
  init(_ saved: SavedQueue) {
    self.init(
      restoring: saved.items.compactMap(QueueItem.init),
      naturalOrder: saved.naturalOrder?.map(ItemID.init(rawValue:)),
      current: saved.current.map(ItemID.init(rawValue:)), revision: saved.revision,
      repeatMode: RepeatMode(rawValue: saved.repeatMode) ?? .off,
      nextID: ItemID(rawValue: saved.nextID), history: saved.history.map(ItemID.init(rawValue:)))
  }
}

extension SavedPlayback.Run {
  /// A run for the file.
  init(_ run: PositionRun) {
    self.init(
      item: run.itemID.rawValue, mediaFrame: run.firstFrame.index, sourceFrame: run.sourceFrame)
  }
}

extension PositionRun {
  /// A run from the file.
  init(_ saved: SavedPlayback.Run) {
    self.init(
      itemID: ItemID(rawValue: saved.item), firstFrame: MediaFrame(index: saved.mediaFrame),
      sourceFrame: saved.sourceFrame)
  }
}

extension SavedRoom {
  /// A room for the file.
  init(_ room: Room) {
    self.init(
      id: room.id.rawValue, name: room.announcedName, address: room.address,
      volume: room.loudness.volume, isMuted: room.loudness.isMuted,
      volumeSerial: room.loudness.serial)
  }
}

extension RoomRegistry {
  /// The rooms from the file; none is online.
  init(_ saved: [SavedRoom]) {
    self.init(
      restoring: saved.map { room in
        let loudness = Room.Loudness(
          volume: room.volume.map(VolumeLaw.clamped), isMuted: room.isMuted,
          serial: room.volumeSerial)
        return (RoomID(rawValue: room.id), room.name, room.address, loudness)
      })
  }
}
