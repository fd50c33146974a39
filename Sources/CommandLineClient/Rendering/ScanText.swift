// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// A scan in words.
enum ScanText {
  private static let barWidth = 24

  /// One line for a terminal: a bar, how far it is, how fast, and where.
  static func bar(_ job: JobDocument, columns: Int) -> String {
    guard job.state == .running else { return "waiting for another scan" }
    let fraction = Double(job.counts.done) / Double(max(1, job.counts.found))
    let bar = ProgressBar(width: barWidth).text(fraction: job.isCounted ? fraction : fraction / 2)
    let folder = job.currentFolder.map { "  " + $0 } ?? ""
    return DisplayWidth.prefix(
      DisplayWidth.printable("\(bar) \(progress(job))\(folder)"), max(10, columns))
  }

  /// How far and how fast.
  static func progress(_ job: JobDocument) -> String {
    guard job.state == .running else { return "waiting for another scan" }
    let counts = job.counts
    let found = job.isCounted ? "\(counts.found)" : "\(counts.found) or more"
    return "\(counts.done) of \(found) files, \(number(job.filesPerSecond, 0)) a second"
      + (counts.failed > 0 ? ", \(counts.failed) failed" : "")
  }

  /// What came of it.
  static func summary(_ job: JobDocument) -> String {
    let counts = job.counts
    var parts = ["\(counts.found) \(counts.found == 1 ? "file" : "files")"]
    let named: [(Int, String)] = [
      (counts.read, "new or changed"), (counts.moved, "moved"), (counts.gone, "deleted"),
      (counts.missing, "not to be seen now"), (counts.failed, "cannot be used"),
      (counts.playlists, counts.playlists == 1 ? "playlist" : "playlists"),
    ]
    parts += named.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if parts.count == 1 { parts.append("nothing has changed") }
    return parts.joined(separator: ", ") + "; \(number(job.elapsedSeconds, 2)) s"
  }
}
