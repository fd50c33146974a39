// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import RealtimeAudio
import Testing

@Suite struct RendererTests {
  @Test func `the first audible frame lands on its very sample`() {
    for lead in [0, 1, 479, 480, 481, 1_000] as [Int64] {
      var player = LanePlayer()
      let first = LanePlayer.origin + lead
      player.fill(0, audibleFrom: first) { _ in 0.5 }
      player.cue(0, at: first)
      player.start()
      for _ in 0..<4 { player.play() }
      let sounding = player.left.firstIndex { abs($0) > 1e-5 }
      #expect(sounding == Int(lead))
      #expect(player.left.dropFirst(Int(lead)).allSatisfy { abs($0 - 0.5) < 1e-5 })
    }
  }

  @Test func `look-ahead before the first audible frame is never heard`() {
    var player = LanePlayer()
    player.fill(0, audibleFrom: LanePlayer.origin + 312) { _ in 0.5 }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    player.play()
    #expect(player.left[..<312].allSatisfy { abs($0) < 1e-6 })
    #expect(player.underrunFrames == 0)
  }

  @Test func `position moves by step and by nothing else`() {
    var player = LanePlayer()
    player.order.step = (1 << 32) + 588_000
    player.start(at: MediaPosition(frame: LanePlayer.origin, fraction: 4_000_000_000))
    for frames in [480, 1, 511, 512, 513, 2_000] { player.play(frames: frames) }
    let travelled = UInt64(4_000_000_000) + player.order.step * 4_017
    #expect(
      player.renderer.position.frame.index == LanePlayer.origin.index + Int64(travelled >> 32))
    #expect(player.renderer.position.fraction == UInt32(truncatingIfNeeded: travelled))
  }

  @Test func `any block size gives the same samples`() {
    var outputs: [[Float]] = []
    for block in [480, 37, 1_920] {
      var player = LanePlayer()
      player.order.step = (1 << 32) + 588_000
      player.fill(0) { tone(3_000, at: $0) }
      player.cue(0, at: LanePlayer.origin + 100, fade: 480)
      player.start()
      while player.left.count < 1_920 { player.play(frames: block) }
      outputs.append(Array(player.left[..<1_920]))
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[0] == outputs[2])
  }

  @Test func `lanes cross-fade at the cue's frame without a step`() {
    var player = LanePlayer()
    player.fill(0) { tone(200, at: $0) }
    player.fill(1) { tone(310, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    player.play()
    player.cue(1, at: LanePlayer.origin + 1_000, fade: 480)
    for _ in 0..<6 { player.play() }
    // Each lane's own step, plus what the fade adds at most: both amplitudes in 480 frames.
    #expect(largestStep(player.left) < ownStep(310) + 1 / 480)
    expectMusic(player.left, in: 0..<1_000) { tone(200, at: $0) }
    expectMusic(player.left, in: 1_480..<3_000) { tone(310, at: $0) }
    #expect(player.underrunFrames == 0)
  }

  @Test func `equal music in both lanes fades over unheard`() {
    var player = LanePlayer()
    player.fill(0) { tone(700, at: $0) }
    player.fill(3) { tone(700, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.cue(3, at: LanePlayer.origin + 300, fade: 480)
    player.start()
    for _ in 0..<3 { player.play() }
    expectMusic(player.left, in: 0..<1_440) { tone(700, at: $0) }
  }

  @Test func `a flush fades to silence at its frame`() {
    var player = LanePlayer()
    player.fill(0) { _ in 0.5 }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.cue(nil, at: LanePlayer.origin + 500, fade: 960)
    player.start()
    for _ in 0..<4 { player.play() }
    expectMusic(player.left, in: 0..<460) { _ in 0.5 }
    #expect(abs(player.left[980] - 0.25) < 0.01)
    #expect(player.left[1_500...].allSatisfy { abs($0) < 1e-5 })
    #expect(largestStep(player.left) < 0.002)
  }

  @Test func `a cue that comes too late fades in from now`() {
    var player = LanePlayer()
    player.fill(0) { tone(200, at: $0) }
    player.start()
    player.play()
    player.cue(0, at: LanePlayer.origin - 1_000, fade: 240)
    for _ in 0..<3 { player.play() }
    #expect(largestStep(player.left) < ownStep(200) + 0.5 / 240)
    expectMusic(player.left, in: 800..<1_900) { tone(200, at: $0) }
  }

  @Test func `the last of several cues in one breath wins`() {
    var player = LanePlayer()
    for lane in 0..<4 { player.fill(lane) { _ in Float(lane) * 0.2 } }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.cue(1, at: LanePlayer.origin + 400, fade: 480)
    player.cue(2, at: LanePlayer.origin + 500, fade: 480)
    player.cue(3, at: LanePlayer.origin + 300, fade: 480)
    player.start()
    for _ in 0..<4 { player.play() }
    #expect(largestStep(player.left) < 0.005)
    expectMusic(player.left, in: 1_000..<1_900) { _ in 0.6 }
    #expect(player.bank.progress.read().lanesInUse == 0b1000)
  }

  @Test func `a jump fades from the old place to the new one`() {
    var player = LanePlayer()
    player.fill(0) { tone(200, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    for _ in 0..<4 { player.play() }
    let target = MediaPosition(frame: LanePlayer.origin + 1_920 + 130, fraction: 1 << 31)
    player.start(at: target)
    for _ in 0..<4 { player.play() }
    #expect(largestStep(player.left) < ownStep(200) + 1 / 480)
    #expect(player.renderer.position.frame == target.frame + 1_920)
    #expect(player.renderer.position.fraction == target.fraction)
    #expect(player.bank.progress.read().jumps == 2)
    #expect(player.underrunFrames == 0)
  }

  @Test func `gain reaches its target in 20 ms and never steps`() {
    var player = LanePlayer()
    player.fill(0) { _ in 0.5 }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    player.play()
    player.order.gain = 0.2
    for _ in 0..<3 { player.play() }
    #expect(largestStep(player.left) < 0.5 * 0.8 / 960 * 1.01)
    #expect(player.left[480 + 958] > 0.1)
    #expect(player.left[(480 + 960)...].allSatisfy { abs($0 - 0.1) < 1e-6 })
  }

  @Test func `a renderer that is gone leaves no place behind`() {
    let bank = LaneBank()
    do {
      var renderer = Renderer(bank: bank, deviceRate: 48_000)
      var block = [Float](repeating: 0, count: 960)
      let order = RenderOrder(jumpTo: MediaPosition(frame: LanePlayer.origin))
      block.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { renderer.render(order, into: base, frames: 480) }
      }
      #expect(bank.progress.read().playhead != nil)
    }
    #expect(bank.progress.read().playhead == nil)
    #expect(bank.progress.read().lanesInUse == 0)
  }

  @Test func `progress says nothing before there is a place`() {
    var player = LanePlayer()
    player.play()
    #expect(player.bank.progress.read().playhead == nil)
    player.start()
    player.play()
    // 32 frames of the filter lie ahead of the next frame.
    #expect(player.bank.progress.read().playhead == LanePlayer.origin + 480 + 33)
  }
}

/// Fails unless `samples` in `range` are `music`, frame for frame from the origin.
func expectMusic(
  _ samples: [Float], in range: Range<Int>, sourceLocation: SourceLocation = #_sourceLocation,
  _ music: (Int64) -> Float
) {
  let worst = range.map { abs(samples[$0] - music(LanePlayer.origin.index + Int64($0))) }.max() ?? 0
  #expect(worst < 1e-5, sourceLocation: sourceLocation)
}
