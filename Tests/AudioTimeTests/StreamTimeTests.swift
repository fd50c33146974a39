// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing

@Suite struct StreamTimeTests {
  /// 2026-11-30 in nanoseconds since 1900: large enough to overflow a naive conversion.
  let today = MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)

  @Test func `one second is exactly 48000 frames far from the epoch`() {
    let start = MediaFrame(today)
    #expect(MediaFrame(today + .seconds(1)) - start == 48_000)
    #expect(start.index == 4_005_072_000 * 48_000)
  }

  @Test(arguments: [0, 1, 20_832, 20_833, 20_834, 62_499, 62_500, 62_501, 999_999_999])
  func `an instant survives the way to a position and back`(offset: Int64) {
    let instant = today + Nanoseconds(offset)
    #expect((MediaPosition(instant).instant - instant).magnitude <= Nanoseconds(1))
  }

  @Test
  func `every frame of a second begins at an instant of its own frame or one nanosecond before`() {
    let start = MediaFrame(today)
    for offset in 0..<Int64(48_000) {
      let frame = start + offset
      let back = MediaPosition(frame.instant)
      #expect((back - MediaPosition(frame: frame)).magnitude < 0.0001)
    }
  }

  @Test func `positions before 1900 round down`() {
    let position = MediaPosition(MediaInstant(nanosecondsSince1900: -1))
    #expect(position.frame.index == -1)
    #expect(position.fraction > 0xFFF0_0000)
  }

  @Test(arguments: [-2.75, -1.0, -0.25, 0, 0.25, 0.999, 479.5])
  func `advancing and subtracting agree`(frames: Double) {
    let start = MediaPosition(frame: MediaFrame(index: 100), fraction: 0x8000_0000)
    #expect(abs((start.advanced(byFrames: frames) - start) - frames) < 1e-8)
  }

  @Test(arguments: [0, 1, -1, 0x4000_0000, -0x4000_0000, 0x7FFF_FFFF, -0x8000_0000] as [Int64])
  func `a stamp unwraps to the frame it came from`(distance: Int64) {
    let reference = MediaFrame(today)
    let frame = reference + distance
    #expect(RTPTimestamp(frame).unwrapped(near: reference) == frame)
  }

  @Test func `seconds that do not fit are clamped`() {
    #expect(Nanoseconds(seconds: 1e300) == Nanoseconds(.max))
    #expect(Nanoseconds(seconds: -1e300) == Nanoseconds(.min))
    #expect(Nanoseconds(seconds: 0.25) == .milliseconds(250))
  }
}
