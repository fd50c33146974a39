// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc

/// What standard output is, and how to write there.
struct Terminal {
  /// Whether a person reads it as it comes.
  let isInteractive: Bool
  /// What it can show: colour on a terminal unless NO_COLOR is set (no-color.org), and letters beyond
  /// ASCII when the locale says UTF-8.
  let ink: Ink
  /// What COLUMNS says: it wins, as with ls(1) and others.
  private let givenColumns: Int?

  init(environment: [String: String]) {
    isInteractive = Self.isInteractive(environment, isTerminal: isatty(STDOUT_FILENO) == 1)
    givenColumns = Self.columns(environment)
    ink = Self.ink(environment, isInteractive: isInteractive)
  }

  /// A dumb terminal is a printer: nothing is moved or painted there.
  static func isInteractive(_ environment: [String: String], isTerminal: Bool) -> Bool {
    isTerminal && environment["TERM"] != "dumb"
  }

  static func ink(_ environment: [String: String], isInteractive: Bool) -> Ink {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let word = locale.lowercased()
    return Ink(
      usesColour: isInteractive && (environment["NO_COLOR"] ?? "").isEmpty,
      usesUnicode: word.contains("utf-8") || word.contains("utf8"))
  }

  /// The columns that the environment asks for, if it makes sense.
  static func columns(_ environment: [String: String]) -> Int? {
    environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
  }

  /// Columns of the terminal. Text for a pipe or a file is not cut: 200.
  var columns: Int {
    givenColumns ?? size.map { Int($0.ws_col) } ?? (isatty(STDOUT_FILENO) == 1 ? 80 : 200)
  }

  /// Lines of the terminal; 24 when nobody knows.
  var rows: Int { size.map { Int($0.ws_row) } ?? 24 }

  private var size: winsize? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return size
  }

  /// Writes to standard output, all of it.
  func write(_ text: String) { Self.write(text, to: STDOUT_FILENO) }

  /// Writes a document as the one line of JSON it is.
  func writeJSON(_ document: some Encodable) throws(ClientFailure) {
    do {
      write(String(decoding: try JSONDocument.encode(document), as: UTF8.self) + "\n")
    } catch {
      throw .failed("the answer \(error)")
    }
  }

  /// Writes a line to standard error.
  static func complain(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    write(
      lines.map { DisplayWidth.printable(String($0)) + "\n" }.joined(), to: STDERR_FILENO)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
