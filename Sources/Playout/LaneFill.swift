// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// The decoding of one generation into one lane, a step at a time.
//
//   playhead        end             playhead + horizon
//      |-- decoded --|-- to be decoded --|           frames
//
// A packet that is missing is waited for until the lane holds only `patience` more; then one packet's
// length is concealed. libopus's concealment is faded to zero by 100 ms, where it would jump back to
// noise; silence follows; after one packet of silence with nothing behind the lane is starved, and the
// receiver closes it.

/// How far a lane is filled and what it needs next.
struct LaneFill {
  /// Give up on a packet when the lane holds no more than this: 15 ms, one block and the filter.
  static var patience: Int64 { 720 }
  /// Concealment is silent after this: 100 ms.
  private static var concealmentFrames: Int64 { 4_800 }
  /// The return from concealment: 10 ms.
  private static var returnFrames: Int64 { 480 }
  /// libopus conceals in multiples of 2.5 ms.
  private static var concealmentUnit: Int64 { 120 }
  /// An ordinary packet, when none has been seen: 20 ms.
  private static var ordinaryPacket: Int64 { 960 }

  let lane: Int
  /// The first frame appended; what came before is not wanted any more.
  let start: MediaFrame
  /// The lane ends here: the first frame that is not decoded.
  private(set) var end: MediaFrame
  /// Nothing arrived for 100 ms and nothing lies behind: close the lane.
  private(set) var isStarved = false
  /// What was concealed lately, to tell late packets from duplicates.
  private var concealed: [(start: MediaFrame, length: Int64)] = []

  private var runUp: ArraySlice<EncodedPacket>
  private var gain: Float = 1
  private var gapFrames: Int64 = 0
  private var packetFrames = Self.ordinaryPacket
  /// The newest packet that was given to the decoder.
  private(set) var lastSequence: UInt16?

  /// A fill that begins at `start`, after decoding `runUp` for nothing.
  ///
  /// - Parameters:
  ///   - lane: Where to.
  ///   - start: The first frame appended.
  ///   - runUp: The packets right before it.
  ///   - lastSequence: Where an earlier lane of this generation starved: what lies between is lost.
  init(
    lane: Int, start: MediaFrame, runUp: ArraySlice<EncodedPacket>, lastSequence: UInt16? = nil
  ) {
    self.lane = lane
    self.lastSequence = lastSequence
    self.start = start
    end = start
    self.runUp = runUp
  }

  /// The next thing to do.
  ///
  /// - Parameters:
  ///   - buffer: The generation's packets.
  ///   - playhead: The next frame that the audio thread will read.
  ///   - limit: Decode no further than this.
  ///   - ending: Where the music ends by itself, when that is known.
  ///   - counters: Losses and concealment are added.
  /// - Returns: Nil when the lane is full enough, or a packet is worth waiting for.
  mutating func nextStep(
    _ buffer: JitterBuffer, playhead: MediaFrame, limit: MediaFrame, ending: MediaFrame? = nil,
    counters: inout ReceptionCounters
  ) -> DecodeStep? {
    if let packet = runUp.popFirst() {
      follow(packet.sequence, counters: &counters)
      return .preroll(lane: lane, payload: packet.payload, frames: Int(packet.frames))
    }
    guard end < limit, !isStarved else { return nil }
    let next = buffer.packet(atOrAfter: end)
    if let next, next.stamp == end { return decode(next, counters: &counters) }
    guard end - playhead < Self.patience else { return nil }
    // What is past already needs no concealment, only a place in the lane once more has come.
    if next == nil, end + packetFrames <= playhead { return nil }
    return bridge(to: next, ending: next == nil ? ending : nil, counters: &counters)
  }

  private mutating func decode(
    _ packet: EncodedPacket, counters: inout ReceptionCounters
  ) -> DecodeStep {
    follow(packet.sequence, counters: &counters)
    let ramp = min(packet.frames, Self.returnFrames)
    let envelope =
      gain == 1 ? .unity : StepEnvelope(from: gain, to: 1, frames: Int(ramp))
    defer {
      end = packet.end
      packetFrames = packet.frames
      (gain, gapFrames) = (1, 0)
    }
    return .decode(
      lane: lane, payload: packet.payload, at: end, frames: Int(packet.frames), envelope: envelope)
  }

  /// Counts what is missing between the last packet and this one.
  private mutating func follow(_ sequence: UInt16, counters: inout ReceptionCounters) {
    let between = lastSequence.map { Int16(truncatingIfNeeded: sequence &- $0 &- 1) } ?? 0
    counters.lost += UInt64(max(0, between))
    lastSequence = sequence
  }

  /// Whether `frame` was concealed lately.
  func hasConcealed(_ frame: MediaFrame) -> Bool {
    concealed.contains { (0..<$0.length).contains(frame - $0.start) }
  }

  /// Fills one packet's length of a gap.
  private mutating func bridge(
    to next: EncodedPacket?, ending: MediaFrame?, counters: inout ReceptionCounters
  ) -> DecodeStep? {
    let gap = next.map { $0.stamp - end } ?? .max
    let isOver = gapFrames >= Self.concealmentFrames + packetFrames && next == nil
    if isOver {
      isStarved = true
      return nil
    }
    let length = min(gap, packetFrames)
    remember(length)
    counters.concealed += 1
    // What the decoder makes up does not end when the music would have: it is gone by then.
    let untilEnding = ending.map { $0 - (end - length) } ?? .max
    let fading = min(Self.concealmentFrames - gapFrames, untilEnding)
    gapFrames += length
    // A rest that libopus cannot conceal, and all that comes after the fade, is silence.
    guard fading > 0, length % Self.concealmentUnit == 0 else {
      gain = 0
      return .silence(lane: lane, frames: Int(length))
    }
    let start = gain
    gain = start * max(0, 1 - Float(length) / Float(fading))
    return .conceal(
      lane: lane, frames: Int(length),
      envelope: StepEnvelope(from: start, to: gain, frames: Int(min(length, fading))))
  }

  private mutating func remember(_ length: Int64) {
    concealed.append((end, length))
    // 16 packets: a third of a second, longer than any packet that comes late is late.
    if concealed.count > 16 { concealed.removeFirst() }
    end = end + length
  }
}
