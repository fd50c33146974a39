// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import LinuxNetworking
import Testing
import WireProtocol

@testable import SpeakerRuntime

/// A speaker of a test's own, on a port and a directory of its own.
struct TestRoom {
  let speaker: Speaker
  let place: TemporaryDirectory
  let notes = Notebook()
  let wav: String

  init(_ place: TemporaryDirectory = TemporaryDirectory(), ppm: Double = 0) throws {
    self.place = place
    wav = "\(place.path)/room.wav"
    var configuration = SpeakerConfiguration()
    configuration.name = "Kitchen"
    configuration.listen = .loopback(port: 0)
    configuration.usesZeroconf = false
    configuration.output = .wav(path: wav, isFloat: true)
    configuration.simulatedCardPPM = ppm
    let state = try StateDirectory(path: "\(place.path)", program: "tutti-speaker")
    speaker = try Speaker(configuration, state: state, log: notes.log)
  }
}

@Suite(.serialized) struct ControlLinkTests {
  @Test func `the room greets, reports each second, and answers pings`() throws {
    let coordinator = try TestCoordinator()
    let room = try TestRoom()
    let link = try TestLink(to: room.speaker.address)
    try link.greet(coordinator)
    #expect(try link.read { $0.hello != nil && $0.lastReport != nil })
    let hello = try #require(link.hello)
    #expect(hello.name == "Kitchen" && hello.role == .speaker && hello.nodeID.count == 32)
    #expect(hello.volume.map { $0 <= 25 } == true)
    #expect(hello.udpPort == room.speaker.address.port)
    try link.send(.ping(77))
    #expect(try link.read { $0.received.contains(.pong(77)) })
    let reports = { (link: TestLink) in
      link.received.count { if case .stateReport = $0 { true } else { false } }
    }
    let before = reports(link)
    #expect(try link.read(within: .milliseconds(1_500)) { reports($0) > before })
    room.speaker.stop()
    #expect(
      try link.read { $0.received.contains { if case .goodbye = $0 { true } else { false } } })
    coordinator.stop()
  }

  @Test func `volume, mute, name and latency are obeyed, told and kept`() throws {
    let coordinator = try TestCoordinator()
    let place = TemporaryDirectory()
    var room: TestRoom? = try TestRoom(place)
    let link = try TestLink(to: try #require(room).speaker.address)
    try link.greet(coordinator)
    try link.send(.setVolume(SetVolume(volume: 61, muted: true, serial: 5)))
    try link.send(.setName(SetName(name: "Pantry")))
    try link.send(.setLatency(SetLatency(latency: .milliseconds(-3))))
    #expect(
      try link.read {
        $0.lastReport?.volumeSerial == 5 && $0.lastReport?.latencySetting == .milliseconds(-3)
      })
    #expect(link.lastReport?.volume == 61 && link.lastReport?.muted == true)
    room?.speaker.stop()
    room = nil
    let state = try StateDirectory(path: place.path, program: "tutti-speaker")
    let kept = SpeakerSettings(decoding: try state.read(settingsFile) ?? [])
    #expect(kept.volume == 61 && kept.muted && kept.name == "Pantry")
    #expect(kept.latency == .milliseconds(-3))
    coordinator.stop()
  }

  @Test func `a second coordinator is refused in words, the first stays`() throws {
    let coordinator = try TestCoordinator()
    let room = try TestRoom()
    let first = try TestLink(to: room.speaker.address)
    try first.greet(coordinator)
    #expect(try first.read { $0.hello != nil })
    let second = try TestLink(to: room.speaker.address)
    try second.greet(coordinator, id: 4)
    #expect(try second.read { $0.refusal != nil })
    #expect(second.refusal?.reason == .ownedByAnother)
    #expect(second.refusal?.detail.contains("\"House\"") == true)
    try first.send(.ping(3))
    #expect(try first.read { $0.received.contains(.pong(3)) })
    room.speaker.stop()
    coordinator.stop()
  }

  @Test func `garbage clients are dropped, the coordinator is served`() throws {
    let coordinator = try TestCoordinator()
    let room = try TestRoom()
    let link = try TestLink(to: room.speaker.address)
    try link.greet(coordinator)
    #expect(try link.read { $0.hello != nil })
    for round in UInt8(0)..<20 {
      let garbage = try TestLink(to: room.speaker.address)
      try? garbage.send(raw: (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) &+ round })
      #expect(try garbage.read { $0.hasEnded } || garbage.hasEnded)
    }
    try link.send(.ping(4))
    #expect(try link.read { $0.received.contains(.pong(4)) })
    room.speaker.stop()
    coordinator.stop()
  }

  @Test func `arming opens the device, and the room says so`() throws {
    let coordinator = try TestCoordinator()
    let room = try TestRoom()
    let link = try TestLink(to: room.speaker.address)
    try link.greet(coordinator)
    #expect(try link.read { $0.lastReport?.state == .idle })
    try link.send(.arm(Arm()))
    #expect(try link.read { $0.lastReport?.state == .armed && $0.lastReport?.readyIn == .zero })
    #expect(try link.read { $0.lastReport?.clockBound != nil })
    room.speaker.stop()
    coordinator.stop()
  }
}
