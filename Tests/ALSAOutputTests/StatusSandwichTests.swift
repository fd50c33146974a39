// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing

@testable import ALSAOutput

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

  @Test func `a machine that became slow for good is believed after a second or two`() {
    var sandwich = StatusSandwich()
    expect(&sandwich, before: 0, after: 5_000, driver: 0, accepted: true)
    let accepted = (0..<400).count { _ in
      sandwich.accept(before: 1_000, after: 201_000, driver: 0) != nil
    }
    #expect(accepted > 200)
  }

  @Test func `a loaded machine never starves the model, and its stamps say what they are worth`()
    throws
  {
    var sandwich = StatusSandwich()
    var lengths: [Int64] = []
    var taken = 0
    var longestGap = 0
    var gap = 0
    for index in 0..<1_000 {
      // One call in fifty is undisturbed, so the usual length stays short.
      let length: Int64 = index % 50 == 0 ? 3_000 : 100_000 + Int64(index % 7) * 50_000
      gap += 1
      guard
        let judged = sandwich.accept(
          before: 1_000, after: 1_000 + length, driver: 0)
      else { continue }
      #expect(judged.uncertainty == Nanoseconds(length / 2))
      (taken, longestGap, gap) = (taken + 1, max(longestGap, gap), 0)
      lengths.append(length)
    }
    #expect(longestGap <= StatusSandwich.patience + 1)
    #expect(taken < 150)
    #expect(lengths.filter { $0 == 3_000 }.count == 20)
  }
}

private func expect(
  _ sandwich: inout StatusSandwich, before: Int64, after: Int64, driver: Int64, accepted: Bool
) {
  let taken = sandwich.accept(before: before, after: after, driver: driver)
  #expect((taken != nil) == accepted)
}
