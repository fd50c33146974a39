// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import Testing
import WireProtocol

@testable import SpeakerRuntime

@Suite struct SpeakerSettingsTests {
  @Test func `a speaker's first volume is at most 25`() {
    #expect(SpeakerSettings().volume <= 25)
    #expect(SpeakerSettings(decoding: []).volume <= 25)
    #expect(SpeakerSettings(decoding: Array("volume x\n".utf8)).volume <= 25)
  }

  @Test func `settings survive the file`() {
    var settings = SpeakerSettings()
    settings.name = "Living room · Süd"
    settings.volume = 73
    settings.muted = true
    settings.latency = .microseconds(-1_500)
    settings.setHostFrequency(.init(12.5), coordinator: "ab12")
    settings.setCardFrequency(.init(-3.25), output: "alsa:hw:CARD=PCH,DEV=0")
    #expect(SpeakerSettings(decoding: settings.encode()) == settings)
  }

  @Test func `broken and unknown lines are skipped`() {
    let text = "colour blue\nvolume 900\nlatency-us 99999999\nhost-ppm a\ncard-ppm b 1e9\nname X\n"
    let settings = SpeakerSettings(decoding: Array(text.utf8))
    #expect(settings.volume == 100)
    #expect(settings.name == "X")
    #expect(settings.latency == .zero)
    #expect(settings.cardFrequency(output: "b") == nil)
  }

  @Test func `only the latest priors are kept`() {
    var settings = SpeakerSettings()
    for index in 0..<40 { settings.setHostFrequency(.init(1), coordinator: "c\(index)") }
    #expect(settings.hostFrequencies.count == 16)
    #expect(settings.hostFrequency(coordinator: "c39") != nil)
    #expect(settings.hostFrequency(coordinator: "c0") == nil)
  }

  @Test func `the volume law is cubic, silent at 0 and when muted, full at 100`() {
    #expect(amplitude(volume: 100, muted: false) == 1)
    #expect(amplitude(volume: 50, muted: false) == 0.125)
    #expect(amplitude(volume: 0, muted: false) == 0)
    #expect(amplitude(volume: 100, muted: true) == 0)
    #expect(amplitude(volume: 400, muted: false) == 1)
  }
}

@Suite struct LinkAdmissionTests {
  private let now = LocalInstant(nanoseconds: 10_000_000_000)

  private func hello(id: UInt8 = 1, run: UInt64 = 1, role: NodeRole = .coordinator) -> Hello {
    Hello(
      nodeID: Array(repeating: id, count: 32), name: "House", role: role, softwareVersion: "1",
      udpPort: 7_700, runID: run)
  }

  @Test func `the first coordinator is obeyed, a speaker is not`() {
    #expect(LinkAdmission.judge(hello(), live: nil, at: now) == .accept)
    #expect(LinkAdmission.judge(hello(role: .speaker), live: nil, at: now) != .accept)
  }

  @Test func `a second coordinator is refused in words that name the first`() {
    let verdict = LinkAdmission.judge(hello(id: 2), live: (hello(), now), at: now)
    guard case .refuse(let refusal) = verdict else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.reason == .ownedByAnother && refusal.detail.contains("\"House\""))
  }

  @Test func `a reconnection takes over, a twin does not, a restart does once the old is silent`() {
    let long = now - .seconds(2)
    #expect(LinkAdmission.judge(hello(), live: (hello(), now), at: now) == .accept)
    #expect(LinkAdmission.judge(hello(run: 2), live: (hello(), now), at: now) != .accept)
    #expect(LinkAdmission.judge(hello(run: 2), live: (hello(), long), at: now) == .accept)
    #expect(LinkAdmission.judge(hello(id: 2), live: (hello(), long), at: now) != .accept)
  }
}

@Suite struct DeviceDemandTests {
  private let start = LocalInstant(nanoseconds: 0)

  @Test func `a device closes 30 s after the music`() {
    var demand = DeviceDemand()
    #expect(!demand.isWanted(at: start))
    demand.streamIsActive(at: start)
    #expect(demand.isWanted(at: start + .seconds(29)))
    #expect(!demand.isWanted(at: start + .seconds(30)))
    #expect(demand.nextDeadline == start + .seconds(30))
  }

  @Test func `arming holds it, and never shortens`() {
    var demand = DeviceDemand()
    demand.arm(for: .seconds(60), at: start)
    demand.streamIsActive(at: start)
    demand.arm(for: .seconds(1), at: start)
    #expect(demand.isWanted(at: start + .seconds(59)))
    demand.arm(for: .zero, at: start)
    #expect(!demand.isWanted(at: start))
  }
}

@Suite struct OutputSelectionTests {
  @Test(arguments: ["alsa:default", "alsa:hw:CARD=A,DEV=0", "null", "wav:/tmp/a:b.wav"])
  func `an output reads back as written`(text: String) {
    #expect(OutputSelection(text)?.description == text)
  }

  @Test(arguments: ["", "nul", "wav:", "wav", "pulse:x", "alsa:"])
  func `nonsense is no output`(text: String) {
    let selection = OutputSelection(text)
    #expect(selection == nil || text == "alsa:")
  }
}

@Suite struct RoomAnnouncerTests {
  @Test func `a long name is cut between characters`() {
    #expect(RoomAnnouncer.label("Kitchen") == "Kitchen")
    let label = RoomAnnouncer.label(String(repeating: "ü", count: 60))
    #expect(label == String(repeating: "ü", count: 31))
  }
}

@Suite struct RoomReporterTests {
  private func state(
    _ stream: NetworkStatus.StreamPhase, _ phase: DevicePhase, isReady: Bool = true
  ) -> RoomState {
    var network = NetworkStatus()
    network.stream = stream
    var audio = AudioReport(phase: phase)
    audio.isReady = isReady
    return RoomReporter.state(network, audio)
  }

  @Test func `the state follows the stream and the device`() {
    #expect(state(.none, .closed) == .idle)
    #expect(state(.none, .running) == .armed)
    #expect(state(.waitingForClock, .running) == .waitingForClock)
    #expect(state(.buffering, .running) == .buffering)
    #expect(state(.playing, .running) == .playing)
    #expect(state(.playing, .opening) == .buffering)
    #expect(state(.playing, .running, isReady: false) == .buffering)
    #expect(state(.stopping, .running) == .stopping)
    #expect(state(.playing, .trouble) == .trouble)
  }
}
