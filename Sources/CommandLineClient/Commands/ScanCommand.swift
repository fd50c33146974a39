// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI
internal import Glibc

/// `library scan` and `library failures`.
struct ScanCommand {
  let context: CommandRun

  /// How often the scan is looked at, in ms, and how many looks make a line in a pipe.
  static let lookMilliseconds: Int32 = 250
  static let looksPerLine = 8

  /// Asks for a scan and follows it; Ctrl-C ends only the following.
  func run() throws(ClientFailure) {
    signal(SIGINT) { _ in endOfFollowing() }
    let isFull = context.arguments[TuttiCommandLine.full]
    var job = try context.house.scanLibrary(full: isFull)
    var looks = 0
    while !job.state.isOver {
      show(job, looks: looks)
      looks += 1
      poll(nil, 0, Self.lookMilliseconds)
      job = try context.house.job(job.id)
    }
    if isBar { context.terminal.write("\r\u{1B}[K") }
    if context.wantsJSON { try context.printJSON(job) } else { tell(job) }
    guard job.state == .finished else {
      throw .failed(
        "the scan \(job.state == .cancelled ? "was broken off" : "failed"): "
          + (job.detail ?? "the coordinator was stopped"))
    }
  }

  /// Files that cannot be used.
  func failures() throws(ClientFailure) {
    let document = try context.house.libraryFailures()
    if context.wantsJSON { return try context.printJSON(document) }
    guard !document.failures.isEmpty else {
      return context.printLines(["Every file of the library can be played."])
    }
    context.printLines(
      document.failures.map { DisplayWidth.printable("\($0.path): \($0.reason)") })
  }

  private var isBar: Bool { context.terminal.isInteractive && !context.wantsJSON }

  private func show(_ job: JobDocument, looks: Int) {
    if isBar {
      let line = ScanText.bar(job, columns: context.terminal.columns - 1)
      context.terminal.write("\r\u{1B}[K" + line)
    } else if !context.wantsJSON, looks % Self.looksPerLine == Self.looksPerLine - 1 {
      context.printLines([ScanText.progress(job)])
    }
  }

  private func tell(_ job: JobDocument) {
    for failure in job.failures { Terminal.complain("\(failure.path): \(failure.reason)") }
    if job.counts.failed > job.failures.count {
      Terminal.complain(
        "and \(job.counts.failed - job.failures.count) more; 'tutti library failures' has them all")
    }
    context.printLines([ScanText.summary(job)])
  }
}

private let goesOn: StaticString = "\ntutti: the scan goes on without us\n"

/// Only write(2) and _exit(2): both may be called in a handler (signal-safety(7)).
private func endOfFollowing() {
  _ = write(STDERR_FILENO, goesOn.utf8Start, goesOn.utf8CodeUnitCount)
  _exit(0)
}
