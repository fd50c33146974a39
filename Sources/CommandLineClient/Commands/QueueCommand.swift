// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI

/// `queue`: what plays, and what is done with it.
///
/// Items are named by their number in the list, and sent by their identity together with the revision of the
/// queue that was looked at: when somebody else was faster, nothing happens and the listener is told.
struct QueueCommand {
  let context: CommandRun

  func run() throws(ClientFailure) {
    let rest = Array(context.operands.dropFirst())
    let word = context.operands.first ?? "list"
    switch (word, rest.count) {
    case ("list", 0): try list()
    case ("add", 1...): try add(rest, place: .end)
    case ("insert", 1...): try add(rest, place: .next)
    case ("play", 1): try play(rest[0])
    case ("remove", 1...): try remove(rest)
    case ("move", 1...): try move(rest)
    case ("clear", 0): try context.tell(.queueClear)
    case ("save", 1): try save(rest[0])
    case ("load", 1): try load(rest[0])
    case ("saved", 0): try listSaved()
    case ("delete", 1): try context.house.deletePlaylist(rest[0])
    default: throw .usage(Self.mistake(in: word, Self.forms[word]))
    }
  }

  private static let forms = [
    "list": "list", "add": "add FILE ...", "insert": "insert FILE ...", "play": "play ITEM",
    "remove": "remove ITEM ...", "move": "move ITEM ... PLACE", "clear": "clear",
    "save": "save NAME", "load": "load NAME", "saved": "saved", "delete": "delete NAME",
  ]

  private static func mistake(in word: String, _ form: String?) -> String {
    if let form { return "it is written: queue \(form)" }
    return "'queue \(word)' is unknown; there are: \(forms.keys.sorted().joined(separator: ", "))"
  }

  // MARK: - Looking

  private func list() throws(ClientFailure) {
    let queue = try context.house.queue(of: try group())
    if context.wantsJSON { return try context.printJSON(queue) }
    let text = QueueText(columns: context.terminal.columns, ink: context.terminal.ink)
    context.printLines(
      text.lines(queue, withIDs: context.arguments[TuttiCommandLine.verbose]))
  }

  private func listSaved() throws(ClientFailure) {
    let document = try context.house.playlists()
    if context.wantsJSON { return try context.printJSON(document) }
    guard !document.playlists.isEmpty else {
      return context.printLines(["No queue has been saved: tutti queue save NAME."])
    }
    var table = TextTable(head: ["NAME", "TRACKS"])
    table.rows = document.playlists.map { [$0.name, "\($0.count)"] }
    context.printLines(table.lines(columns: context.terminal.columns))
  }

  // MARK: - Changing

  private func add(_ words: [String], place: QueuePlace) throws(ClientFailure) {
    guard let anchor = try anchorWord() else {
      return try context.finish(try context.deliver(words, as: .add(place)))
    }
    let queue = try context.house.queue(of: try group())
    let ids = try QueueSelection([anchor.word]).ids(in: queue)
    guard let first = ids.first, let last = ids.last else { return }
    try context.finish(
      try context.deliver(words, as: .add(anchor.isBefore ? .before(first) : .after(last))))
  }

  private func play(_ word: String) throws(ClientFailure) {
    try edit { queue throws(ClientFailure) in
      let ids = try QueueSelection([word]).ids(in: queue)
      guard ids.count == 1 else { throw .usage("'\(word)' is not one item") }
      return .playItem(ids[0])
    }
  }

  private func remove(_ words: [String]) throws(ClientFailure) {
    try edit { queue throws(ClientFailure) in
      .queueRemove(itemIDs: try QueueSelection(words).ids(in: queue))
    }
  }

  private func move(_ words: [String]) throws(ClientFailure) {
    let anchor = try anchorWord()
    guard anchor != nil || words.count > 1 else {
      throw .usage("it is written: queue move ITEM ... PLACE; PLACE is a number, next or end")
    }
    try edit { queue throws(ClientFailure) in
      if let anchor {
        let beside = try QueueSelection([anchor.word]).ids(in: queue)
        guard let first = beside.first, let last = beside.last else { return nil }
        return .queueMove(
          itemIDs: try QueueSelection(words).ids(in: queue),
          place: anchor.isBefore ? .before(first) : .after(last))
      }
      let ids = try QueueSelection(Array(words.dropLast())).ids(in: queue)
      let place = try QueueSelection.place(words[words.count - 1], moving: ids, in: queue)
      return .queueMove(itemIDs: ids, place: place)
    }
  }

  private func save(_ name: String) throws(ClientFailure) {
    let replaces = context.arguments[TuttiCommandLine.replace]
    let outcome = try context.house.send(.queueSave(name: name, replaces: replaces))
    for item in outcome.refused { Terminal.complain("tutti: not saved: \(item.reason)") }
    if context.wantsJSON { try context.printJSON(outcome) }
  }

  private func load(_ name: String) throws(ClientFailure) {
    let outcome = try context.house.send(.queueLoad(name: name))
    for item in outcome.refused { Terminal.complain("tutti: not loaded: \(item.reason)") }
    if context.wantsJSON { try context.printJSON(outcome) }
  }

  /// Makes a command of the queue as it is, and sends it for that queue alone.
  private func edit(
    _ command: (QueueDocument) throws(ClientFailure) -> GroupCommand?
  ) throws(ClientFailure) {
    let group = try group()
    let queue = try context.house.queue(of: group)
    guard let command = try command(queue) else { return }
    let outcome = try context.house.send(command, to: group, ifRevision: queue.revision)
    if context.wantsJSON { try context.printJSON(outcome) }
  }

  private func group() throws(ClientFailure) -> GroupDocument {
    try context.house.group(of: try context.house.state())
  }

  private func anchorWord() throws(ClientFailure) -> (word: String, isBefore: Bool)? {
    let before = context.arguments[TuttiCommandLine.before]
    let after = context.arguments[TuttiCommandLine.after]
    if before != nil, after != nil { throw .usage("--before and --after exclude each other") }
    return before.map { ($0, true) } ?? after.map { ($0, false) }
  }
}
