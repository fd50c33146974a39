// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing

/// What the programs say, and how they end, when a person gets something wrong.
@Suite(.serialized) struct BadInputTests {
  @Test(arguments: ["tutti", "tutti-speaker", "tutti-coordinator"])
  func `an unknown flag is a usage error that names it`(program: String) throws {
    let run = try RunningProgram(program, ["--no-such-flag"])
    #expect(run.exitCode() == 2)
    #expect(run.text.contains("--no-such-flag"), "\(run.text)")
  }

  @Test(arguments: ["tutti", "tutti-speaker", "tutti-coordinator", "tutti-decoder"])
  func `every program says its version`(program: String) throws {
    let run = try RunningProgram(program, ["--version"])
    #expect(run.exitCode() == 0)
    #expect(run.text.contains(program), "\(run.text)")
  }

  @Test(arguments: ["tutti", "tutti-speaker", "tutti-coordinator"])
  func `every program helps`(program: String) throws {
    let run = try RunningProgram(program, ["--help"])
    #expect(run.exitCode() == 0)
    #expect(run.text.lowercased().contains("usage"), "\(run.text)")
  }

  @Test func `a mistyped command is answered with the right one`() throws {
    let run = try RunningProgram("tutti", ["pasue"])
    #expect(run.exitCode() == 2)
    #expect(run.text.contains("pause"), "\(run.text)")
  }

  @Test func `an unreachable coordinator is exit 3 and says what to try`() throws {
    let run = try RunningProgram("tutti", ["--server", "unix:/nowhere/control.sock", "status"])
    #expect(run.exitCode() == 3)
    #expect(run.text.contains("/nowhere/control.sock"), "\(run.text)")
    #expect(run.text.contains("tutti-coordinator"), "\(run.text)")
  }

  @Test func `the environment names the coordinator, and nonsense in it is a usage error`() throws {
    let run = try RunningProgram("tutti", ["status"], environment: ["TUTTI_SERVER": "nas:7700"])
    #expect(run.exitCode() == 2)
    #expect(run.text.contains("'nas:7700'"), "\(run.text)")
    let gone = try RunningProgram(
      "tutti", ["status"], environment: ["TUTTI_SERVER": "http://127.0.0.1:1"])
    #expect(gone.exitCode() == 3)
  }

  @Test func `no coordinator anywhere is exit 3 and says where was looked`() throws {
    let place = try Workplace()
    let run = try RunningProgram(
      "tutti", ["status"],
      environment: [
        "HOME": place.url.path, "XDG_STATE_HOME": "", "STATE_DIRECTORY": "",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(place.path("nobus"))",
      ])
    #expect(run.exitCode() == 3)
    #expect(run.text.contains("control.sock") && run.text.contains("network"), "\(run.text)")
  }

  @Test func `a music folder that is not there is named`() throws {
    let place = try Workplace()
    let run = try RunningProgram(
      "tutti-coordinator",
      [
        "--state-dir", place.path("c"), "--music", place.path("absent"), "--no-zeroconf",
        "--port", "\(TestPorts.take())", "--listen", "127.0.0.1",
      ])
    #expect(run.exitCode() != 0)
    #expect(run.text.contains(place.path("absent")), "\(run.text)")
  }

  @Test func `a second speaker on a state folder refuses`() throws {
    let place = try Workplace()
    let first = try speaker(place, port: TestPorts.take())
    #expect(first.line(containing: "listens on") != nil, "\(first.text)")
    let second = try speaker(place, port: TestPorts.take())
    #expect(second.exitCode() == 1)
    #expect(second.text.contains(place.path("s")), "\(second.text)")
    #expect(first.stop() == 0, "\(first.text)")
  }

  @Test func `a port in use is named with what to do`() throws {
    let port = TestPorts.take()
    let (one, two) = (try Workplace(), try Workplace())
    let first = try speaker(one, port: port)
    #expect(first.line(containing: "listens on") != nil, "\(first.text)")
    let second = try speaker(two, port: port)
    #expect(second.exitCode() == 1)
    #expect(second.text.contains("\(port)") && second.text.contains("--port"), "\(second.text)")
    #expect(first.stop() == 0)
  }

  @Test func `an output that is not there lists what there is`() throws {
    let place = try Workplace()
    let run = try speaker(place, port: TestPorts.take(), output: "alsa:no-such-card")
    #expect(run.line(containing: "no-such-card") != nil, "\(run.text)")
    #expect(run.line(containing: "--output null") != nil, "\(run.text)")
    _ = run.stop()
  }

  @Test func `an output of an unknown kind is a usage error`() throws {
    let place = try Workplace()
    let run = try speaker(place, port: TestPorts.take(), output: "jack:system")
    #expect(run.exitCode() == 2)
    #expect(run.text.contains("alsa:") && run.text.contains("null"), "\(run.text)")
  }

  private func speaker(
    _ place: Workplace, port: UInt16, output: String = "null"
  ) throws -> RunningProgram {
    try RunningProgram(
      "tutti-speaker",
      [
        "--state-dir", place.path("s"), "--name", "Kitchen", "--output", output, "--listen",
        "127.0.0.1", "--port", "\(port)", "--pair", "automatic", "--no-zeroconf",
      ])
  }
}
