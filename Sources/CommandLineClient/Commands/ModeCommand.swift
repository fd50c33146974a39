// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI

/// `shuffle` and `repeat`: shown, or chosen.
struct ModeCommand {
  let context: CommandRun

  func shuffle() throws(ClientFailure) {
    switch context.operands.first {
    case "on": try context.tell(.shuffle(true))
    case "off": try context.tell(.shuffle(false))
    case nil: try show { "shuffle is \($0.shuffle ? "on" : "off")" }
    case let other?: throw .usage("shuffle '\(other)': try on or off")
    }
  }

  func repeating() throws(ClientFailure) {
    guard let word = context.operands.first else {
      return try show { "repeat is \($0.repeatMode.rawValue)" }
    }
    guard let mode = RepeatMode(rawValue: word) else {
      throw .usage("repeat '\(word)': try off, all or one")
    }
    try context.tell(.setRepeat(mode))
  }

  private func show(_ words: (QueueDocument) -> String) throws(ClientFailure) {
    let queue = try context.house.group(of: try context.house.state()).queue
    if context.wantsJSON { return try context.printJSON(queue) }
    context.printLines([words(queue)])
  }
}
