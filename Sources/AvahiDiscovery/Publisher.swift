// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CAvahi

/// Keeps our services announced while one connection to the daemon stands. Avahi's thread only.
final class Publisher {
  private let client: OpaquePointer
  private unowned let session: AvahiSession
  private var groups: [EntryGroup] = []

  init(client: OpaquePointer, session: AvahiSession) {
    self.client = client
    self.session = session
  }

  /// Announces exactly `services`; those that stay are not touched.
  func publish(_ services: [ServiceAnnouncement]) {
    groups.removeAll { !services.contains($0.service) }
    for service in services where !groups.contains(where: { $0.service == service }) {
      let group = EntryGroup(service, session: session)
      groups.append(group)
      group.open(client)
    }
  }

  /// The connection is gone: the groups' callbacks have nothing more to say.
  func abandon() {
    for group in groups { group.isAbandoned = true }
  }
}

/// One announced service: an entry group of Avahi's.
private final class EntryGroup {
  let service: ServiceAnnouncement
  var isAbandoned = false
  private unowned let session: AvahiSession
  private var raw: OpaquePointer?
  /// The name in use: the one asked for, or an alternative when that was taken.
  private var name: String
  /// Names tried; a network on which this many are taken has another problem.
  private var attempts = 0
  private static let maximumAttempts = 100
  private static let invalidArgument = Int32(AVAHI_ERR_INVALID_ARGUMENT)

  init(_ service: ServiceAnnouncement, session: AvahiSession) {
    self.service = service
    self.session = session
    name = service.name
  }

  deinit { if let raw { avahi_entry_group_free(raw) } }

  func open(_ client: OpaquePointer) {
    // The first call of the callback comes from within and finds `raw` unset: it has nothing to do.
    raw = avahi_entry_group_new(
      client, groupStateChanged, Unmanaged.passUnretained(self).toOpaque())
    guard raw != nil else { return fail(avahi_client_errno(client)) }
    register()
  }

  /// Adds the service under `name`, or under the next free one.
  private func register() {
    guard let raw else { return }
    while attempts < Self.maximumAttempts {
      attempts += 1
      switch add(to: raw) {
      case 0:
        let committed = avahi_entry_group_commit(raw)
        if committed != 0 { fail(committed) }
        return
      case Int32(AVAHI_ERR_COLLISION):
        // Another program on this host has the name: no need to ask the network.
        chooseAlternative()
      case let code:
        return fail(code)
      }
    }
    fail(Int32(AVAHI_ERR_COLLISION))
  }

  private func add(to group: OpaquePointer) -> Int32 {
    guard !name.isEmpty, name.utf8.count <= 63 else { return Self.invalidArgument }
    var list: UnsafeMutablePointer<AvahiStringList>?
    for (key, value) in service.text.sorted(by: { $0.key < $1.key }) {
      list = avahi_string_list_add_pair(list, key, value)
    }
    defer { avahi_string_list_free(list) }
    return avahi_entry_group_add_service_strlst(
      group, AnyRoute.interface, AnyRoute.family, AvahiPublishFlags(0), name, service.type, nil,
      nil, service.port, list)
  }

  private func chooseAlternative() {
    guard let alternative = avahi_alternative_service_name(name) else { return }
    name = String(cString: alternative)
    avahi_free(alternative)
  }

  fileprivate func stateChanged(_ state: AvahiEntryGroupState) {
    guard let raw, !isAbandoned else { return }
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
      session.tell(.published(service, name: name))
    case AVAHI_ENTRY_GROUP_COLLISION:
      chooseAlternative()
      avahi_entry_group_reset(raw)
      register()
    case AVAHI_ENTRY_GROUP_FAILURE:
      fail(avahi_client_errno(avahi_entry_group_get_client(raw)))
    default:
      break
    }
  }

  private func fail(_ code: Int32) {
    // A lost connection is told once, by the session.
    guard code != AVAHI_ERR_DISCONNECTED, !isAbandoned else { return }
    let reason =
      code == Self.invalidArgument
      ? "the name must have 1 to 63 bytes, \"\(name)\" has \(name.utf8.count)" : text(code)
    session.tell(.publishingFailed(service, reason: reason))
  }
}

private func groupStateChanged(
  _: OpaquePointer?, state: AvahiEntryGroupState, context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  Unmanaged<EntryGroup>.fromOpaque(context).takeUnretainedValue().stateChanged(state)
}
