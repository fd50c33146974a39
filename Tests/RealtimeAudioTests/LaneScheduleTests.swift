// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import RealtimeAudio
import Testing

@Suite struct LaneScheduleTests {
  func cue(_ serial: UInt32, at frame: Int64, fade: Int32 = 480) -> LaneCue {
    LaneCue(
      serial: serial, lane: Int32(serial % 4), start: MediaFrame(index: frame), fadeFrames: fade)
  }

  @Test func `a fifth cue drops the oldest`() {
    var schedule = LaneSchedule()
    for serial in 1...5 as ClosedRange<UInt32> {
      schedule.append(cue(serial, at: Int64(serial) * 1_000))
    }
    #expect(schedule.count == 4)
    #expect((0..<4).map { schedule[$0].serial } == [2, 3, 4, 5])
  }

  @Test func `covered cues retire, the sounding one stays`() {
    var schedule = LaneSchedule()
    schedule.append(cue(1, at: 0))
    schedule.append(cue(2, at: 1_000))
    schedule.append(cue(3, at: 9_000))
    schedule.retire(before: MediaFrame(index: 1_479))
    #expect(schedule.count == 3)
    schedule.retire(before: MediaFrame(index: 1_480))
    #expect((0..<schedule.count).map { schedule[$0].serial } == [2, 3])
    schedule.retire(before: MediaFrame(index: 100_000))
    #expect((0..<schedule.count).map { schedule[$0].serial } == [3])
  }

  @Test func `a payload of cues has no padding`() {
    #expect(MemoryLayout<LaneCue>.size == 24)
    #expect(MemoryLayout<LaneSchedule>.size == 4 * 24 + 8)
  }
}
