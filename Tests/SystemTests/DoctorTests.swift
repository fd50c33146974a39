// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing

/// `doctor` and `report` on a house of the real programs.
@Suite(.serialized) struct DoctorTests {
  @Test func `a house is looked at, and a report tells no secrets`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    #expect(house.untilRoomsAppear(1))
    let track = try house.music("Geheimer Walzer.flac", seconds: 30)
    #expect(try house.tutti("play", track).code == 0)
    let doctor = try house.tutti("doctor")
    #expect(doctor.text.contains("coordinator  'Test'"), "\(doctor.text)")
    #expect(doctor.text.contains("Kitchen"), "\(doctor.text)")
    #expect(doctor.text.contains("switched off by --no-zeroconf"), "\(doctor.text)")
    #expect(try house.tutti("--json", "doctor").text.hasPrefix("{\"findings\":["))

    let path = house.place.path("report.json")
    let report = try house.tutti("report", "--output", path)
    #expect(report.code == 0 && report.text.contains(path), "\(report.text)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for part in ["Kitchen", "packetsSent", "tutti_room_connected", "isRealtime", "kernel"] {
      #expect(text.contains(part), "\(part)")
    }
    for secret in ["Geheim", "Walzer", house.place.path("music"), house.place.url.path] {
      #expect(!text.contains(secret), "\(secret)")
    }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try house.tutti("report", "--output", path).code == 1, "never written over")
  }

  @Test func `without a coordinator this machine is looked at, and the problem is exit 1`() throws {
    let run = try RunningProgram("tutti", ["--server", "unix:/nowhere", "doctor"])
    #expect(run.exitCode() == 1)
    #expect(run.text.contains("problem  coordinator") && run.text.contains("limits"), "\(run.text)")
    let report = try RunningProgram("tutti", ["--server", "unix:/nowhere", "report", "-o", "-"])
    #expect(report.exitCode() == 0)
    #expect(report.text.contains("tutti-report-1"), "\(report.text)")
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to become somebody else"))
  func `a socket that may not be opened is exit 4 and says whose it is`() throws {
    let house = try TestHouse(rooms: [])
    #expect(house.coordinator?.line(containing: "is open") != nil)
    let folder = house.place.url.path
    let socket = house.place.path("coordinator/control.sock")
    for path in [folder, house.place.path("coordinator")] { chmod(path, 0o755) }
    let run = try RunningProgram(
      at: "/usr/bin/setpriv",
      [
        "--reuid=65534", "--regid=65534", "--clear-groups",
        RunningProgram.folder.appending(path: "tutti").path, "--server", "unix:\(socket)", "status",
      ])
    #expect(run.exitCode() == 4, "\(run.text)")
    #expect(run.text.contains(socket), "\(run.text)")
  }
}
