// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import StateStore

// Between the house's values and the store's rows. The words in the file are here and nowhere else.

extension SavedQueue {
  /// A queue for the file.
  init(_ queue: PlayQueue) {
    self.init()
    items = queue.items.map { item in
      let (kind, location) = Self.row(for: item.source)
      return Item(id: item.id.rawValue, kind: kind, location: location, label: item.label)
    }
    current = queue.current?.rawValue
    revision = queue.revision
    repeatMode = queue.repeatMode.rawValue
    nextID = queue.nextID.rawValue
  }

  private static func row(for source: ItemSource) -> (kind: String, location: String) {
    switch source {
    case .file(let path): ("file", path)
    case .url(let url): ("url", url)
    case .upload(let id): ("upload", id)
    case .input(let name): ("input", name)
    }
  }
}

extension PlayQueue {
  /// A queue from the file; items of a kind that this version does not know are left out.
  init(_ saved: SavedQueue) {
    let items = saved.items.compactMap { item -> QueueItem? in
      let source: ItemSource
      switch item.kind {
      case "file": source = .file(path: item.location)
      case "url": source = .url(item.location)
      case "upload": source = .upload(id: item.location)
      case "input": source = .input(name: item.location)
      default: return nil
      }
      return QueueItem(id: ItemID(rawValue: item.id), source: source, label: item.label)
    }
    self.init(
      restoring: items, current: saved.current.map(ItemID.init(rawValue:)),
      revision: saved.revision, repeatMode: RepeatMode(rawValue: saved.repeatMode) ?? .off,
      nextID: ItemID(rawValue: saved.nextID))
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
