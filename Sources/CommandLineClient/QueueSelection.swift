// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// Items as people name them: `3` and `3-5` by their numbers in the list, `id:17` by their identity.
struct QueueSelection {
  let words: [String]

  init(_ words: [String]) { self.words = words }

  /// The items that are meant, in the order in which they are named, each once.
  func ids(in queue: QueueDocument) throws(ClientFailure) -> [UInt64] {
    var ids: [UInt64] = []
    var seen: Set<UInt64> = []
    for word in words {
      for id in try Self.ids(word, in: queue) where seen.insert(id).inserted { ids.append(id) }
    }
    return ids
  }

  /// Where items are to stand: a number as the list shows it afterwards, `next` or `end`.
  static func place(
    _ word: String, moving ids: [UInt64], in queue: QueueDocument
  ) throws(ClientFailure) -> QueuePlace {
    switch word {
    case "next": return .next
    case "end": return .end
    default: break
    }
    guard let number = number(word), number > 0 else {
      throw .usage("'\(word)' is no place; try a number, next or end")
    }
    let moving = Set(ids)
    let staying = queue.items.lazy.map(\.id).filter { !moving.contains($0) }
    return staying.dropFirst(number - 1).first.map(QueuePlace.before) ?? .end
  }

  private static func ids(
    _ word: String, in queue: QueueDocument
  ) throws(ClientFailure) -> [UInt64] {
    if word.hasPrefix("id:") {
      guard let id = UInt64(word.dropFirst(3)), queue.items.contains(where: { $0.id == id }) else {
        throw .failed("there is no item \(word) in the queue; 'tutti queue list -v' shows them")
      }
      return [id]
    }
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(ends.count), let first = number(ends[0]),
      let last = number(ends[ends.count - 1])
    else {
      throw .usage("'\(word)' is no item; try 3, 3-5 or id:17, as 'tutti queue list' shows them")
    }
    guard first > 0, first <= last, last <= queue.items.count else {
      let range = queue.items.isEmpty ? "it is empty" : "it has 1 to \(queue.items.count)"
      throw .failed("there is no item \(word) in the queue: \(range)")
    }
    return queue.items[(first - 1)..<last].map(\.id)
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}
