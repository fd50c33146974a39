// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI

/// What becomes of the media that a command names.
enum MediaOrder {
  /// The queue becomes these.
  case play(startSeconds: Double?, startAt: Int?)
  /// They join the queue.
  case add(QueuePlace)

  func command(_ items: [MediaReference]) -> GroupCommand {
    switch self {
    case .play(let seconds, let index):
      .play(items: items, startSeconds: seconds, startAt: index)
    case .add(let place): .queueAdd(items: items, place: place)
    }
  }

  /// Where what comes later goes: behind what has come already.
  func following(_ last: UInt64?) -> MediaOrder {
    switch self {
    case .play, .add(.end): .add(.end)
    case .add(let place): .add(last.map(QueuePlace.after) ?? place)
    }
  }

  /// Whether the coordinator can begin before it has everything.
  var beginsAtOnce: Bool { if case .play(_, .some) = self { false } else { true } }
}

extension CommandRun {
  /// `play`: what is named, or whatever was there.
  func play() throws(ClientFailure) {
    let start = try startTime()
    let isNext = arguments[TuttiCommandLine.next]
    let isLast = arguments[TuttiCommandLine.last]
    if isNext && isLast { throw .usage("--next and --last exclude each other") }
    guard !operands.isEmpty else {
      if isNext || isLast { throw .usage("play --next and --last need something to play") }
      let state = try house.state()
      let group = try house.group(of: state)
      let isPaused = group.playback.state == .paused && start == nil
      return try tell(isPaused ? .resume : .play(items: [], startSeconds: start))
    }
    guard isNext || isLast else {
      return try finish(
        try deliver(operands, as: .play(startSeconds: start, startAt: try startNumber())))
    }
    let group = try house.group(of: try house.state())
    let delivered = try deliver(operands, as: .add(isNext ? .next : .end))
    // Where all is silent, "next" is now.
    if group.playback.state == .stopped, let first = delivered.outcome.addedItemIDs.first {
      try house.send(.playItem(first), to: group)
    }
    try finish(delivered)
  }

  /// What became of media that were handed over.
  struct Delivered {
    /// All outcomes as one.
    var outcome: OutcomeDocument
    /// Whether all that was named was there.
    var isWhole: Bool
  }

  /// Prints what became of a delivery; what was refused has been said already.
  func finish(_ delivered: Delivered) throws(ClientFailure) {
    if wantsJSON { try printJSON(delivered.outcome) }
    guard delivered.isWhole, delivered.outcome.refused.isEmpty else {
      throw .failed("not everything could be taken; the rest was")
    }
  }

  /// Hands media to the coordinator. The first item goes at once, so that music starts, and the others
  /// behind it.
  func deliver(_ words: [String], as order: MediaOrder) throws(ClientFailure) -> Delivered {
    let media = MediaOperands(words)
    for refusal in media.refusals { Terminal.complain("tutti: \(refusal)") }
    guard !media.items.isEmpty else { throw .failed("nothing to play; nothing was changed") }
    let state = try house.state()
    let group = try house.group(of: state)
    let delivery = MediaDelivery(house: house, state: state, terminal: terminal)
    var batch = [try delivery.reference(for: media.items[0])]
    var (order, all) = (order, OutcomeDocument(revision: state.revision))
    for item in media.items.dropFirst() {
      let isUpload = if case .upload = batch.last { true } else { false }
      if isUpload, order.beginsAtOnce {
        try send(batch, as: order, to: group, adding: &all)
        order = order.following(all.addedItemIDs.last)
        batch = []
      }
      batch.append(try delivery.reference(for: item))
    }
    try send(batch, as: order, to: group, adding: &all)
    for item in all.refused { Terminal.complain("tutti: \(item.reason)") }
    return Delivered(outcome: all, isWhole: media.refusals.isEmpty)
  }

  private func send(
    _ batch: [MediaReference], as order: MediaOrder, to group: GroupDocument,
    adding all: inout OutcomeDocument
  ) throws(ClientFailure) {
    let outcome = try house.send(order.command(batch), to: group)
    all.addedItemIDs += outcome.addedItemIDs
    all.refused += outcome.refused
    all.revision = outcome.revision
    all.queueRevision = outcome.queueRevision
  }

  private func startTime() throws(ClientFailure) -> Double? {
    guard let word = arguments[TuttiCommandLine.at] else { return nil }
    guard let seconds = TimeText.seconds(word) else {
      throw .usage("--at '\(word)' is no time; try 90 or 1:30")
    }
    return seconds
  }

  private func startNumber() throws(ClientFailure) -> Int? {
    arguments[TuttiCommandLine.from].map { $0 - 1 }
  }
}
