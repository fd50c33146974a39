// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LiveInput
import Testing

/// A 1 kHz tone of a source, and the house's blocks made of it.
private final class Tone {
  static let amplitude: Float = 0.5
  /// 48 frames are a whole turn, so that lumps join.
  static let turn = (0..<48).map { amplitude * sine(Double($0) / 48) }
  /// The largest step from one frame to the next of the tone itself.
  static let step = amplitude * 2 * .pi / 48

  let block: Int
  private var stream: LiveStream
  var output: [Float] = []
  var time = 0.0
  /// The largest step from frame to frame, also from one block to the next.
  var largestStep: Float = 0
  var last: Float = 0
  var heard = 0
  var silentBlocks = 0
  var turns = 0

  var dryRuns: Int { stream.dryRuns }
  var skips: Int { stream.skips }
  var frequency: Double { stream.frequency.value }
  var waits: Bool { stream.waitsForUs }
  var unread: Int64 { stream.unread }
  var appetite: Int { stream.appetite }

  init(rate: Int = 48_000, block: Int = 960) {
    self.block = block
    stream = LiveStream(rate: rate, block: block)
  }

  /// Source frames, interleaved; `count` is a multiple of 48.
  static func frames(_ count: Int) -> [Float] {
    (0..<count).flatMap { [turn[$0 % 48], turn[$0 % 48]] }
  }

  func deliver(_ frames: [Float], at time: Double) {
    stream.deliver(frames.span, at: VirtualSource.local(time))
  }

  /// The next block; a `quick` look judges only its edges.
  func pass(quick: Bool = false) {
    time += Double(block) / 48_000
    stream.next(at: VirtualSource.local(time), into: &output)
    heard += 1
    let edge = min(output.count / 2, quick ? 4 : .max)
    for index in 0..<edge {
      largestStep = max(largestStep, abs(output[2 * index] - last))
      if last < 0, output[2 * index] >= 0 { turns += 1 }
      last = output[2 * index]
    }
    last = output[output.count - 2]
    if !stream.isSounding { silentBlocks += 1 }
  }

  private static func sine(_ turns: Double) -> Float {
    // Taylor, good to 1e-9 within half a turn: no libm here.
    let x = (turns > 0.5 ? turns - 1 : turns) * 2 * .pi
    var (term, sum) = (x, x)
    for k in 1...12 {
      term *= -x * x / Double(2 * k * (2 * k + 1))
      sum += term
    }
    return Float(sum)
  }
}

@Suite struct LiveStreamTests {
  @Test(arguments: [-500.0, 500])
  func `an hour of 500 ms lumps by a clock that is off is one unbroken tone`(ppm: Double) {
    let tone = Tone()
    let lump = Tone.frames(24_000)
    let spacing = 0.5 / (1 + ppm * 1e-6)
    var lumps = 1.0
    for index in 0..<180_000 {
      while lumps * spacing <= tone.time + 0.02 {
        tone.deliver(lump, at: lumps * spacing)
        lumps += 1
      }
      tone.pass(quick: index % 25 != 0)
    }
    #expect(tone.dryRuns == 0 && tone.skips == 0)
    #expect(tone.silentBlocks < 80)
    #expect(tone.largestStep < Tone.step * 1.05, "\(tone.largestStep / Tone.step)")
    #expect(abs(tone.frequency - ppm) < 2)
    #expect(!tone.waits)
  }

  @Test(arguments: [44_100, 48_000])
  func `a source without a clock waits, and is played at its own speed`(rate: Int) {
    let tone = Tone(rate: rate)
    var delivered = 0
    for _ in 0..<3_000 {
      // As fast as the pipe takes it.
      while tone.appetite >= 48 {
        let count = min(4_800, tone.appetite / 48 * 48)
        tone.deliver(Tone.frames(count), at: tone.time)
        delivered += count
      }
      tone.pass()
    }
    #expect(tone.waits)
    #expect(tone.dryRuns == 0)
    #expect(tone.unread < Int64(rate) / 5)
    // 60 s of it: 1 kHz at 48 kHz, 918.75 Hz at 44.1 kHz.
    let expected = 60 * rate / 48
    #expect(abs(tone.turns - expected) <= 60, "\(tone.turns) of \(expected)")
    #expect(tone.largestStep < Tone.step * 1.05)
    #expect(abs(delivered - 60 * rate) < rate)
  }

  @Test func `a source that stops is faded out, and in when it is back, without a click`() {
    let tone = Tone()
    let lump = Tone.frames(960)
    for index in 0..<1_000 {
      let isSilent = (300..<500).contains(index)
      if !isSilent { tone.deliver(lump, at: tone.time + 0.001) }
      tone.pass()
    }
    #expect(tone.dryRuns == 1)
    #expect((200..<250).contains(tone.silentBlocks), "\(tone.silentBlocks)")
    // The mirror turns the wave round: no step, but a corner.
    #expect(tone.largestStep < Tone.step * 1.2, "\(tone.largestStep / Tone.step)")
  }

  @Test func `a source without a clock that stops is judged anew`() {
    let tone = Tone()
    for index in 0..<1_500 {
      let isThere = index < 400 || index > 600
      while isThere, tone.appetite >= 960 {
        tone.deliver(Tone.frames(960), at: tone.time)
      }
      tone.pass()
    }
    #expect(tone.dryRuns == 1)
    #expect(tone.waits)
    #expect(tone.silentBlocks < 230)
  }

  @Test func `a source that gets half a second ahead is heard later, not cut`() {
    let tone = Tone()
    for index in 0..<500 {
      tone.deliver(Tone.frames(960 + (index == 200 ? 28_800 : 0)), at: tone.time)
      tone.pass()
    }
    #expect(tone.skips == 0 && tone.dryRuns == 0)
    #expect(!tone.waits)
    #expect(tone.largestStep < Tone.step * 1.05, "\(tone.largestStep / Tone.step)")
  }

  @Test func `nothing delivered is silence, and so is no sound at all`() {
    let tone = Tone(block: 240)
    for _ in 0..<100 { tone.pass() }
    tone.deliver([], at: tone.time)
    tone.deliver([0.5], at: tone.time)
    tone.pass()
    #expect(tone.largestStep == 0)
    #expect(tone.output.count == 480)
  }

  @Test func `an idle source is taken a second of sound a second`() {
    var drain = IdleDrain(rate: 48_000)
    var taken = 0
    for index in 0..<1_000 {
      let room = drain.appetite(at: VirtualSource.local(Double(index) * 0.1))
      drain.took(frames: room)
      taken += room
    }
    #expect(abs(Double(taken) / 48_000 - 100) < 1.5)
  }
}
