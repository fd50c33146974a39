// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// What standard output is, and how to write there.
struct Terminal {
  /// Whether a person reads it as it comes.
  let isInteractive: Bool
  /// Whether colour is wanted: on a terminal, and NO_COLOR is not set (no-color.org).
  let usesColour: Bool

  init(environment: [String: String]) {
    isInteractive = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
    usesColour = isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Columns of the terminal; 80 when nobody knows.
  var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes to standard output, all of it.
  func write(_ text: String) { Self.write(text, to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
