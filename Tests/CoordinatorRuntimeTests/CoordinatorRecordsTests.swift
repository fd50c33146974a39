// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ControlAPI
import Foundation
import HTTPService
import House
import Testing
import WireProtocol

@testable import CoordinatorRuntime

private let kitchen = RoomID(nodeID: Array(repeating: 7, count: 32))

@Suite struct CoordinatorRecordsTests {
  @Test func `what reports have counted, and a link that broke, are in the room's log`()
    async throws
  {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    var report = StateReport()
    report.state = .playing
    speaker.say(.stateReport(report))
    await house.eventually("it has reported") { $0.live[kitchen]?.report != nil }
    report.lost = 4
    report.concealed = 4
    speaker.say(.stateReport(report))
    await house.eventually("the loss is written down") {
      $0.records[kitchen]?.diary.incidents.count == 1
    }
    let log = try await house.coordinator.logDocument(of: "kitchen")
    #expect(log.incidents.first?.kind == .loss)
    #expect(log.incidents.first?.counted.lostPackets == 4)
    speaker.die()
    await house.eventually("the link's end is written down") {
      $0.records[kitchen]?.diary.incidents.last?.kind == .link
    }
    await house.kill()
  }

  @Test func `the windows of a report are in the room's document, and absent ones are not`()
    async throws
  {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    var report = StateReport()
    var window = SyncErrorWindow()
    window.p99 = .microseconds(12)
    window.mean = .microseconds(-3)
    window.sounding = .seconds(10)
    report.syncErrorTenSeconds = window
    speaker.say(.stateReport(report))
    await house.eventually("it has reported") { $0.live[kitchen]?.report != nil }
    let health = try await house.coordinator.roomDocument(called: "kitchen").health
    #expect(health?.syncErrorTenSeconds?.p99Microseconds == 12)
    #expect(health?.syncErrorTenSeconds?.meanMicroseconds == -3)
    #expect(health?.syncErrorFiveMinutes == nil)
    let sync = try await house.coordinator.syncDocument(of: "kitchen")
    #expect(sync.samples.isEmpty && sync.hour == nil && sync.intervalSeconds == 10)
    await house.kill()
    speaker.die()
  }

  @Test func `a room that is not known has no record`() async throws {
    let house = try await TestHouse()
    await #expect(throws: ProblemDocument.self) {
      try await house.coordinator.logDocument(of: "attic")
    }
    await house.kill()
  }
}

@Suite struct CoordinatorMetricsTests {
  @Test func `every metric has the name that the documentation lists`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { $0.rooms[kitchen]?.isOnline == true }
    var report = StateReport()
    report.received = 5_000
    report.lost = 4
    report.underruns = 2
    report.buffered = .milliseconds(5_980)
    var window = SyncErrorWindow()
    window.p99 = .microseconds(12)
    report.syncErrorTenSeconds = window
    speaker.say(.stateReport(report))
    await house.eventually("it has reported") { $0.live[kitchen]?.report != nil }
    let response = await house.api.respond(to: HTTPRequest(method: "GET", path: "/metrics"))
    #expect(response.status == 200)
    let lines = response.text.split(separator: "\n")
    for line in [
      "connected{room=\"Kitchen\"} 1", "packets_total{room=\"Kitchen\",kind=\"received\"} 5000",
      "packets_total{room=\"Kitchen\",kind=\"lost\"} 4", "underruns_total{room=\"Kitchen\"} 2",
      "buffered_seconds{room=\"Kitchen\"} 5.98",
      "sync_error_seconds{room=\"Kitchen\",quantile=\"0.99\"} 1.2e-05",
    ] {
      #expect(lines.contains { $0 == "tutti_room_" + line }, "\(line)")
    }
    #expect(lines.contains { $0.hasPrefix("process_resident_memory_bytes ") })
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let list = try String(contentsOfFile: "/\(root)/docs/metrics.md", encoding: .utf8)
    for line in lines where line.hasPrefix("# TYPE ") {
      let name = line.split(separator: " ")[2]
      #expect(list.contains("`\(name)`"), "\(name)")
    }
    await house.kill()
    speaker.die()
  }
}
