// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking

/// Whom to call, and when.
extension Coordinator {
  /// Within so long a host in the house accepts; a call that has waited longer was made before it was
  /// there, and is made again when it is heard.
  static var callPatience: Nanoseconds { .milliseconds(250) }
  /// Somebody unknown who asks for the time is called this often.
  static var strangerPatience: Nanoseconds { .seconds(10) }
  /// So many of them at a time.
  static var strangerLimit: Int { 8 }

  /// Remembers where a room was last time.
  func remember(_ room: Room) {
    guard let text = room.address, let address = try? SocketAddress(literal: text) else { return }
    addContact(Contact(.remembered(room.id), addresses: [address], room: room.id))
  }

  /// Adds a contact, or renews what is known of it, and calls it at once.
  func addContact(_ contact: Contact) {
    var contact = contact
    if let known = contacts[contact.origin] {
      contact.link = known.link
      contact.room = contact.room ?? known.room
      if let timer = known.timer { loop.cancel(timer) }
    }
    contacts[contact.origin] = contact
    call(contact.origin)
  }

  /// Forgets a contact; a link that it led to stays, as long as it lives.
  func dropContact(_ origin: Contact.Origin) {
    guard let contact = contacts.removeValue(forKey: origin) else { return }
    if let timer = contact.timer { loop.cancel(timer) }
  }

  /// Somebody who is no connected room asks for the time: perhaps one that we have lost.
  func heard(_ address: SocketAddress) {
    let now = LocalClock.now()
    guard !isShuttingDown, awaitsRoom(at: now) else { return }
    for link in links.values where link.peer == address {
      // It is linked, or answers already; or the call is as young as an answer may be.
      guard link.room == nil, !link.isConnected, now - link.began >= Self.callPatience else {
        return
      }
      close(link, because: "it is there again")
    }
    let known = contacts.first { _, contact in
      contact.link == nil && contact.addresses.contains(address)
        && contact.room.map { live[$0] == nil } ?? true
    }
    if let origin = known?.key {
      if let timer = contacts[origin]?.timer { loop.cancel(timer) }
      contacts[origin]?.timer = nil
      contacts[origin]?.prefer(address)
      dial(origin)
    } else {
      callStranger(at: address, now: now)
    }
  }

  /// Whether a room that we know is not there, or has been silent for a moment.
  private func awaitsRoom(at now: LocalInstant) -> Bool {
    rooms.rooms.contains { room in
      guard let link = live[room.id].flatMap({ links[$0.link] }) else { return true }
      return link.keepalive.isSilent(at: now)
    }
  }

  /// Calls whoever asks from an address that nobody is known at, a few of them at a time.
  private func callStranger(at address: SocketAddress, now: LocalInstant) {
    strangers = strangers.filter { now - $0.value < Self.strangerPatience }
    guard strangers[address] == nil, strangers.count < Self.strangerLimit else { return }
    strangers[address] = now
    let origin = Contact.Origin.heard(address)
    contacts[origin] = Contact(origin, addresses: [address])
    dial(origin)
  }

  /// Calls a contact, unless that is under way or pointless.
  private func call(_ origin: Contact.Origin) {
    guard !isShuttingDown, var contact = contacts[origin] else { return }
    contact.timer = nil
    contacts[origin] = contact
    guard contact.link == nil, !contact.isResolving else { return }
    // While its room is connected, there is nothing to call for; its loss calls again.
    if let room = contact.room, live[room] != nil { return }
    if case .configured(let text) = origin {
      resolve(text, for: origin)
    } else {
      dial(origin)
    }
  }

  /// Names are looked up for each call: a speaker may have moved.
  private func resolve(_ text: String, for origin: Contact.Origin) {
    if let literal = try? SocketAddress(literal: text, defaultPort: speakerPort) {
      contacts[origin]?.addresses = [literal]
      return dial(origin)
    }
    contacts[origin]?.isResolving = true
    parts.names.run { [weak self, loop] in
      let outcome = Result { () throws(ResolveError) in
        try SocketAddress.resolve(text, defaultPort: speakerPort)
      }
      loop.schedule(at: LocalClock.now()) { [weak self] in
        self?.assumeIsolated { $0.resolved(outcome, for: origin) }
      }
    }
  }

  private func resolved(
    _ outcome: Result<[SocketAddress], ResolveError>, for origin: Contact.Origin
  ) {
    contacts[origin]?.isResolving = false
    switch outcome {
    case .success(let addresses):
      let kept = contacts[origin]?.addresses ?? []
      if Set(kept) != Set(addresses) { contacts[origin]?.addresses = addresses }
      dial(origin)
    case .failure(let error):
      log.warning("\(origin): \(error)", kind: "resolve \(origin)")
      callLater(origin)
    }
  }

  private func dial(_ origin: Contact.Origin) {
    guard var contact = contacts[origin], let address = contact.nextAddress() else { return }
    // Two contacts may know the same address: the one that calls first finds out who is there.
    guard !links.values.contains(where: { $0.peer == address }) else { return callLater(origin) }
    contact.link = connect(to: address, for: origin)
    contacts[origin] = contact
    if contact.link == nil { callLater(origin) }
  }

  /// Plans the next call after one that has failed.
  func callLater(_ origin: Contact.Origin) {
    if case .heard = origin { return dropContact(origin) }
    guard var contact = contacts[origin], !isShuttingDown else { return }
    if let timer = contact.timer { loop.cancel(timer) }
    let now = LocalClock.now()
    let next = contact.backoff.nextCall(after: now)
    contact.timer = schedule(after: next - now) { coordinator in coordinator.call(origin) }
    contacts[origin] = contact
  }

  /// A room is connected through this contact; the others that lead to it rest.
  func contactReached(_ origin: Contact.Origin, room: RoomID, at address: SocketAddress) {
    contacts[origin]?.room = room
    contacts[origin]?.backoff.succeeded()
    contacts[origin]?.prefer(address)
    // Where it is now is where it is looked for first when it is gone, whatever browsing says.
    let memory = Contact.Origin.remembered(room)
    if case .heard = origin { dropContact(origin) }
    guard origin != memory else { return }
    // An older link, to where the room was before, is about to end.
    guard contacts[memory]?.link == nil else { return contacts[memory]?.prefer(address) ?? () }
    if let timer = contacts[memory]?.timer { loop.cancel(timer) }
    contacts[memory] = Contact(memory, addresses: [address], room: room)
  }

  /// A room is gone: every contact that leads to it is called.
  func callContacts(of room: RoomID, at now: LocalInstant) {
    for origin in contacts.filter({ $0.value.room == room }).keys {
      contacts[origin]?.backoff.lost(at: now)
      callLater(origin)
    }
  }
}
