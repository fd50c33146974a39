// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ControlAPI
internal import DecoderProtocol
internal import House

/// The queue as documents.
extension Coordinator {
  /// The queue as states and events carry it: a window of a long one. Made anew only when something in it
  /// has changed.
  func queueDocument() -> QueueDocument {
    let queue = transport.queue
    if let shown = shownQueue, shown.queue == queue, shown.media == media,
      shown.failures == transport.failures
    {
      return shown.document
    }
    let document = queueDocument(of: Self.window(of: queue))
    shownQueue = ShownQueue(
      queue: queue, media: media, failures: transport.failures, document: document)
    return document
  }

  /// A little of what was, and more of what comes.
  private static func window(of queue: PlayQueue) -> Range<Int> {
    let (count, size) = (queue.items.count, QueueDocument.window)
    let current = queue.current.flatMap(queue.index) ?? 0
    let start = max(0, min(current - size / 10, count - size))
    return start..<min(count, start + size)
  }

  private func queueDocument(of range: Range<Int>) -> QueueDocument {
    let queue = transport.queue
    let problems = problemsByItem()
    var document = QueueDocument(
      revision: queue.revision,
      items: queue.items[range].map { itemDocument($0, problem: problems[$0.id]) },
      currentItemID: queue.current?.rawValue, shuffle: queue.isShuffled,
      repeatMode: ControlAPI.RepeatMode(rawValue: queue.repeatMode.rawValue) ?? .off)
    document.count = queue.items.count
    document.firstIndex = range.lowerBound
    return document
  }

  /// A page of the queue.
  ///
  /// - Parameters:
  ///   - cursor: Where it begins; nil: at the first track.
  ///   - limit: The most items.
  /// - Returns: The page, with the cursor of the next one.
  /// - Throws: `ProblemDocument` when the queue is another one than that of the page before.
  func queuePage(
    from cursor: QueueCursor?, limit: Int
  ) throws(ProblemDocument) -> QueueDocument {
    let queue = transport.queue
    if let cursor, cursor.revision != queue.revision { throw .queueMovedOn() }
    let start = min(cursor?.index ?? 0, queue.items.count)
    let end = min(queue.items.count, start + limit)
    var document = queueDocument(of: start..<end)
    if end < queue.items.count {
      document.nextCursor = QueueCursor(revision: queue.revision, index: end).text
    }
    return document
  }

  /// One item.
  ///
  /// - Throws: `ProblemDocument` when it is not in the queue.
  func itemDocument(_ id: ItemID) throws(ProblemDocument) -> QueueItemDocument {
    guard let item = transport.queue.item(id) else {
      throw ProblemDocument(.queue(.noSuchItem(id)))
    }
    return itemDocument(item, problem: problemsByItem()[id])
  }

  /// Everything in the queue with what is known of it, for saving.
  func queueForSaving() -> [SavedTrack] {
    transport.queue.items.map { item in
      let known = media[item.id]
      let frames = durationFrames(of: item)
      return SavedTrack(
        source: item.source, label: item.label,
        facts: ItemFacts(
          title: known?.title ?? item.facts.title, artist: known?.artist ?? item.facts.artist,
          album: known?.album ?? item.facts.album,
          durationMilliseconds: frames.map { $0 * 1_000 / MediaFrame.rate }))
    }
  }

  private func problemsByItem() -> [ItemID: String] {
    Dictionary(transport.failures.map { ($0.item, $0.reason) }) { $1 }
  }

  func itemDocument(_ item: QueueItem, problem: String?) -> QueueItemDocument {
    let known = media[item.id]
    let location =
      switch item.source {
      case .file(let path): path
      case .url(let url), .station(let url): url
      case .upload: item.label
      case .input(let name): "input:\(name)"
      }
    return QueueItemDocument(
      id: item.id.rawValue, title: known?.title ?? item.facts.title ?? item.label,
      artist: known?.artist ?? item.facts.artist, album: known?.album ?? item.facts.album,
      durationSeconds: durationFrames(of: item).map(shownSeconds), location: location,
      problem: problem)
  }

  /// How long a track is, when anybody knows.
  func durationFrames(of item: QueueItem) -> Int64? {
    if let known = media[item.id] { return known.durationFrames }
    return item.facts.durationMilliseconds.map { $0 * MediaFrame.rate / 1_000 }
  }

  func shownSeconds(_ frames: Int64) -> Double {
    // Milliseconds are enough for people, and make short texts.
    (Double(frames) / Double(MediaFrame.rate) * 1_000).rounded() / 1_000
  }
}

/// The queue's document with what it was made of.
struct ShownQueue {
  var queue: PlayQueue
  var media: [ItemID: KnownMedia]
  var failures: [TrackFailure]
  var document: QueueDocument
}

/// Where a page begins, in the queue of one revision. Clients treat its text as opaque.
struct QueueCursor: Equatable {
  var revision: UInt64
  var index: Int

  var text: String { "\(revision).\(index)" }

  init(revision: UInt64, index: Int) {
    self.revision = revision
    self.index = index
  }

  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let revision = UInt64(parts[0]), let index = Int(parts[1]), index >= 0
    else { return nil }
    self.init(revision: revision, index: index)
  }
}

/// What `If-Match` says (RFC 9110 section 13.1.1): the revisions that an edit is meant for.
struct RevisionMatch: Equatable {
  /// Nil: any revision.
  private var revisions: Set<UInt64>?

  /// Reads the header. A tag that is none of ours, or weak, matches no queue.
  init(_ header: String) {
    let words = header.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" } }
    guard words != ["*"] else { return }
    revisions = Set(
      words.compactMap { word in
        let tag = word.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return nil }
        return UInt64(String(tag.dropFirst().dropLast()))
      })
  }

  func matches(_ revision: UInt64) -> Bool { revisions?.contains(revision) ?? true }

  /// What names a revision in `ETag` and `If-Match`.
  static func tag(_ revision: UInt64) -> String { "\"\(revision)\"" }
}
