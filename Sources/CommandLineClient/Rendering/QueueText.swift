// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// The queue in words: a line a track, and below them why some do not play.
struct QueueText {
  let columns: Int
  var ink = Ink()

  /// So narrow a title still says something.
  private static let narrowestTitle = 12

  func lines(_ queue: QueueDocument, withIDs: Bool = false) -> [String] {
    guard !queue.items.isEmpty else { return ["The queue is empty."] + modes(queue) }
    var table = TextTable(head: head(withIDs))
    let shares = shares(queue, withIDs)
    for (index, item) in queue.items.enumerated() {
      let mark = item.id == queue.currentItemID ? ">" : item.problem == nil ? " " : "!"
      var cells = [
        "\(mark) \(queue.firstIndex + index + 1)", cut(item.title, to: shares.title),
        cut(item.artist ?? "", to: shares.artist), item.durationSeconds.map(TimeText.clock) ?? "",
      ]
      if withIDs { cells.insert("id:\(item.id)", at: 1) }
      table.rows.append(cells)
    }
    table.ink = ink
    table.paint = { row, _ in
      queue.items[row].problem != nil
        ? .bad : queue.items[row].id == queue.currentItemID ? .bold : .plain
    }
    return table.lines(columns: columns) + problems(queue) + modes(queue)
  }

  private func head(_ withIDs: Bool) -> [String] {
    ["", "TITLE", "ARTIST", "LENGTH"].flatMap { withIDs && $0.isEmpty ? [$0, "ID"] : [$0] }
  }

  /// Title and artist share what numbers and lengths leave, two to one; what one does not need the other
  /// has.
  private func shares(_ queue: QueueDocument, _ withIDs: Bool) -> (title: Int, artist: Int) {
    let number = String(queue.firstIndex + queue.items.count).count + 2
    let lengths = queue.items.compactMap { $0.durationSeconds.map(TimeText.clock)?.count }
    let length = max(6, lengths.max() ?? 0)
    let id = withIDs ? (queue.items.map { String($0.id).count + 3 }.max() ?? 0) + 2 : 0
    let room = columns - number - length - id - 6
    let artists = max(6, queue.items.map { $0.artist?.count ?? 0 }.max() ?? 0)
    let titles = max(5, queue.items.map(\.title.count).max() ?? 0)
    let artist = min(artists, max(room / 3, room - titles))
    return (max(Self.narrowestTitle, room - artist), max(0, artist))
  }

  private func problems(_ queue: QueueDocument) -> [String] {
    queue.items.enumerated().flatMap { index, item -> [String] in
      guard let problem = item.problem else { return [] }
      let words = "! \(queue.firstIndex + index + 1) \(item.title): \(problem)"
      return wrap(words, to: max(10, columns)).map { ink.paint($0, .bad) }
    }
  }

  /// Only what is not as usual.
  private func modes(_ queue: QueueDocument) -> [String] {
    var words: [String] = []
    if queue.shuffle { words.append("shuffled") }
    if queue.repeatMode != .off { words.append("repeat \(queue.repeatMode.rawValue)") }
    return words.isEmpty ? [] : [words.joined(separator: ", ")]
  }

  private func cut(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let end = ink.usesUnicode ? "\u{2026}" : "..."
    return width > end.count ? text.prefix(width - end.count) + end : String(text.prefix(width))
  }
}
