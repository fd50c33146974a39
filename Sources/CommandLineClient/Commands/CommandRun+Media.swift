// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI

extension CommandRun {
  /// `play`: what is named, or whatever was there.
  func play() throws(ClientFailure) {
    let start = try startTime()
    guard !operands.isEmpty else {
      let state = try house.state()
      let group = try house.group(of: state)
      let isPaused = group.playback.state == .paused && start == nil
      try tell(isPaused ? .resume : .play(items: [], startSeconds: start))
      return
    }
    try deliver(operands) { items in .play(items: items, startSeconds: start) }
  }

  /// `queue`: list, add, clear.
  func queue() throws(ClientFailure) {
    switch operands.first ?? "list" {
    case "list": try listQueue()
    case "clear": try tell(.queueClear)
    case "add":
      guard operands.count > 1 else { throw .usage("queue add: name files, folders or URLs") }
      try deliver(Array(operands.dropFirst())) { items in .queueAdd(items: items, place: .end) }
    case "insert", "remove", "move", "save", "load":
      throw .failed("'queue \(operands[0])' is not yet there in this version")
    case let other:
      throw .usage("'queue \(other)' is unknown; try queue list, queue add FILE, queue clear")
    }
  }

  /// Sends the first item at once, so that music starts, and the others behind it.
  private func deliver(
    _ words: [String], as first: ([MediaReference]) -> GroupCommand
  ) throws(ClientFailure) {
    let media = MediaOperands(words)
    for refusal in media.refusals { Terminal.complain("tutti: \(refusal)") }
    guard !media.items.isEmpty else { throw .failed("nothing to play; nothing was changed") }
    let state = try house.state()
    let group = try house.group(of: state)
    let delivery = MediaDelivery(house: house, state: state, terminal: terminal)
    var batch = [try delivery.reference(for: media.items[0])]
    var command = first
    var refused: [RefusedItemDocument] = []
    for item in media.items.dropFirst() {
      let isUpload = if case .upload = batch.last { true } else { false }
      if isUpload {
        refused += try house.send(command(batch), to: group).refused
        command = { items in .queueAdd(items: items, place: .end) }
        batch = []
      }
      batch.append(try delivery.reference(for: item))
    }
    let outcome = try house.send(command(batch), to: group)
    refused += outcome.refused
    for item in refused { Terminal.complain("tutti: \(item.reason)") }
    if wantsJSON { try printJSON(outcome) }
    if !media.refusals.isEmpty || !refused.isEmpty {
      throw .failed("not everything could be added; the rest plays")
    }
  }

  private func startTime() throws(ClientFailure) -> Double? {
    guard let word = arguments[TuttiCommandLine.at] else { return nil }
    guard let seconds = TimeText.seconds(word) else {
      throw .usage("--at '\(word)' is no time; try 90 or 1:30")
    }
    return seconds
  }

  private func listQueue() throws(ClientFailure) {
    let queue = try house.group(of: try house.state()).queue
    if wantsJSON { return try printJSON(queue) }
    guard !queue.items.isEmpty else { return printLines(["The queue is empty."]) }
    var table = TextTable(head: ["", "TITLE", "ARTIST", "LENGTH"])
    for (index, item) in queue.items.enumerated() {
      let mark = item.id == queue.currentItemID ? ">" : " "
      table.rows.append([
        "\(mark) \(index + 1)", item.title + (item.problem.map { " (! \($0))" } ?? ""),
        item.artist ?? "", item.durationSeconds.map(TimeText.clock) ?? "",
      ])
    }
    printLines(table.lines(columns: terminal.columns))
  }
}
