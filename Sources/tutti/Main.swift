// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineClient
internal import Glibc

/// Entry point of `tutti`.
@main
enum TuttiProgram {
  static func main() {
    exit(runTutti(Array(CommandLine.arguments.dropFirst()), environment: environment()))
  }
}

/// The environment of this process; of a repeated name the last one counts.
private func environment() -> [String: String] {
  var found: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let pair = String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if pair.count == 2 { found[String(pair[0])] = String(pair[1]) }
    entry += 1
  }
  return found
}
