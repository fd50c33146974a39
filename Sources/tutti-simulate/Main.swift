// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// `tutti-simulate`: many made-up houses in virtual time, for those who work on Tutti. Not installed.

internal import CommandLineOptions
internal import Glibc
internal import Simulation

/// Entry point of `tutti-simulate`.
@main
enum TuttiSimulateProgram {
  static func main() async {
    do throws(CommandLineError) {
      switch try SimulateOptions.program.parse(Array(CommandLine.arguments.dropFirst())) {
      case .print(let text): print(text)
      case .run(let given): exit(await run(given))
      }
    } catch {
      complain("\(error)")
      exit(2)
    }
  }

  private static func run(_ given: ParsedArguments) async -> Int32 {
    if given[SimulateOptions.chaos] { return runChaos(given) }
    return await runHouses(given)
  }
}

/// What may be asked for.
enum SimulateOptions {
  static let houses = DefaultedOption(
    "houses", value: "N", default: 100, parse: .integer(in: 1...1_000_000), help: "How many.")
  static let seed = DefaultedOption(
    "seed", value: "N", default: 1, parse: .integer(in: 0...Int.max),
    help: "Of the first house; the next ones follow.")
  static let minutes = DefaultedOption(
    "minutes", value: "M", default: 5, parse: .number(in: 0.1...10_000),
    help: "How long each plays.")
  static let kind = Option(
    "kind", value: "KIND", parse: ValueParser<KindName>.choice, help: "Only houses of this kind.")
  static let rooms = Option(
    "rooms", value: "N", parse: .integer(in: 1...64), help: "So many rooms in each.")
  static let worst = DefaultedOption(
    "worst", value: "N", default: 1, parse: .integer(in: 0...1_000),
    help: "Describe so many of the worst houses of each kind.")
  static let jobs = DefaultedOption(
    "jobs", value: "N", default: 2, parse: .integer(in: 1...256), help: "Houses at a time.")
  static let trace = Option(
    "trace", value: "FILE", parse: .text, help: "Write what one house's rooms were like, as CSV.")
  static let chaos = Flag("chaos", help: "One house in which something breaks every 5 s.")
  static let hours = DefaultedOption(
    "hours", value: "H", default: 1, parse: .number(in: 0.05...100_000), help: "Of chaos.")

  static let program = CommandLineProgram(
    name: "tutti-simulate", version: tuttiVersion,
    summary: "Plays in made-up houses in virtual time, with the real cores.",
    environmentPrefix: "TUTTI_SIMULATE",
    options: [houses, seed, minutes, kind, rooms, worst, jobs, trace, chaos, hours])
}

/// The kinds of houses as they are typed.
enum KindName: String, CaseIterable, Sendable {
  case wired, quiet, wireless, asymmetric, coarse, warming, large, awkward

  var kind: HouseScenario.Kind? { HouseScenario.Kind(rawValue: rawValue) }
}

/// Writes a line to standard error.
func complain(_ words: String) { writeError("tutti-simulate: \(words)\n") }

/// Writes to standard error.
func writeError(_ text: String) {
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Processor seconds that this process has used.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
