// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc

/// Judges what was seen. Pure: facts in, words out.
struct Examination {
  let host: HostFacts
  let house: HouseFacts
  let ink: Ink

  /// Below this a disk is full for our purposes: an upload of lossless music is some hundred MB.
  static let scarceBytes: UInt64 = 100_000_000
  /// Below this it is told in time.
  static let lowBytes: UInt64 = 1_000_000_000
  /// What the speaker's locked memory needs at least: it has 16 MiB in all.
  static let neededLockBytes: UInt64 = 16 << 20

  var findings: [Finding] {
    reach() + network() + ports() + realtime() + (house.diagnosis.map(disks) ?? [])
      + (house.state.map(rooms) ?? [])
  }

  // MARK: The coordinator

  private func reach() -> [Finding] {
    switch house {
    case .reached(let state, let diagnosis, let server):
      var text = "'\(state.coordinator.name)' (\(state.coordinator.version)) answers at \(server)"
      if let diagnosis { text += ", running for \(Self.duration(diagnosis.uptimeSeconds))" }
      return [.ok("coordinator", text)]
    case .failed(let failure):
      let locked = host.sockets.filter { $0.code == EACCES || $0.code == EPERM }
      guard let socket = locked.first else {
        return [
          .problem(
            "coordinator", failure.description,
            "what follows is what can be seen of this machine without it")
        ]
      }
      return [
        .problem(
          "coordinator", "its socket \(socket.path) may not be opened by this user",
          "join the group that owns it, or run tutti as the user that runs tutti-coordinator")
      ]
    }
  }

  // MARK: The network

  private func network() -> [Finding] { zeroconf() + interfaces() }

  private func zeroconf() -> [Finding] {
    if let zeroconf = house.diagnosis?.zeroconf, !zeroconf.isUsed {
      return [.ok("zeroconf", "switched off by --no-zeroconf; speakers are found by --speaker")]
    }
    if let problem = host.search.problem {
      return [
        .problem(
          "zeroconf", "avahi-daemon does not answer here: \(problem)",
          "install and start it (apt install avahi-daemon), or name speakers with --speaker")
      ]
    }
    guard let diagnosis = house.diagnosis, let id = house.state?.coordinator.id else {
      let names = host.search.houses.map { "'\($0.name)' on \($0.host)" }.joined(separator: ", ")
      return [
        .ok("zeroconf", "avahi-daemon answers; announced: \(names.isEmpty ? "no house" : names)")
      ]
    }
    let zeroconf = diagnosis.zeroconf
    guard let name = zeroconf.announcedName else {
      return [
        .problem(
          "zeroconf",
          "the house is not announced" + (zeroconf.problem.map { ": \($0)" } ?? " yet"),
          "start avahi-daemon on the coordinator's machine; a start takes a second to be announced")
      ]
    }
    let found = "\(zeroconf.speakersFound) speaker\(zeroconf.speakersFound == 1 ? "" : "s") found"
    guard host.search.houses.contains(where: { $0.id == id }) else {
      return [
        .warning(
          "zeroconf", "the house says it is announced as '\(name)', but that is not seen from here",
          "check that multicast (UDP port 5353) passes firewalls and switches between the machines")
      ]
    }
    return [.ok("zeroconf", "announced as '\(name)' and seen from here; \(found)")]
  }

  private func interfaces() -> [Finding] {
    let up = host.interfaces.filter(\.isUp)
    guard !up.isEmpty else {
      return [
        .problem(
          "network", "no network interface is up", "connect this machine to the rooms' network")
      ]
    }
    var findings: [Finding] = []
    let deaf = up.filter { !$0.hasMulticast }.map(\.name)
    if deaf.count == up.count {
      findings.append(
        .warning(
          "multicast", "no interface does multicast: \(deaf.joined(separator: ", "))",
          "name speakers with --speaker HOST"))
    } else {
      let names = up.filter(\.hasMulticast).map(\.name).joined(separator: ", ")
      findings.append(.ok("multicast", "possible on \(names)"))
    }
    return findings + up.filter(\.isWireless).map(wireless)
  }

  private func wireless(_ interface: HostFacts.Interface) -> Finding {
    switch interface.savesPower {
    case true?:
      .warning(
        interface.name, "Wi-Fi power saving is on: packets wait until the radio wakes",
        "iw dev \(interface.name) set power_save off; NetworkManager: wifi.powersave = 2")
    case false?: .ok(interface.name, "Wi-Fi power saving is off")
    case nil: .unknown(interface.name, "the driver does not say whether Wi-Fi power saving is on")
    }
  }

