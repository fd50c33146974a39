// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ALSAOutput
import AudioTime
import Testing

@Suite struct StatusSandwichTests {
  @Test func `a driver stamp inside the call is taken as it is`() throws {
    var sandwich = StatusSandwich()
    let judged = sandwich.accept(before: 1_000, after: 6_000, driver: 2_500)
    let taken = try #require(judged)
    #expect(taken.stamp == LocalInstant(nanoseconds: 2_500))
    #expect(taken.uncertainty == .zero)
  }

  @Test(arguments: [0, 999, 6_001] as [Int64])
  func `a missing or foreign driver stamp falls back to the middle`(driver: Int64) throws {
    var sandwich = StatusSandwich()
    let judged = sandwich.accept(before: 1_000, after: 6_000, driver: driver)
    let taken = try #require(judged)
    #expect(taken.stamp == LocalInstant(nanoseconds: 3_500))
    #expect(taken.uncertainty == Nanoseconds(2_500))
  }

  @Test func `an interrupted call is discarded and the next one taken`() {
    var sandwich = StatusSandwich()
    expect(&sandwich, before: 0, after: 5_000, driver: 0, accepted: true)
    expect(&sandwich, before: 0, after: 900_000, driver: 0, accepted: false)
    expect(&sandwich, before: 0, after: 20_000, driver: 0, accepted: true)
  }

  @Test func `a machine that became slow for good is believed in the end`() {
    var sandwich = StatusSandwich()
    expect(&sandwich, before: 0, after: 5_000, driver: 0, accepted: true)
    let accepted = (0..<60).count { _ in
      sandwich.accept(before: 0, after: 200_000, driver: 0) != nil
    }
    #expect(accepted == 9)
  }
}

private func expect(
  _ sandwich: inout StatusSandwich, before: Int64, after: Int64, driver: Int64, accepted: Bool
) {
  let taken = sandwich.accept(before: before, after: after, driver: driver)
  #expect((taken != nil) == accepted)
}

@Suite struct ALSADeviceTests {
  @Test func `an unknown device is refused with its name and what to try`() {
    let error = #expect(throws: ALSAError.self) {
      _ = try ALSADevice(name: "no-such-pcm")
    }
    #expect(error?.isMissing == true)
    #expect(error?.description.contains("no-such-pcm") == true)
    #expect(error?.description.contains("--list-outputs") == true)
  }

  @Test func `the null device opens, takes frames and reports a delay`() throws {
    var device = try ALSADevice(name: "null")
    #expect(device.configuration.rate == 48_000)
    #expect(device.configuration.format == .float32)
    let silence = [Float](repeating: 0, count: 960)
    let written = try silence.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return try device.write(base, frames: 480)
    }
    #expect(written == 480)
    try device.start()
    _ = try device.status()
    try device.restart()
  }
}
