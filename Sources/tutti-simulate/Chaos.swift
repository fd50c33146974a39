// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import Glibc
internal import Simulation

/// Runs hours of faults; fails if a room was not well after a calm.
func runChaos(_ given: ParsedArguments) -> Int32 {
  let seconds = given[SimulateOptions.hours] * 3_600
  let chaos = HouseChaos(
    seed: UInt64(given[SimulateOptions.seed]), rooms: given[SimulateOptions.rooms] ?? 6,
    seconds: seconds)
  let outcome = chaos.run { now in
    guard isatty(STDERR_FILENO) == 1 else { return }
    writeError("\r\(decimal(now / 3_600)) h")
  }
  let report = outcome.report
  for line in report.scenario.description { print(line) }
  print("\(outcome.faults) faults, \(outcome.calms) calms, \(report.figures)")
  print("at most \(report.mostPackets) packets in a room, \(report.mostEvents) events waiting")
  print("\(decimal(processorSeconds())) s of processor time")
  for failure in outcome.failures {
    print("at \(decimal(failure.at)) s \(failure.room) \(failure.words)")
  }
  print(outcome.failures.isEmpty ? "every room was well after every calm" : "FAILED")
  return outcome.failures.isEmpty ? 0 : 1
}
