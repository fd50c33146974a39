// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI
internal import Glibc
internal import HTTPClient

/// `report`: one redacted file for a bug report.
struct ReportCommand {
  let environment: [String: String]
  let arguments: ParsedArguments
  let terminal: Terminal

  /// Writes the file and says where it is.
  func run() throws(ClientFailure) {
    let facts = try DoctorCommand.gather(environment, arguments)
    var redaction = Redaction(words: Self.knownWords(environment))
    let document = redaction.redact(.object(contents(facts)))
    let bytes: [UInt8]
    do { bytes = try JSONDocument.encode(document) } catch { throw .failed("the report \(error)") }
    let path = arguments[TuttiCommandLine.output] ?? Self.fileName(wallSeconds())
    if path == "-" { return terminal.write(String(decoding: bytes, as: UTF8.self) + "\n") }
    try Self.write(bytes + [UInt8(ascii: "\n")], to: path)
    terminal.write(
      "The report is in \(path) (\(bytes.count / 1_000) kB). Names of music, folders, hosts and addresses "
        + "are replaced; look it over before you send it.\n")
    if facts.connection == nil {
      terminal.write("The coordinator did not answer: the report has only this machine's side.\n")
    }
  }

  private func contents(_ facts: DoctorCommand.Facts) -> [String: JSONValue] {
    var report: [String: JSONValue] = [
      "format": .text("tutti-report-1"), "tutti": .text(tuttiVersion),
      "madeUnixSeconds": .number(wallSeconds()), "machine": Self.machine(),
      "doctor": Self.tree(DoctorDocument(findings: facts.findings(ink: Ink()))) ?? .null,
    ]
    guard let connection = facts.connection, let state = facts.house.state else { return report }
    for route in [APIRoute.state, .diagnosis, .health] {
      let name = route.path.split(separator: "/").last.map(String.init) ?? route.path
      report[name] = connection.tree(at: route)
    }
    report["metrics"] = connection.lines(at: .metrics)
    report["sync"] = .list(state.rooms.compactMap { connection.tree(at: .roomSync(id: $0.id)) })
    report["logs"] = .list(state.rooms.compactMap { connection.tree(at: .roomLog(id: $0.id)) })
    return report
  }

  private static func tree(_ document: some Encodable) -> JSONValue? {
    guard let bytes = try? JSONDocument.encode(document) else { return nil }
    return try? JSONDocument.decode(JSONValue.self, from: bytes)
  }

  /// Kernel, distribution and processors; no name of the host.
  private static func machine() -> JSONValue {
    let system = textOfFile("/etc/os-release").split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12).filter { $0 != "\"" }
    return .object([
      "kernel": .text(textOfFile("/proc/sys/kernel/osrelease").trimmed()),
      "system": .text(system ?? "unknown"),
      "processors": .integer(Int64(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
      "load": .text(textOfFile("/proc/loadavg").trimmed()),
    ])
  }

  /// What the report must not say, wherever it stands.
  static func knownWords(_ environment: [String: String]) -> [(kind: String, text: String)] {
    let host = textOfFile("/proc/sys/kernel/hostname").trimmed()
    let short = host.split(separator: ".").first.map(String.init) ?? host
    return [
      ("host", host), ("host", short), ("user", environment["USER"] ?? ""),
      ("folder", environment["HOME"] ?? ""),
    ].filter { !["", "/", "root", "/root", "localhost"].contains($0.1) }.map {
      (kind: $0.0, text: $0.1)
    }
  }

  /// `tutti-report-20261130-140512.json`, by this machine's clock in UTC.
  static func fileName(_ unixSeconds: Double) -> String {
    var seconds = time_t(unixSeconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let numbers = [
      parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
      parts.tm_sec,
    ].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "tutti-report-\(numbers[..<3].joined())-\(numbers[3...].joined()).json"
  }

  /// A new file that only its owner reads: it is theirs to look at first.
  private static func write(_ bytes: [UInt8], to path: String) throws(ClientFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .failed(
        "cannot make '\(path)': \(String(cString: strerror(errno))); name another with --output")
    }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else {
        throw .failed("cannot write '\(path)': \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

extension HouseConnection {
  /// A document as it came; nil when there is none.
  fileprivate func tree(at route: APIRoute) -> JSONValue? {
    guard let answer = try? client.get(route.path), answer.isSuccess else { return nil }
    return try? JSONDocument.decode(JSONValue.self, from: answer.body)
  }

  /// A text as a list of its lines; nil when there is none.
  fileprivate func lines(at route: APIRoute) -> JSONValue? {
    guard let answer = try? client.get(route.path), answer.isSuccess else { return nil }
    let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
    return .list(lines.filter { !$0.hasPrefix("#") }.map { .text(String($0)) })
  }
}
