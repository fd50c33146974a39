// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import Simulation

/// Runs the houses that were asked for, some at a time, and prints what they were like.
func runHouses(_ given: ParsedArguments) async -> Int32 {
  let scenarios = (0..<given[SimulateOptions.houses]).map { offset in
    HouseScenario.random(
      given[SimulateOptions.kind]?.kind, seed: UInt64(given[SimulateOptions.seed] + offset),
      seconds: given[SimulateOptions.minutes] * 60, rooms: given[SimulateOptions.rooms])
  }
  if let file = given[SimulateOptions.trace] { return trace(scenarios, to: file) }
  let reports = await play(scenarios, atATime: given[SimulateOptions.jobs])
  print("skew between settled rooms, what no room can know taken off: p50 / p99 / max")
  for kind in HouseScenario.Kind.allCases { printKind(kind, reports) }
  printWorst(reports, given[SimulateOptions.worst])
  let hours = scenarios.reduce(0) { $0 + $1.seconds * Double($1.rooms.count) } / 3_600
  let used = processorSeconds()
  print(
    "\(decimal(hours)) room-hours in \(decimal(used)) s of processor time:"
      + " an hour of four rooms in \(decimal(used / hours * 4)) s")
  return 0
}

/// Plays the houses on as many threads as asked.
private func play(_ scenarios: [HouseScenario], atATime jobs: Int) async -> [HouseReport] {
  await withTaskGroup(of: (Int, HouseReport).self) { group in
    var reports = [HouseReport?](repeating: nil, count: scenarios.count)
    var next = 0
    func addNext() {
      guard next < scenarios.count else { return }
      let (index, scenario) = (next, scenarios[next])
      group.addTask { (index, VirtualHouse(scenario).run()) }
      next += 1
    }
    for _ in 0..<jobs { addNext() }
    while let (index, report) = await group.next() {
      reports[index] = report
      addNext()
    }
    return reports.compactMap { $0 }
  }
}

private func printKind(_ kind: HouseScenario.Kind, _ reports: [HouseReport]) {
  let these = reports.filter { $0.scenario.kind == kind }
  guard var sum = these.first else { return }
  for report in these.dropFirst() { sum.merge(report) }
  var worst = Distribution()
  for report in these { worst.add(report.skew.percentile(0.99)) }
  print("\(kind.rawValue), \(these.count) houses: \(sum.figures)")
  print("    p99 of each house: \(HouseReport.three(worst)) us")
}

private func printWorst(_ reports: [HouseReport], _ count: Int) {
  for kind in HouseScenario.Kind.allCases {
    let these = reports.filter { $0.scenario.kind == kind }
      .sorted { $0.skew.percentile(0.99) > $1.skew.percentile(0.99) }
    for report in these.prefix(count) {
      print("")
      for line in report.scenario.description { print(line) }
      print("  => \(report.figures)")
    }
  }
}

/// With one digit.
func decimal(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
