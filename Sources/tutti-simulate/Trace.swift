// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc
internal import Simulation

/// Plays one house and writes ten lines a second for each of its rooms.
func trace(_ scenarios: [HouseScenario], to path: String) -> Int32 {
  guard let scenario = scenarios.first, scenarios.count == 1 else {
    complain("--trace follows one house; say --houses 1")
    return 2
  }
  guard let file = fopen(path, "w") else {
    complain("cannot write \(path): \(String(cString: strerror(errno)))")
    return 1
  }
  fputs("seconds,room,error_us,clock_error_us,sigma_us,bound_us,buffered_s\n", file)
  let house = VirtualHouse(scenario)
  house.onSample = { samples in
    for sample in samples { fputs(line(sample, scenario), file) }
  }
  let report = house.run()
  guard fclose(file) == 0 else {
    complain("cannot write \(path): \(String(cString: strerror(errno)))")
    return 1
  }
  for line in scenario.description { print(line) }
  print("  => \(report.figures)")
  return 0
}

private func line(_ sample: RoomSample, _ scenario: HouseScenario) -> String {
  let numbers = [sample.error, sample.clockError, sample.sigma, sample.bound, sample.buffered]
  let fields = numbers.map { $0.map { "\(($0 * 1e3).rounded() / 1e3)" } ?? "" }
  let begin = "\((sample.at * 10).rounded() / 10),\(scenario.rooms[sample.room].name)"
  return ([begin] + fields).joined(separator: ",") + "\n"
}
