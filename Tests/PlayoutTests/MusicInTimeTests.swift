// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import OpusCodec
import Playout
import RealtimeAudio
import Testing
import WireProtocol

/// A speaker without a network or a card: packets in, decoded by libopus, rendered out.
final class OpusRoom {
  static let blockFrames = 480

  let bank = LaneBank()
  var receiver = StreamReceiver()
  private(set) var output: [Float] = []
  private var renderer: Renderer
  private var decoders: [Int: Decoder] = [:]
  private let start: MediaFrame
  private var hasStarted = false

  /// One lane's decoder.
  private final class Decoder {
    private var opus: OpusDecoder

    init() throws { opus = try OpusDecoder() }

    func samples(of payload: [UInt8], frames: Int) throws -> [Float] {
      var samples = [Float](repeating: 0, count: 2 * frames)
      var span = samples.mutableSpan
      let count = try opus.decode(payload.span, into: &span)
      #expect(count == frames)
      return samples
    }

    func concealment(frames: Int) throws -> [Float] {
      var samples = [Float](repeating: 0, count: 2 * frames)
      var span = samples.mutableSpan
      _ = try opus.conceal(frames: frames, into: &span)
      return samples
    }
  }

  init(playingFrom start: MediaFrame) {
    self.start = start
    renderer = Renderer(bank: bank, deviceRate: 48_000)
    renderer.startGain(at: 1)
  }

  func receive(_ header: RTPHeader, _ payload: [UInt8]) {
    receiver.receive(
      header, payload: payload.span, at: LocalInstant(nanoseconds: 0),
      clock: header.timestamp.unwrapped(near: start))
  }

  /// Renders `count` blocks, decoding late before each.
  func play(blocks count: Int) throws {
    for _ in 0..<count {
      while let step = receiver.nextStep(bank.progress.read(), horizon: 2_400) {
        try carryOut(step)
      }
      let order = RenderOrder(
        jumpTo: hasStarted ? nil : MediaPosition(frame: start), schedule: receiver.schedule)
      hasStarted = true
      var block = [Float](repeating: 0, count: 2 * Self.blockFrames)
      block.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress {
          renderer.render(order, into: base, frames: Self.blockFrames)
        }
      }
      output += block
    }
  }

  private func carryOut(_ step: DecodeStep) throws {
    switch step {
    case .open(let lane, _, let from, let audible):
      decoders[lane] = try Decoder()
      bank[lane].open(from: from, firstAudible: audible)
    case .preroll(let lane, let payload, let frames):
      _ = try decoders[lane]?.samples(of: payload, frames: frames)
    case .decode(let lane, let payload, _, let frames, let envelope):
      append(try decoders[lane]?.samples(of: payload, frames: frames), envelope, to: lane)
    case .conceal(let lane, let frames, let envelope):
      append(try decoders[lane]?.concealment(frames: frames), envelope, to: lane)
    case .silence(let lane, let frames): bank[lane].appendSilence(frames)
    case .close(let lane): decoders[lane] = nil
    }
  }

  private func append(_ samples: [Float]?, _ envelope: StepEnvelope, to lane: Int) {
    guard var samples else { return }
    for index in samples.indices { samples[index] *= envelope.gain(at: index / 2) }
    bank[lane].append(samples.span)
  }
}

@Suite struct MusicInTimeTests {
  let source = PacketSource(ssrc: name(1), firstAudible: origin + 4_800)

  func music(_ frame: Int) -> Float {
    Float(0.3 * sin(2 * .pi * 440 * Double(frame) / 48_000))
      + Float(0.2 * sin(2 * .pi * 1_567 * Double(frame) / 48_000))
  }

  /// Encodes `count` packets of the music; frame 0 of it is due at `firstAudible`.
  func packets(_ count: Int) throws -> [(RTPHeader, [UInt8])] {
    var encoder = try OpusEncoder()
    return try (0..<count).map { index in
      let samples = (0..<960).flatMap { frame in
        let sample = music(index * 960 + frame)
        return [sample, sample]
      }
      var payload: [UInt8] = []
      try encoder.encode(samples.span, into: &payload)
      return (source.header(index), payload)
    }
  }

  /// Signal to noise in dB of the room's output against the music, from device frame `range`.
  func fidelity(_ room: OpusRoom, _ range: Range<Int>) -> Double {
    var (signal, noise) = (0.0, 0.0)
    for frame in range {
      let due = Double(music(frame - 4_800))
      let error = Double(room.output[2 * frame]) - due
      signal += due * due
      noise += error * error
    }
    return 10 * log10(signal / noise)
  }

  @Test func `encoded, sent, decoded and rendered music is heard on its very frame`() throws {
    let room = OpusRoom(playingFrom: origin)
    room.receiver.announce(source.announcement)
    for (header, payload) in try packets(60) { room.receive(header, payload) }
    try room.play(blocks: 100)
    #expect(room.output[..<9_600].allSatisfy { $0 == 0 })
    #expect(fidelity(room, 4_900..<40_000) > 30, "\(fidelity(room, 4_900..<40_000)) dB")
    #expect(room.bank.progress.read().underrunFrames == 0)
  }

  @Test func `a room that joins is in time and faithful soon`() throws {
    let room = OpusRoom(playingFrom: origin + 24_000)
    room.receiver.announce(source.announcement)
    for (header, payload) in try packets(60).dropFirst(15) { room.receive(header, payload) }
    try room.play(blocks: 50)
    var (signal, noise) = (0.0, 0.0)
    for frame in 9_600..<20_000 {
      let due = Double(music(frame + 24_000 - 4_800))
      signal += due * due
      noise += (Double(room.output[2 * frame]) - due) * (Double(room.output[2 * frame]) - due)
    }
    #expect(10 * log10(signal / noise) > 25)
  }

  @Test func `lost packets leave no click`() throws {
    let room = OpusRoom(playingFrom: origin)
    room.receiver.announce(source.announcement)
    let lost = [12, 25, 26, 40, 41, 42]
    for (index, packet) in try packets(60).enumerated() where !lost.contains(index) {
      room.receive(packet.0, packet.1)
    }
    try room.play(blocks: 100)
    let left = stride(from: 2 * 6_000, to: room.output.count - 8_000, by: 2).map { room.output[$0] }
    let own = (0..<10_000).reduce(Float(0)) { max($0, abs(music($1 + 1) - music($1))) }
    let worst = zip(left, left.dropFirst()).reduce(Float(0)) { max($0, abs($1.1 - $1.0)) }
    #expect(worst < 1.6 * own, "\(worst) against \(own)")
    #expect(room.receiver.counters.concealed == 6)
    #expect(room.bank.progress.read().underrunFrames == 0)
  }
}
