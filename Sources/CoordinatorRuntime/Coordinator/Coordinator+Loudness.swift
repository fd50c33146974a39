// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import House

extension Coordinator {
  /// How a track's loudness is brought to that of others.
  func loudness(for item: QueueItem) -> LoudnessMode {
    guard configuration.loudness == .auto else { return configuration.loudness }
    return playsWithItsAlbum(item) ? .album : .track
  }

  /// Whether the track before or after it in the queue is of the same album. A shuffled queue is no album.
  private func playsWithItsAlbum(_ item: QueueItem) -> Bool {
    let queue = transport.queue
    guard !queue.isShuffled, let place = queue.index(of: item.id) else { return false }
    return [place - 1, place + 1].contains { neighbour in
      queue.items.indices.contains(neighbour) && isOneAlbum(item, queue.items[neighbour])
    }
  }

  /// Of one folder, and, where both are known, of one title: "Greatest Hits" is the name of many.
  private func isOneAlbum(_ one: QueueItem, _ other: QueueItem) -> Bool {
    guard let folder = folder(of: one), folder == self.folder(of: other) else { return false }
    guard let title = album(of: one), let otherTitle = album(of: other) else { return true }
    return title == otherTitle
  }

  private func folder(of item: QueueItem) -> Substring? {
    guard case .file(let path) = item.source else { return nil }
    return path.lastIndex(of: "/").map { path[..<$0] }
  }

  private func album(of item: QueueItem) -> String? { media[item.id]?.album ?? item.facts.album }
}
