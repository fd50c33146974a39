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
  static let retryMilliseconds: Int32 = 500

  func run() throws(ClientFailure) {
    let state = try context.house.state()
    let group = try context.house.group(of: state)
    if context.arguments[TuttiCommandLine.watch] { return watch(state) }
    if context.wantsJSON { return try context.printJSON(state) }
    context.printLines(context.text.status(state, group: group))
  }

  /// Follows the event stream until Ctrl-C; a lost coordinator is said and waited for.
  private func watch(_ state: StateDocument) {
    let display = LiveDisplay(terminal: context.terminal, json: context.wantsJSON)
    display.begin()
    defer { display.end() }
    var view = LiveView(state: state, group: context.house.groupName, at: steadySeconds())
    display.show(view)
    while true {
      var reason = "it closed the connection"
      do throws(HTTPClientError) {
        try context.house.client.events(APIRoute.events.path) { event in
          if view.take(event.name, event.data, at: steadySeconds()) { display.show(view) }
          return !view.needsState
        }
      } catch {
        reason = "\(error)"
      }
      // Missed events are asked for at once; a connection that ended is not tried in a hurry.
      if !view.needsState { waitForCoordinator(reason, display) }
      view.restart(with: untilStateComes(reason, display), at: steadySeconds())
      display.show(view)
    }
  }

  private func untilStateComes(_ reason: String, _ display: LiveDisplay) -> StateDocument {
    while true {
      if let state = try? context.house.state() { return state }
      waitForCoordinator(reason, display)
    }
  }

  private func waitForCoordinator(_ reason: String, _ display: LiveDisplay) {
    display.lost(reason)
    poll(nil, 0, Self.retryMilliseconds)
  }
}
