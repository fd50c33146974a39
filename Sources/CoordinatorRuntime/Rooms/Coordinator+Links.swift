// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CommandLineOptions
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import WireProtocol

/// The control links, from the call to the end.
extension Coordinator {
  /// Starts a call.
  ///
  /// - Returns: The number of the attempt, or nil when it cannot even start.
  func connect(to address: SocketAddress, for origin: Contact.Origin) -> UInt64? {
    lastLinkNumber += 1
    let number = lastLinkNumber
    do throws(NetworkError) {
      let link = try SpeakerLink(
        number: number, origin: origin, peer: address, now: LocalClock.now())
      link.watch = try loop.watch(link.descriptor, for: [.readable, .writable]) {
        [weak self] event in
        self?.assumeIsolated { $0.linkEvent(number, event) }
      }
      links[number] = link
    } catch {
      log.info("\(origin): \(error)", kind: "call \(origin)")
      return nil
    }
    schedule(after: SpeakerLink.greetingPatience) { coordinator in
      guard let link = coordinator.links[number], link.room == nil else { return }
      coordinator.close(link, because: "\(link.peer) does not answer")
    }
    return number
  }

  private func linkEvent(_ number: UInt64, _ event: Poller.Event) {
    guard let link = links[number] else { return }
    do {
      let messages = try link.handle(event, hello: greeting(), now: LocalClock.now())
      for message in messages where links[number] != nil { take(message, from: link) }
      renewInterest(of: link)
    } catch {
      close(link, because: "\(error)")
    }
  }

  private func greeting() -> Hello {
    Hello(
      nodeID: parts.nodeID, name: configuration.name, role: .coordinator,
      softwareVersion: tuttiVersion, udpPort: player.port, runID: runID)
  }

  private func take(_ message: ControlMessage, from link: SpeakerLink) {
    guard let room = link.room else {
      switch message {
      case .hello(let hello): greeted(by: hello, on: link)
      case .refusal(let refusal): close(link, because: refusal.detail, isWorthSaying: true)
      default: close(link, because: "its first message was no hello")
      }
      return
    }
    switch message {
    case .stateReport(let report):
      if take(report, from: room) { settle() } else { settle(room) }
    case .ping(let token): send(.pong(token), on: link)
    case .goodbye(let goodbye):
      let detail = goodbye.detail.isEmpty ? "it said goodbye" : goodbye.detail
      close(link, because: detail, saidGoodbye: true)
    case .refusal(let refusal): close(link, because: refusal.detail, isWorthSaying: true)
    default: break
    }
  }

  // MARK: - Sending

  /// Sends a message; a link that cannot take it is closed.
  func send(_ message: ControlMessage, on link: SpeakerLink) {
    do {
      try link.send(message)
      renewInterest(of: link)
    } catch {
      close(link, because: "\(error)")
    }
  }

  /// Sends a message to a room, if it is connected.
  func send(_ message: ControlMessage, to room: RoomID) {
    guard let number = live[room]?.link, let link = links[number] else { return }
    send(message, on: link)
  }

  /// Sends a message to every room that is connected.
  func broadcast(_ message: ControlMessage) {
    for room in live.keys { send(message, to: room) }
  }

  private func renewInterest(of link: SpeakerLink) {
    guard let watch = link.watch, let interest = link.changedInterest() else { return }
    loop.setInterest(interest, of: watch)
  }

  // MARK: - Life and death

  /// Asks silent links whether they live, and gives up dead ones; once a second is often enough.
  func checkLinks(at now: LocalInstant) {
    for link in links.values where link.room != nil {
      switch link.keepalive.verdict(at: now) {
      case .wait: break
      case .ping: send(.ping(UInt64(bitPattern: now.nanoseconds)), on: link)
      case .dead: close(link, because: "nothing has been heard for 3 s")
      }
    }
  }

  /// Ends a link, and plans the next call.
  ///
  /// - Parameters:
  ///   - link: The link.
  ///   - reason: Why, in words.
  ///   - isWorthSaying: Whether a person should read the reason even if no room was connected.
  ///   - saidGoodbye: Whether the speaker left on purpose.
  func close(
    _ link: SpeakerLink, because reason: String, isWorthSaying: Bool = false,
    saidGoodbye: Bool = false
  ) {
    guard links.removeValue(forKey: link.number) != nil else { return }
    if let watch = link.watch { loop.unwatch(watch) }
    if contacts[link.origin]?.link == link.number { contacts[link.origin]?.link = nil }
    let now = LocalClock.now()
    if let room = link.room, live[room]?.link == link.number {
      lost(room, because: reason, saidGoodbye: saidGoodbye)
      callContacts(of: room, at: now)
      // The contact may have been dropped, or lead to another room by now.
      if contacts[link.origin]?.room != room { callLater(link.origin) }
    } else {
      let level: LogLevel = isWorthSaying ? .warning : .debug
      log.write(level, kind: "call \(link.origin)") { "\(link.origin): \(reason)" }
      callLater(link.origin)
    }
    settle()
  }
}
