// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Testing

@Suite struct ClockMapTests {
  static let today = MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
  static let map = ClockMap(
    anchorLocal: LocalInstant(nanoseconds: 86_400_000_000_000), anchorMedia: today,
    rate: PartsPerMillion(25), clockID: ClockID(rawValue: 7))

  @Test func `a second of this host is 25 microseconds more of the media clock`() {
    let map = Self.map
    #expect(
      map.media(at: map.anchorLocal + .seconds(1)) - map.anchorMedia == Nanoseconds(1_000_025_000))
    #expect(
      map.media(at: map.anchorLocal - .seconds(1)) - map.anchorMedia == Nanoseconds(-1_000_025_000))
  }

  @Test(
    arguments: [-3_600_000_000_000, -1, 0, 1, 999, 6_000_000_000, 3_600_000_000_001] as [Int64])
  func `there and back is the same nanosecond`(elapsed: Int64) {
    let map = Self.map
    let local = map.anchorLocal + Nanoseconds(elapsed)
    #expect((map.local(at: map.media(at: local)) - local).magnitude <= Nanoseconds(1))
  }
}
