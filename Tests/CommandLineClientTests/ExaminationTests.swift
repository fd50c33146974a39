// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct ExaminationTests {
  private var diagnosis: DiagnosisDocument {
    var folder = FolderDocument(path: "/srv/music")
    folder.fileSystem = "ext4"
    folder.freeBytes = 50_000_000_000
    var zeroconf = ZeroconfDocument(isUsed: true)
    (zeroconf.isAvailable, zeroconf.announcedName, zeroconf.speakersFound) = (true, "Home", 1)
    return DiagnosisDocument(
      version: "0.1.0", uptimeSeconds: 11_000, port: 7_700, playoutDelayMilliseconds: 6_000,
      configuredSpeakers: 0, zeroconf: zeroconf, musicFolders: [folder], stateFolder: folder,
      uploadBytes: 0, uploadCapacityBytes: 8 << 30, isRealtime: true)
  }

  private var state: StateDocument {
    var state = SampleRooms.state
    state.rooms = [SampleRooms.kitchen]
    state.coordinator.version = "0.1.0"
    return state
  }

  private var host: HostFacts {
    var host = HostFacts()
    host.search.add(
      HouseSearch.House(
        name: "Home", id: state.coordinator.id, host: "nas.local", address: "192.0.2.1",
        port: 7_700,
        isOnThisHost: true))
    host.interfaces = [
      .init(name: "eth0", isUp: true, hasMulticast: true, isWireless: false, savesPower: nil)
    ]
    host.ports = [
      .init(number: 7_700, owner: "tutti-coordinator"), .init(number: 7_701, owner: nil),
    ]
    (host.realtimePriority, host.lockableBytes) = (50, nil)
    return host
  }

  private func examine(
    _ change: (inout HostFacts, inout StateDocument, inout DiagnosisDocument) -> Void
  ) -> [Finding] {
    var (host, state, diagnosis) = (host, state, diagnosis)
    change(&host, &state, &diagnosis)
    return Examination(
      host: host, house: .reached(state, diagnosis, server: "unix:/s"), ink: SampleRooms.full
    ).findings
  }

  /// What is not as it should be after a change.
  private func troubles(
    _ change: (inout HostFacts, inout StateDocument, inout DiagnosisDocument) -> Void
  ) -> [Finding] {
    examine(change).filter { $0.verdict != .ok }
  }

  @Test func `a house that is well has nothing but good lines`() {
    #expect(troubles { _, _, _ in } == [])
    let lines = FindingText(columns: 80, ink: Ink()).lines(examine { _, _, _ in })
    #expect(lines.last == "All is well.")
    #expect(lines.first?.contains("running for 3 h") == true)
    #expect(lines.allSatisfy { DisplayWidth.columns($0) <= 80 })
  }

  @Test func `each trouble is one line with what to do`() throws {
    let cases: [(String, Finding.Verdict, String, [Finding])] = [
      (
        "zeroconf", .problem, "Daemon not running",
        troubles { h, _, _ in h.search.problem = "Daemon not running" }
      ),
      (
        "zeroconf", .problem, "not announced",
        troubles { _, _, d in d.zeroconf.announcedName = nil }
      ),
      ("zeroconf", .warning, "not seen from here", troubles { h, _, _ in h.search.houses = [] }),
      ("network", .problem, "no network interface", troubles { h, _, _ in h.interfaces = [] }),
      ("multicast", .warning, "eth0", troubles { h, _, _ in h.interfaces[0].hasMulticast = false }),
      (
        "eth0", .warning, "power saving is on",
        troubles { h, _, _ in
          (h.interfaces[0].isWireless, h.interfaces[0].savesPower) = (true, true)
        }
      ),
      ("eth0", .unknown, "does not say", troubles { h, _, _ in h.interfaces[0].isWireless = true }),
      ("port 7701", .warning, "sonicd", troubles { h, _, _ in h.ports[1].owner = "sonicd" }),
      ("port 7701", .unknown, "another user", troubles { h, _, _ in h.ports[1].owner = "" }),
      ("real time", .warning, "may not use", troubles { _, _, d in d.isRealtime = false }),
      ("limits", .warning, "no real-time", troubles { h, _, _ in h.realtimePriority = 0 }),
      ("limits", .warning, "only 64 KiB", troubles { h, _, _ in h.lockableBytes = 65_536 }),
      ("music", .warning, "no music folder", troubles { _, _, d in d.musicFolders = [] }),
      (
        "music", .problem, "No such file",
        troubles { _, _, d in d.musicFolders[0].problem = "No such file" }
      ),
      (
        "state", .problem, "Permission",
        troubles { _, _, d in d.stateFolder.problem = "Permission denied" }
      ),
      ("state", .warning, "500 MB", troubles { _, _, d in d.stateFolder.freeBytes = 500_000_000 }),
      ("state", .problem, "5 MB", troubles { _, _, d in d.stateFolder.freeBytes = 5_000_000 }),
      ("rooms", .warning, "no room", troubles { _, s, _ in s.rooms = [] }),
      (
        "Loft", .problem, "not connected for 75 s",
        troubles { _, s, _ in s.rooms = [SampleRooms.gone] }
      ),
      ("Kitchen", .warning, "0.0.9", troubles { _, s, _ in s.rooms[0].softwareVersion = "0.0.9" }),
      (
        "Kitchen", .problem, "busy",
        troubles { _, s, _ in
          (s.rooms[0].state, s.rooms[0].detail) = (.trouble, "the card is busy")
        }
      ),
      (
        "Kitchen", .problem, "no time arrives by UDP",
        troubles { _, s, _ in
          s.rooms[0].state = .waitingForClock
          s.rooms[0].health?.clockSigmaMicroseconds = nil
        }
      ),
      (
        "Kitchen", .warning, "known to 250 µs",
        troubles { _, s, _ in
          s.rooms[0].health?.clockSigmaMicroseconds = 250
        }
      ),
      (
        "Kitchen", .warning, "only within 240 µs",
        troubles { _, s, _ in
          s.rooms[0].health?.syncErrorTenSeconds = SampleRooms.window(240, sounding: 10)
        }
      ),
      (
        "Kitchen", .problem, "out of time by up to 2.4 ms",
        troubles { _, s, _ in
          s.rooms[0].health?.syncErrorTenSeconds = SampleRooms.window(2_400, sounding: 10)
        }
      ),
    ]
    for (about, verdict, words, found) in cases {
      #expect(found.count == 1, "\(words): \(found)")
      #expect(found.first?.about == about && found.first?.verdict == verdict, "\(found)")
      #expect(found.first?.text.contains(words) == true, "\(words) in \(found)")
      #expect(verdict == .unknown || found.first?.advice?.isEmpty == false, "\(found)")
    }
  }

  @Test func `without a coordinator this machine's side is looked at`() {
    var host = host
    host.sockets = [.init(path: "/s/control.sock", code: 13)]
    let house = HouseFacts.failed(.unreachable("no coordinator runs on this machine"))
    let findings = Examination(host: host, house: house, ink: Ink()).findings
    #expect(findings.first?.text.contains("/s/control.sock may not be opened") == true)
    #expect(findings.contains { $0.about == "zeroconf" && $0.text.contains("'Home' on nas.local") })
    #expect(findings.contains { $0.about == "limits" })
    host.sockets[0].code = 2
    let plain = Examination(host: host, house: house, ink: Ink()).findings
    #expect(plain.first?.text == "no coordinator runs on this machine")
  }

  @Test func `a port's owner is found by its socket's number`() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 00000000:1E14 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1
         1: 0100007F:1E14 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1
         2: short
      """
    #expect(PortOwner.inodes(of: 7_700, isTCP: true, in: table) == ["4711"])
    #expect(PortOwner.inodes(of: 7_700, isTCP: false, in: table) == ["4711", "4712"])
    #expect(PortOwner.inodes(of: 7_701, isTCP: true, in: table) == [])
  }
}
