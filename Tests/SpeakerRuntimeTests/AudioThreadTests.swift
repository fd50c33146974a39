// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import DaemonProcess
import LinuxNetworking
import Playout
import RealtimeAudio
import Testing
import WireProtocol

@testable import SpeakerRuntime

@Suite(.serialized) struct AudioThreadTests {
  /// A desk and a thread that records on a card which is off by `ppm`.
  private func record(
    to path: String, ppm: Double, notes: Notebook, _ body: (AudioDesk) throws -> Void
  ) throws {
    let desk = try AudioDesk()
    let device = try OutputDevice(
      .wav(path: path, isFloat: true), simulated: PartsPerMillion(ppm))
    let work = AudioThreadBox(
      AudioThread(device: device, desk: desk, prior: nil, log: notes.log, changed: {}))
    let thread = try NamedThread("test-audio", log: .discarding) { work.run() }
    try body(desk)
    desk.quit()
    thread.join()
  }

  @Test(arguments: [0.0, 40, -120])
  func `the first frame of a lane is heard on its sample`(ppm: Double) throws {
    let place = TemporaryDirectory()
    let path = "\(place.path)/room.wav"
    let notes = Notebook()
    var due = LocalInstant(nanoseconds: 0)
    try record(to: path, ppm: ppm, notes: notes) { desk in
      desk.setWanted(true)
      _ = try eventually { notes.recordingStart != nil }
      let map = ClockMap(
        anchorLocal: LocalClock.now(),
        anchorMedia: MediaInstant(nanosecondsSince1900: 4_000_000_000_000_000_000),
        clockID: ClockID(rawValue: 1))
      let first = MediaFrame(map.media(at: LocalClock.now() + .milliseconds(700)))
      due = map.local(at: first.instant)
      var schedule = LaneSchedule()
      schedule.append(LaneCue(serial: 1, lane: 0, start: first, fadeFrames: 0))
      desk.bank[0].open(from: first, firstAudible: first)
      let loud = [Float](repeating: 0.5, count: 2 * 9_600)
      desk.bank[0].append(loud.span)
      desk.snapshots.store(
        PlayoutSnapshot(clockMap: map, gain: 1, schedule: schedule))
      try letPass(.milliseconds(800))
    }
    let recording = Recording(path: path)
    let start = try #require(notes.recordingStart)
    let onset = try #require(recording.left.firstIndex { $0 > 0.25 })
    let expected = (due - start).inSeconds * 48_000 * (1 + ppm * 1e-6)
    // The step passes half its height on the very frame it is due; 1 frame is 21 us.
    #expect(abs(Double(onset) - expected) < 2.5)
    #expect(recording.left.count == recording.right.count)
    #expect(recording.declaredBytes == recording.actualBytes)
  }

  @Test func `silence is silence, and the file keeps time over a pause`() throws {
    let place = TemporaryDirectory()
    let path = "\(place.path)/room.wav"
    let notes = Notebook()
    var stopped = LocalInstant(nanoseconds: 0)
    try record(to: path, ppm: 0, notes: notes) { desk in
      desk.setWanted(true)
      try letPass(.milliseconds(150))
      desk.setWanted(false)
      try letPass(.milliseconds(150))
      desk.setWanted(true)
      try letPass(.milliseconds(150))
      stopped = LocalClock.now()
    }
    let recording = Recording(path: path)
    let start = try #require(notes.recordingStart)
    let expected = (stopped - start).inSeconds * 48_000
    #expect(recording.left.allSatisfy { $0 == 0 })
    #expect(abs(Double(recording.left.count) - expected) < 2_400)
  }

  @Test func `a bad path is refused at once`() {
    let error = #expect(throws: ProcessError.self) {
      _ = try OutputDevice(
        .wav(path: "/nowhere/x.wav", isFloat: false), simulated: PartsPerMillion(0))
    }
    #expect(error?.description.contains("/nowhere/x.wav") == true)
  }
}
