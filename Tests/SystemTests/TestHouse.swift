// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// A coordinator and speakers of the real programs on loopback, without zeroconf.
final class TestHouse {
  let place: Workplace
  let coordinatorPort = TestPorts.take()
  private(set) var coordinator: RunningProgram?
  private(set) var speakers: [String: RunningProgram] = [:]
  private var speakerPorts: [(name: String, port: UInt16)] = []

  /// Live inputs by name; the pipe of `tv` is `tv.pipe`.
  private let inputs: [String]

  init(rooms: [String], inputs: [String] = []) throws {
    place = try Workplace()
    self.inputs = inputs
    try FileManager.default.createDirectory(
      at: place.url.appending(path: "music"), withIntermediateDirectories: true)
    speakerPorts = rooms.map { ($0, TestPorts.take()) }
    for room in rooms { try startSpeaker(room) }
    try startCoordinator()
  }

  deinit {
    coordinator?.process.terminate()
    coordinator?.process.waitUntilExit()
    for speaker in speakers.values {
      speaker.process.terminate()
      speaker.process.waitUntilExit()
    }
  }

  func startSpeaker(_ room: String) throws {
    guard let port = speakerPorts.first(where: { $0.name == room })?.port else { return }
    speakers[room] = try RunningProgram(
      "tutti-speaker",
      [
        "--state-dir", place.path("speaker-\(room)"), "--name", room, "--output",
        "wav:\(place.path(room)).wav", "--listen", "127.0.0.1", "--port", "\(port)", "--pair",
        "automatic", "--no-zeroconf",
      ])
  }

  func startCoordinator() throws {
    var arguments = [
      "--state-dir", place.path("coordinator"), "--music", place.path("music"), "--name", "Test",
      "--listen", "127.0.0.1", "--port", "\(coordinatorPort)", "--pairing", "automatic",
      "--no-zeroconf",
    ]
    for (_, port) in speakerPorts { arguments += ["--speaker", "127.0.0.1:\(port)"] }
    for name in inputs { arguments += ["--input", "\(name)=pipe:\(place.path(name)).pipe"] }
    coordinator = try RunningProgram("tutti-coordinator", arguments)
  }

  /// Makes a file of music with ffmpeg's own sources and returns its path.
  func music(_ name: String, seconds: Int, frequency: Int = 440, inLibrary: Bool = true) throws
    -> String
  {
    let path = inLibrary ? place.path("music/\(name)") : place.path(name)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
    process.arguments = [
      "-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=\(frequency):duration=\(seconds)",
      "-ar", "44100", "-ac", "2", path,
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "ffmpeg could not make \(path)")
    return path
  }

  /// Runs `tutti` to its end.
  @discardableResult
  func tutti(_ arguments: String...) throws -> (code: Int32?, text: String) {
    let run = try RunningProgram(
      "tutti", ["--server", "unix:\(place.path("coordinator/control.sock"))"] + arguments)
    let code = run.exitCode()
    return (code, run.text)
  }

  /// The house's state, asked for until it satisfies `wanted` or the time is up.
  func state(
    within seconds: Double = 20, _ wanted: (StateDocument) -> Bool
  ) throws -> StateDocument {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      let answer = try tutti("--json", "status")
      let state = try? JSONDecoder().decode(StateDocument.self, from: Data(answer.text.utf8))
      if let state, wanted(state) || Date() > deadline { return state }
      if Date() > deadline { throw NoState(answer: answer.text) }
      poll(nil, 0, 100)
    }
  }

  /// Whether `count` rooms were connected within the usual patience.
  func untilRoomsAppear(_ count: Int) -> Bool {
    let seen = try? state { state in state.rooms.count { $0.isConnected } == count }
    return seen?.rooms.count { $0.isConnected } == count
  }

  /// Kills the coordinator and starts it again at once.
  func restartCoordinator(with signal: Int32) throws {
    if let process = coordinator?.process {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
    }
    try startCoordinator()
  }

  func killSpeaker(_ room: String) throws {
    guard let process = speakers[room]?.process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// The coordinator never gave a state that could be read.
struct NoState: Error {
  let answer: String
}
