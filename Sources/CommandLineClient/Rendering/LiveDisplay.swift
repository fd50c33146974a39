// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc

// On a terminal: the alternate screen, written over in place, so that what stood there before is
// back at the end. Elsewhere: a line for each change. With --json: the state for each event.

/// Where `status --watch` is seen.
final class LiveDisplay {
  private let terminal: Terminal
  private let json: Bool
  private var last: LiveView?
  private var drawn: [String] = []
  private var size = (columns: 0, rows: 0)

  init(terminal: Terminal, json: Bool) {
    self.terminal = terminal
    self.json = json
  }

  private var isScreen: Bool { terminal.isInteractive && !json }

  /// Makes ready; Ctrl-C ends the program with code 0, the terminal as it was.
  func begin() {
    signal(SIGINT) { _ in endOfWatch(0) }
    signal(SIGTERM) { _ in endOfWatch(0) }
    // Whoever started us may have blocked them, and a mask is inherited.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    guard isScreen else { return }
    ownsScreen = 1
    terminal.write(Self.enter)
  }

  /// Gives the terminal back.
  func end() { giveScreenBack() }

  /// Shows what is new.
  func show(_ view: LiveView) {
    defer { last = view }
    if json {
      if let bytes = try? JSONDocument.encode(view.state) {
        terminal.write(String(decoding: bytes, as: UTF8.self) + "\n")
      }
    } else if isScreen {
      draw(view.lines(columns: terminal.columns, rows: terminal.rows, ink: terminal.ink))
    } else if last.map({ view.isNews(after: $0) }) ?? true {
      put(view.line(ink: terminal.ink))
    }
  }

  /// The coordinator is gone.
  func lost(_ reason: String) {
    let words = "The coordinator is gone (\(reason)); waiting for it."
    if isScreen {
      draw(wrap(words, to: max(10, terminal.columns)).map { terminal.ink.paint($0, .bad) })
    } else if !json {
      put(words)
    } else if drawn != [words] {
      drawn = [words]
      Terminal.complain("tutti: " + words)
    }
    last = nil
  }

  private func put(_ line: String) {
    guard drawn != [line] else { return }
    drawn = [line]
    terminal.write(localClock(wallSeconds()) + "  " + line + "\n")
  }

  /// Writes the screen over in place; wipes it when the terminal has another size.
  private func draw(_ lines: [String]) {
    let now = (columns: terminal.columns, rows: terminal.rows)
    guard lines != drawn || now != size else { return }
    let wipe = now == size ? "" : "\u{1B}[2J"
    (drawn, size) = (lines, now)
    let body = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    terminal.write("\(wipe)\u{1B}[H\(body)\u{1B}[J")
  }

  /// The alternate screen, without a cursor.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
}

// MARK: - The end, safe in a signal handler

/// Whether the alternate screen is on: written once before the handlers can run, read by them.
nonisolated(unsafe) private var ownsScreen: sig_atomic_t = 0

/// The cursor, and the screen as it was.
private let leave: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

private func giveScreenBack() {
  guard ownsScreen == 1 else { return }
  ownsScreen = 0
  _ = write(STDOUT_FILENO, leave.utf8Start, leave.utf8CodeUnitCount)
}

/// Only write(2) and _exit(2): both may be called in a handler (signal-safety(7)).
private func endOfWatch(_ code: Int32) {
  giveScreenBack()
  _exit(code)
}
