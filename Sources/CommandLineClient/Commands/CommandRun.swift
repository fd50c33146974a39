// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI
internal import Glibc
internal import HTTPClient

/// One run of `tutti`: what was asked, whom, and how to answer.
struct CommandRun {
  let arguments: ParsedArguments
  let house: HouseConnection
  let terminal: Terminal

  /// Carries the command out.
  func run() throws(ClientFailure) {
    switch arguments.command ?? "" {
    case "status": try StatusCommand(context: self).run()
    case "rooms": try RoomsCommand(context: self).run()
    case "play": try play()
    case "pause": try tell(.pause)
    case "resume": try tell(.resume)
    case "toggle": try tell(.toggle)
    case "stop": try tell(.stop)
    case "next": try tell(.next)
    case "previous": try tell(.previous)
    case "seek": try seek()
    case "volume": try VolumeCommand(context: self).run()
    case "mute": try VolumeCommand(context: self).mute(true)
    case "unmute": try VolumeCommand(context: self).mute(false)
    case "queue": try QueueCommand(context: self).run()
    case "shuffle": try ModeCommand(context: self).shuffle()
    case "repeat": try ModeCommand(context: self).repeating()
    case "library": try LibraryCommand(context: self).run()
    case let other: throw .failed("'\(other)' is not yet there in this version")
    }
  }

  var wantsJSON: Bool { arguments[TuttiCommandLine.json] }
  var operands: [String] { arguments.operands }

  var text: StatusText {
    StatusText(columns: terminal.columns, ink: terminal.ink)
  }

  /// Prints a document as the one line of JSON it is.
  func printJSON(_ document: some Encodable) throws(ClientFailure) {
    try terminal.writeJSON(document)
  }

  func printLines(_ lines: [String]) {
    terminal.write(lines.joined(separator: "\n") + "\n")
  }

  /// Sends a command and, with `--json`, prints its outcome.
  func tell(_ command: GroupCommand) throws(ClientFailure) {
    let outcome = try house.send(command)
    if wantsJSON { try printJSON(outcome) }
  }

  private func seek() throws(ClientFailure) {
    let word = operands.first ?? ""
    let sign = word.first.flatMap { ["+": 1.0, "-": -1.0][$0] }
    let magnitude = sign == nil ? word[...] : word.dropFirst()
    guard let seconds = TimeText.seconds(magnitude) else {
      throw .usage("'\(word)' is no time; try 90, 1:30, +30 or -10")
    }
    try tell(.seek(sign.map { .relative($0 * seconds) } ?? .absolute(seconds)))
  }
}
