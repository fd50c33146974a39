// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI
internal import Glibc
internal import HTTPClient

/// `status`, once or live.
struct StatusCommand {
  let context: CommandRun

  /// How long to wait before a lost coordinator is asked again, in ms.
  static let retryMilliseconds: Int32 = 1_000

  func run() throws(ClientFailure) {
    guard context.arguments[TuttiCommandLine.watch] else {
      return try show(try context.house.state())
    }
    try watch()
  }

  private func show(_ state: StateDocument) throws(ClientFailure) {
    if context.wantsJSON { return try context.printJSON(state) }
    context.printLines(context.text.status(state, group: try context.house.group(of: state)))
  }

  /// Follows the event stream; a lost coordinator is said and waited for.
  private func watch() throws(ClientFailure) {
    if context.terminal.isInteractive { context.terminal.write("\u{1B}[?25l\u{1B}[2J") }
    defer { if context.terminal.isInteractive { context.terminal.write("\u{1B}[?25h\n") } }
    var screen = LiveScreen(context: context, state: try context.house.state())
    while true {
      screen.draw()
      do throws(HTTPClientError) {
        try context.house.client.events(APIRoute.events.path) { event in
          screen.take(event)
          return !screen.needsState
        }
      } catch {
        screen.lostConnection("\(error)")
        poll(nil, 0, Self.retryMilliseconds)
      }
      if let state = try? context.house.state() { screen.restart(with: state) }
    }
  }
}

/// The state as the events change it, and when it was last drawn.
private struct LiveScreen {
  let context: CommandRun
  var state: StateDocument
  private(set) var needsState = false
  private var drawn: [String] = []

  init(context: CommandRun, state: StateDocument) {
    self.context = context
    self.state = state
  }

  mutating func take(_ event: ServerEvent) {
    guard let document = try? EventDocument(name: event.name, data: event.data) else { return }
    if case .reset = document {
      needsState = true
      return
    }
    state.apply(document)
    draw()
  }

  mutating func restart(with state: StateDocument) {
    self.state = state
    needsState = false
  }

  mutating func lostConnection(_ reason: String) {
    put(["The coordinator is gone (\(reason)); waiting for it."])
  }

  mutating func draw() {
    if context.wantsJSON {
      try? context.printJSON(state)
    } else if let group = try? context.house.group(of: state) {
      put(context.text.status(state, group: group))
    }
  }

  /// On a terminal the screen is written over in place; elsewhere a changed text is printed anew.
  private mutating func put(_ lines: [String]) {
    guard lines != drawn else { return }
    drawn = lines
    if context.terminal.isInteractive {
      let body = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
      context.terminal.write("\u{1B}[H\(body)\u{1B}[J")
    } else {
      context.printLines(lines)
    }
  }
}
