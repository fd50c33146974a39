// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CAvahi

/// "Every interface, either family" in the types that Avahi's functions take.
enum AnyRoute {
  static let interface = AvahiIfIndex(AVAHI_IF_UNSPEC)
  static let family = AvahiProtocol(AVAHI_PROTO_UNSPEC)
}

/// Finds services while one connection to the daemon stands. Avahi's thread only.
final class Browser {
  /// Instances kept at a time: a bound for a hostile network (the daemon allows 1,024 objects).
  static let maximumInstances = 512

  private let client: OpaquePointer
  private unowned let session: AvahiSession
  private var searches: [TypeSearch] = []
  private var resolutions: [ServiceInstance: Resolution] = [:]

  init(client: OpaquePointer, session: AvahiSession) {
    self.client = client
    self.session = session
  }

  /// Whoever had been found is out of sight from now on.
  deinit { loseAll() }

  /// Looks for exactly these `types`; those that stay are not touched.
  func browse(_ types: [String]) {
    searches.removeAll { !types.contains($0.type) }
    for instance in resolutions.keys where !types.contains(instance.type) { remove(instance) }
    for type in types where !searches.contains(where: { $0.type == type }) {
      searches.append(TypeSearch(type, client: client, browser: self))
    }
  }

  func loseAll() {
    for instance in resolutions.keys { remove(instance) }
  }

  fileprivate func appeared(_ instance: ServiceInstance, isOnThisHost: Bool) {
    guard resolutions[instance] == nil, resolutions.count < Self.maximumInstances else { return }
    let resolution = Resolution(instance, isOnThisHost: isOnThisHost, session: session)
    resolutions[instance] = resolution
    resolution.open(client)
  }

  fileprivate func disappeared(_ instance: ServiceInstance) { remove(instance) }

  private func remove(_ instance: ServiceInstance) {
    guard let resolution = resolutions.removeValue(forKey: instance) else { return }
    if resolution.found != nil { session.tell(.lost(instance)) }
  }
}

/// One browsed type: a service browser of Avahi's.
private final class TypeSearch {
  let type: String
  private unowned let browser: Browser
  private var raw: OpaquePointer?

  init(_ type: String, client: OpaquePointer, browser: Browser) {
    self.type = type
    self.browser = browser
    raw = avahi_service_browser_new(
      client, AnyRoute.interface, AnyRoute.family, type, nil, AvahiLookupFlags(0), browserEvent,
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { if let raw { avahi_service_browser_free(raw) } }

  fileprivate func handle(
    _ event: AvahiBrowserEvent, _ instance: ServiceInstance, isOnThisHost: Bool
  ) {
    switch event {
    case AVAHI_BROWSER_NEW: browser.appeared(instance, isOnThisHost: isOnThisHost)
    case AVAHI_BROWSER_REMOVE: browser.disappeared(instance)
    // ALL_FOR_NOW and CACHE_EXHAUSTED say nothing new; a FAILURE also fails the client.
    default: break
    }
  }
}

private func browserEvent(
  _: OpaquePointer?, interface: AvahiIfIndex, protocol: AvahiProtocol, event: AvahiBrowserEvent,
  name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?, domain: UnsafePointer<CChar>?,
  flags: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
  guard let context, let name, let type, let domain else { return }
  let instance = ServiceInstance(
    name: String(cString: name), type: String(cString: type), domain: String(cString: domain),
    interface: interface, family: Int(`protocol`) == AVAHI_PROTO_INET6 ? .v6 : .v4)
  Unmanaged<TypeSearch>.fromOpaque(context).takeUnretainedValue()
    .handle(event, instance, isOnThisHost: flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0)
}
