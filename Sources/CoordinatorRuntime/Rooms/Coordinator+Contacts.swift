// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking

/// Whom to call, and when.
extension Coordinator {
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
    guard origin != memory, contacts[memory]?.link == nil else { return }
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