  private func ports() -> [Finding] {
    host.ports.map { port in
      let name = "port \(port.number)"
      guard let owner = port.owner else { return .ok(name, "free") }
      if owner.hasPrefix("tutti-") { return .ok(name, "served by \(owner)") }
      // What belongs to another user cannot be named; our own daemon often is another user.
      guard !owner.isEmpty else {
        return .unknown(name, "taken by a program of another user, perhaps Tutti's own")
      }
      return .warning(
        name, "taken by \(owner)", "stop it, or give Tutti another port with --port on both sides")
    }
  }

  // MARK: The machine

  private func realtime() -> [Finding] {
    var findings: [Finding] = []
    if let diagnosis = house.diagnosis {
      findings.append(
        diagnosis.isRealtime
          ? .ok("real time", "the coordinator sends before all ordinary work")
          : .warning(
            "real time",
            "the coordinator may not use real-time scheduling: a busy machine delays packets",
            "LimitRTPRIO=50 in its service, or @audio - rtprio 50 in /etc/security/limits.d"))
    }
    let mayRaise = host.isRoot || host.realtimePriority > 0
    let mayLock = host.isRoot || host.lockableBytes.map { $0 >= Self.neededLockBytes } ?? true
    findings.append(
      mayRaise && mayLock
        ? .ok(
          "limits", "this user may use real-time scheduling and lock memory, as a speaker wants to")
        : .warning(
          "limits",
          "a speaker started by this user \(mayRaise ? "" : "has no real-time scheduling")"
            + (mayRaise || mayLock ? "" : " and ")
            + (mayLock ? "" : "may lock only \((host.lockableBytes ?? 0) >> 10) KiB of memory"),
          "a service may (LimitRTPRIO=50, LimitMEMLOCK=64M); for a user: @audio - rtprio 50 and "
            + "@audio - memlock 65536 in /etc/security/limits.d"))
    return findings
  }

  private func disks(_ diagnosis: DiagnosisDocument) -> [Finding] {
    var findings = diagnosis.musicFolders.map(music)
    if findings.isEmpty {
      findings.append(
        .warning(
          "music", "the coordinator has no music folder: only uploads and addresses play",
          "start it with --music DIR"))
    }
    let state = diagnosis.stateFolder
    let free = state.freeBytes ?? .max
    if let problem = state.problem {
      findings.append(
        .problem("state", "\(state.path): \(problem)", "the coordinator must read and write there"))
    } else if free < Self.lowBytes {
      let advice = "free some space there, or move it with --state-dir"
      let text = "\(state.path) has \(Self.size(free)) free"
      findings.append(
        free < Self.scarceBytes ? .problem("state", text, advice) : .warning("state", text, advice))
    } else {
      findings.append(.ok("state", "\(state.path) has \(Self.size(free)) free"))
    }
    let uploads =
      "\(Self.size(diagnosis.uploadBytes)) of at most \(Self.size(diagnosis.uploadCapacityBytes))"
    findings.append(.ok("uploads", uploads))
    return findings
  }

  private func music(_ folder: FolderDocument) -> Finding {
    let kind = folder.fileSystem.map {
      folder.isNetwork ? " (\($0), over the network)" : " (\($0))"
    }
    guard let problem = folder.problem else {
      return .ok("music", "\(folder.path) can be read\(kind ?? "")")
    }
    return .problem(
      "music", "\(folder.path): \(problem)",
      "check that its disk is mounted and that the coordinator's user may read it")
  }

  // MARK: Words

  static func duration(_ seconds: Double) -> String {
    if seconds < 120 { return "\(number(seconds, 0)) s" }
    if seconds < 7_200 { return "\(number(seconds / 60, 0)) min" }
    return seconds < 172_800
      ? "\(number(seconds / 3_600, 0)) h" : "\(number(seconds / 86_400, 0)) days"
  }

  static func size(_ bytes: UInt64) -> String {
    bytes == .max
      ? "an unknown amount"
      : bytes < 10_000_000_000
        ? "\(number(Double(bytes) / 1e6, 0)) MB" : "\(number(Double(bytes) / 1e9, 0)) GB"
  }
}
