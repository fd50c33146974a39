// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import RealtimeAudio
import Testing

@Suite struct UnderrunTests {
  /// Plays 20 ms, lets the lane run dry for `gap` frames of the device, then fills it again.
  func playThroughGap(of gap: Int) -> (samples: [Float], missing: UInt64) {
    var player = LanePlayer()
    player.fill(0, frames: 2_000 + 960) { tone(200, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    for _ in 0..<2 { player.play() }
    player.play(frames: gap)
    player.extend(0, frames: 6_000) { tone(200, at: $0) }
    for _ in 0..<4 { player.play() }
    return (player.left, player.underrunFrames)
  }

  @Test(arguments: [480, 960, 2_400])
  func `a gap fades out and in without a step, and is counted`(gap: Int) {
    let (samples, missing) = playThroughGap(of: gap)
    #expect(largestStep(samples) < ownStep(200) + 2 * 0.5 / 240)
    // The filter looks 33 frames ahead: those had to be decided before the refill.
    #expect(missing == UInt64(gap + 33))
    if gap > 400 { #expect(samples[960 + 300..<960 + gap].allSatisfy { abs($0) < 1e-4 }) }
    let settled = 960 + gap + 33 + 300
    expectMusic(samples, in: settled..<settled + 900) { tone(200, at: $0) }
  }

  @Test func `a lane that never arrives is silence, counted`() {
    var player = LanePlayer()
    player.bank[0].open(from: LanePlayer.origin, firstAudible: LanePlayer.origin)
    player.cue(0, at: LanePlayer.origin)
    player.start()
    player.play()
    #expect(player.left.allSatisfy { $0 == 0 })
    #expect(player.underrunFrames == 480 + 33)
  }

  @Test func `silence by schedule is no underrun`() {
    var player = LanePlayer()
    player.start()
    for _ in 0..<10 { player.play() }
    #expect(player.left.allSatisfy { $0 == 0 })
    #expect(player.underrunFrames == 0)
  }
}

@Suite struct AudioLaneTests {
  @Test func `the writer never overtakes what the reader may still want`() {
    var player = LanePlayer()
    player.fill(0, from: LanePlayer.origin, frames: 20_000) { tone(200, at: $0) }
    #expect(player.bank[0].end - LanePlayer.origin == AudioLane.capacity)
    #expect(player.bank[0].room == 0)
    player.cue(0, at: LanePlayer.origin)
    player.start()
    for _ in 0..<20 { player.play() }
    // 9,600 frames played and 33 of the filter, less 4,096 of history.
    #expect(player.bank[0].room == 9_633 - 4_096)
  }

  @Test func `a lane opened anew has forgotten the old music`() {
    var player = LanePlayer()
    player.fill(0) { _ in 0.9 }
    player.fill(0, from: LanePlayer.origin + 100, frames: 2_000) { _ in 0.1 }
    player.cue(0, at: LanePlayer.origin)
    player.start()
    player.play()
    #expect(player.left.allSatisfy { abs($0) < 0.2 })
    #expect(player.underrunFrames == 0, "before the lane's first frame nothing is due")
  }

  @Test func `silence can be appended`() {
    let bank = LaneBank()
    bank[2].open(from: LanePlayer.origin, firstAudible: LanePlayer.origin)
    #expect(bank[2].appendSilence(960) == 960)
    #expect(bank[2].end == LanePlayer.origin + 960)
    #expect(bank[2].appendSilence(100_000) == Int(AudioLane.capacity) - 960)
  }
}
