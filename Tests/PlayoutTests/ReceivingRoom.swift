// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import RealtimeAudio
import WireProtocol

/// One generation as a coordinator would send it, with a payload that only says its length.
struct PacketSource {
  static let packetFrames: Int64 = 960
  static let lookAhead: Int64 = 312

  var ssrc: SSRC
  var firstAudible: MediaFrame
  var firstSequence: UInt16 = 0
  /// Whether lost packets may be asked for.
  var repairs = false
  /// The clock that stamps it.
  var clockID = ClockID(rawValue: 1)

  var announcement: StreamAnnounce {
    StreamAnnounce(
      groupID: "home", ssrc: ssrc, clockID: clockID, clockPort: 7_700,
      lookAheadFrames: UInt32(Self.lookAhead), firstAudible: firstAudible,
      delayRamp: DelayRamp(constant: .seconds(6)), firstSequence: firstSequence,
      retransmission: repairs ? ssrc.retransmission : nil)
  }

  func stamp(_ index: Int) -> MediaFrame {
    firstAudible - Self.lookAhead + Int64(index) * Self.packetFrames
  }

  func header(_ index: Int) -> RTPHeader {
    RTPHeader(
      payloadType: RTPHeader.opusPayloadType, marker: index == 0,
      sequence: firstSequence &+ UInt16(truncatingIfNeeded: index),
      timestamp: RTPTimestamp(stamp(index)), ssrc: ssrc)
  }

  /// CELT, full band, 20 ms, stereo, one frame (RFC 6716 section 3.1), and the packet's number.
  func payload(_ index: Int) -> [UInt8] { [0xFC, UInt8(truncatingIfNeeded: index)] }
}

/// What a room's loudspeaker gave at one moment.
enum Heard: Hashable {
  case silence
  case music(SSRC)
  case concealment
  case fillerSilence
  /// A lane was to sound but had nothing: an underrun.
  case missing
}

/// A receiver, the lanes it fills and the playhead that consumes them, without any sound.
struct ReceivingRoom {
  /// What one lane holds, in pieces of 120 frames.
  struct Lane {
    var ssrc: SSRC
    var start: MediaFrame
    var firstAudible: MediaFrame
    var pieces: [Heard] = []
    var end: MediaFrame { start + Int64(pieces.count) * 120 }

    func heard(at frame: MediaFrame) -> Heard {
      if frame < firstAudible { return .silence }
      let index = (frame - start) / 120
      return frame >= start && index < Int64(pieces.count) ? pieces[Int(index)] : .missing
    }
  }

  var receiver = StreamReceiver()
  var playhead: MediaFrame?
  var horizon: Int64 = 2_400
  private(set) var lanes: [Int: Lane] = [:]
  private(set) var steps: [DecodeStep] = []
  private(set) var heard: [(frame: MediaFrame, sound: Heard)] = []
  private(set) var problems: [String] = []

  init(playhead: MediaFrame?) { self.playhead = playhead }

  mutating func deliver(_ source: PacketSource, _ index: Int, clock: MediaFrame? = nil) {
    receive(
      source.header(index), source.payload(index), clock: clock ?? playhead.map { $0 + 288_000 })
    work()
  }

  mutating func receive(_ header: RTPHeader, _ payload: [UInt8], clock: MediaFrame?) {
    receiver.receive(
      header, payload: payload.span, at: LocalInstant(nanoseconds: 0), clock: clock)
  }

  /// Delivers a burst, as one call of recvmmsg does.
  mutating func deliver(_ source: PacketSource, _ indices: Range<Int>) {
    for index in indices {
      receive(source.header(index), source.payload(index), clock: playhead.map { $0 + 288_000 })
    }
    work()
  }

  /// Lets `frames` frames of the device pass.
  mutating func play(_ frames: Int64) {
    guard let start = playhead else { return }
    for offset in stride(from: Int64(0), to: frames, by: 120) {
      work()
      heard.append((start + offset, sound(at: start + offset)))
      playhead = start + offset + 120
    }
    work()
  }

  /// Plays up to `frame`.
  mutating func play(to frame: MediaFrame) {
    if let playhead { play(frame - playhead) }
  }

  /// The distinct sounds of what was heard in `range`, in order.
  func sounds(in range: Range<MediaFrame>) -> [Heard] {
    var result: [Heard] = []
    for (frame, sound) in heard where range.contains(frame) && result.last != sound {
      result.append(sound)
    }
    return result
  }

  var everything: [Heard] {
    sounds(in: MediaFrame(index: .min)..<MediaFrame(index: .max))
  }

  /// The first frame at which `sound` was heard.
  func first(_ sound: Heard) -> MediaFrame? { heard.first { $0.sound == sound }?.frame }

  private func sound(at frame: MediaFrame) -> Heard {
    let cues = (0..<receiver.schedule.count).map { receiver.schedule[$0] }
    guard let cue = cues.last(where: { $0.start <= frame }), cue.lane >= 0 else { return .silence }
    return lanes[Int(cue.lane)]?.heard(at: frame) ?? .missing
  }

  mutating func work() {
    let inUse = receiver.schedule.lanes
    while let step = receiver.nextStep(
      RenderReading(playhead: playhead, lanesInUse: inUse), horizon: horizon)
    {
      steps.append(step)
      carryOut(step)
      if steps.count > 100_000 {
        problems.append("the receiver never rests")
        return
      }
    }
  }

  private mutating func carryOut(_ step: DecodeStep) {
    switch step {
    case .open(let lane, let ssrc, let from, let audible):
      if lanes[lane] != nil { problems.append("lane \(lane) opened while in use") }
      lanes[lane] = Lane(ssrc: ssrc, start: from, firstAudible: audible)
    case .preroll: break
    case .decode(let lane, _, let frame, let frames, _):
      if lanes[lane]?.end != frame { problems.append("lane \(lane) is not contiguous at \(frame)") }
      append(lanes[lane].map { .music($0.ssrc) } ?? .missing, frames, to: lane)
    case .conceal(let lane, let frames, _): append(.concealment, frames, to: lane)
    case .silence(let lane, let frames): append(.fillerSilence, frames, to: lane)
    case .close(let lane): lanes[lane] = nil
    }
  }

  private mutating func append(_ piece: Heard, _ frames: Int, to lane: Int) {
    if lanes[lane] == nil { problems.append("lane \(lane) is not open") }
    lanes[lane]?.pieces += Array(repeating: piece, count: frames / 120)
  }
}

extension LaneSchedule {
  /// Every lane named, one bit each.
  var lanes: UInt32 {
    (0..<count).reduce(0) { $0 | (self[$1].lane >= 0 ? 1 << UInt32(self[$1].lane) : 0) }
  }
}

/// An arbitrary place whose packets lie on multiples of 120 frames.
let origin = MediaFrame(index: 190_000_000_000_080 / 120 * 120 + 312)

/// Session 0x1234, the given generation.
func name(_ generation: UInt16) -> SSRC { SSRC(session: 0x1234, generation: generation) }
