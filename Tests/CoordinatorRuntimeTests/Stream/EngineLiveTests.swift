// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import DecoderProtocol
import Foundation
import Glibc
import House
import LinuxNetworking
import Testing
import WireProtocol

@testable import CoordinatorRuntime

/// A live input of an engine: the pipe, and a writer without a clock.
private final class LiveRig {
  let path = FileManager.default.temporaryDirectory.appending(path: "tutti-pipe-\(UUID())").path
  let input: PipeInput
  let rig: EngineRig
  let mode: AdaptiveDelay.Mode
  private var writer: Int32 = -1

  init(_ mode: AdaptiveDelay.Mode = .live, tracks: [Int: TestTrack] = [:]) throws {
    self.mode = mode
    input = try PipeInput(
      InputConfiguration(name: "tv", path: path, delay: mode), log: .discarding)
    rig = try EngineRig(tracks, inputs: LiveInputs([input]))
  }

  /// Opens the pipe for writing and fills it: 0.34 s of a constant, which is heard as a step.
  func write(seconds: Double = 0.3) {
    if writer < 0 { writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
    let frame: [UInt8] = [0, 0x40, 0, 0x40]
    let bytes = [UInt8](repeatElement(frame, count: Int(seconds * 48_000)).joined())
    _ = bytes.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
  }

  func leave() {
    close(writer)
    writer = -1
  }

  var request: TrackRequest {
    TrackRequest(
      itemID: ItemID(rawValue: 9), source: .input(LiveTrack(name: "tv", delay: mode)))
  }

  func end() async {
    await rig.end()
    input.stop()
    unlink(path)
  }
}

@Suite(.serialized) struct EngineLiveTests {
  @Test func `silence is sent at its stamp while nobody writes, and no generation is wasted`()
    async throws
  {
    let live = try LiveRig()
    live.rig.engine.play(live.request)
    let announce = try await live.rig.generation()
    #expect(announce.delayRamp == DelayRamp(constant: .milliseconds(400)))
    #expect(announce.deviceFill == nil)
    let packets = try await live.rig.receive(100, of: announce.ssrc)
    for (index, packet) in packets.enumerated() {
      #expect(packet.header.sequence == UInt16(index))
    }
    // As each is made, not ahead and not in a burst.
    let first = try #require(packets.first?.arrival)
    let last = try #require(packets.last?.arrival)
    #expect(last - first > .milliseconds(1_900))
    #expect(live.rig.engine.status.announce?.ssrc == announce.ssrc)
    await live.end()
  }

  @Test func `what is written is heard, also after the writer has come back`() async throws {
    let live = try LiveRig()
    live.rig.engine.play(live.request)
    let announce = try await live.rig.generation()
    for _ in 0..<2 {
      live.write()
      var heard = false
      for _ in 0..<400 where !heard {
        let packet = try await live.rig.receive(1, of: announce.ssrc)[0]
        // Silence is three octets or so in VBR.
        heard = packet.payload.count > 20
      }
      #expect(heard)
      live.leave()
      _ = try await live.rig.receive(60, of: announce.ssrc)
    }
    await live.end()
  }

  @Test func `short delays have short packets and little in the device`() async throws {
    let live = try LiveRig(.lowDelay)
    live.rig.engine.play(live.request)
    let announce = try await live.rig.generation()
    #expect(announce.delayRamp.d1 == .milliseconds(60))
    #expect(announce.deviceFill == .milliseconds(25))
    let packets = try await live.rig.receive(40, of: announce.ssrc)
    let stamps = packets.map(\.header.timestamp.rawValue)
    #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $1 &- $0 == 240 })
    await live.end()
  }

  @Test func `another delay begins only after a fade, both ways`() async throws {
    let live = try LiveRig(tracks: [1: TestTrack(frames: 48_000 * 60)])
    let rig = live.rig
    rig.engine.play(rig.track(1))
    let stored = try await rig.generation()
    _ = try await rig.receive(20, of: stored.ssrc)
    rig.engine.play(live.request)
    let flush = try await rig.flush()
    #expect(flush.ssrc == stored.ssrc)
    let announce = try await rig.generation()
    let faded = stored.delayRamp.heardTime(of: flush.fromFrame) + .milliseconds(25)
    #expect(announce.delayRamp.heardTime(of: announce.firstAudible) > faded)
    _ = try await rig.receive(20, of: announce.ssrc)
    rig.engine.play(rig.track(1))
    let second = try await rig.flush()
    #expect(second.ssrc == announce.ssrc)
    let again = try await rig.generation()
    #expect(again.delayRamp == stored.delayRamp)
    #expect(
      again.delayRamp.heardTime(of: again.firstAudible)
        > announce.delayRamp.heardTime(of: second.fromFrame) + .milliseconds(25))
    await live.end()
  }

  @Test func `the delay follows what rooms tell, in steps at a gap and in ramps else`() async throws
  {
    let live = try LiveRig()
    let rig = live.rig
    rig.engine.play(live.request)
    let announce = try await rig.generation()
    func tell(late: Int64, missed: Int = 0) {
      rig.engine.heed([
        "room 0": DeliveryReport(
          outputLatency: .milliseconds(45), lateness: .milliseconds(late), missed: missed)
      ])
    }
    func changed() async throws -> StreamAnnounce {
      try await rig.event { if case .delayChanged(let announce) = $0 { announce } else { nil } }
    }
    tell(late: 395)
    let ramp = try await changed()
    #expect(ramp.ssrc == announce.ssrc)
    #expect(ramp.delayRamp.d0 == .milliseconds(400))
    #expect(ramp.delayRamp.d1 == .milliseconds(500))
    #expect(ramp.delayRamp.slope.value > 0)
    tell(late: 800, missed: 3)
    let step = try await changed()
    #expect(
      step.delayRamp
        == DelayRamp(
          t0: step.delayRamp.t0, d0: .milliseconds(905),
          d1: .milliseconds(905), slope: PartsPerMillion(0)))
    #expect(rig.engine.status.delay == step.delayRamp)
    _ = try await rig.receive(20, of: announce.ssrc)
    await live.end()
  }

  @Test func `an input that nobody gave is a failed track`() async throws {
    let live = try LiveRig()
    live.rig.engine.play(
      TrackRequest(
        itemID: ItemID(rawValue: 4), source: .input(LiveTrack(name: "radio", delay: .live))))
    let failure = try await live.rig.event {
      if case .trackFailed(let id, let failure) = $0 { (id, failure) } else { nil }
    }
    #expect(failure.0 == ItemID(rawValue: 4))
    #expect(failure.1.text.contains("radio"))
    await live.end()
  }

  @Test func `a file that is no pipe, and a folder that is not there, are refused`() throws {
    for path in ["/etc/hostname", "/nowhere/at/all"] {
      #expect(throws: ProcessError.self) {
        try PipeInput(InputConfiguration(name: "a", path: path), log: .discarding)
      }
    }
  }

  @Test func `frames are put together from any pieces`() {
    let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var whole: [Float] = []
    var assembler = FrameAssembler()
    assembler.take(bytes[...], into: &whole)
    var pieces: [Float] = []
    var at = 0
    while at < bytes.count {
      let end = min(bytes.count, at + at % 5 + 1)
      assembler.take(bytes[at..<end], into: &pieces)
      at = end
    }
    #expect(whole.count == 200)
    #expect(pieces == whole)
    assembler.take([1, 2, 3], into: &pieces)
    assembler.forget()
    assembler.take([0, 0x40, 0, 0xC0], into: &pieces)
    #expect(pieces.suffix(2) == [0.5, -0.5])
  }
}
