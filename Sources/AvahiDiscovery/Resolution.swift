// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CAvahi
internal import Glibc

/// One instance on its way to an address: a service resolver of Avahi's, kept open because it tells
/// of new addresses and texts too. Avahi's thread only.
final class Resolution {
  /// A resolver gives up after some seconds; while the browser still shows the service, another is
  /// made.
  private static let retryMilliseconds = 5_000

  private let instance: ServiceInstance
  private let isOnThisHost: Bool
  private unowned let session: AvahiSession
  private var raw: OpaquePointer?
  private var timer: EventLoop.Timer?
  /// What was told last.
  private(set) var found: DiscoveredService?

  init(_ instance: ServiceInstance, isOnThisHost: Bool, session: AvahiSession) {
    self.instance = instance
    self.isOnThisHost = isOnThisHost
    self.session = session
  }

  deinit { if let raw { avahi_service_resolver_free(raw) } }

  func open(_ client: OpaquePointer) {
    timer = nil
    let family = AvahiProtocol(instance.family == .v6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
    raw = avahi_service_resolver_new(
      client, instance.interface, family, instance.name, instance.type, instance.domain, family,
      AvahiLookupFlags(0), resolverEvent, Unmanaged.passUnretained(self).toOpaque())
    if raw == nil { retry(client) }
  }

  fileprivate func resolved(_ service: DiscoveredService) {
    guard service != found else { return }
    found = service
    session.tell(.found(service))
  }

  fileprivate func failed() {
    guard let raw else { return }
    let client = avahi_service_resolver_get_client(raw)
    avahi_service_resolver_free(raw)
    self.raw = nil
    if let client { retry(client) }
  }

  private func retry(_ client: OpaquePointer) {
    timer = session.poll.timer(afterMilliseconds: Self.retryMilliseconds) { [unowned self] in
      open(client)
    }
  }

  fileprivate func service(
    host: String, address: UnsafePointer<AvahiAddress>, port: UInt16,
    text: UnsafeMutablePointer<AvahiStringList>?
  ) -> DiscoveredService {
    let interfaceName = name(of: instance.interface)
    var literal = literal(address)
    // fe80::/10 means nothing without its interface.
    if literal.lowercased().hasPrefix("fe80:") { literal += "%" + interfaceName }
    return DiscoveredService(
      instance: instance, host: host, address: literal, port: port, text: pairs(text),
      interfaceName: interfaceName,
      isOnThisHost: isOnThisHost)
  }
}

private func name(of interface: Int32) -> String {
  var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
  guard interface > 0, if_indextoname(UInt32(interface), &name) != nil else {
    return "\(interface)"
  }
  return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}

private func literal(_ address: UnsafePointer<AvahiAddress>) -> String {
  var text = [CChar](repeating: 0, count: Int(AVAHI_ADDRESS_STR_MAX))
  guard avahi_address_snprint(&text, text.count, address) != nil else { return "" }
  return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}

/// The pairs of a TXT record. The first of equal keys counts (RFC 6763 section 6.4); a key without
/// a value has an empty one.
private func pairs(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [String: String] {
  var result: [String: String] = [:]
  var node = list
  while let current = node {
    let bytes = UnsafeBufferPointer(
      start: avahi_string_list_get_text(current), count: avahi_string_list_get_size(current))
    let parts = bytes.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    if let key = parts.first, !key.isEmpty {
      let value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
      let name = String(decoding: key, as: UTF8.self).lowercased()
      if result[name] == nil { result[name] = value }
    }
    node = avahi_string_list_get_next(current)
  }
  return result
}

private func resolverEvent(
  _: OpaquePointer?, _: AvahiIfIndex, _: AvahiProtocol, event: AvahiResolverEvent,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
  host: UnsafePointer<CChar>?, address: UnsafePointer<AvahiAddress>?, port: UInt16,
  text: UnsafeMutablePointer<AvahiStringList>?, _: AvahiLookupResultFlags,
  context: UnsafeMutableRawPointer?
) {
  guard let context else { return }
  let resolution = Unmanaged<Resolution>.fromOpaque(context).takeUnretainedValue()
  guard event == AVAHI_RESOLVER_FOUND, let host, let address else { return resolution.failed() }
  resolution.resolved(
    resolution.service(
      host: String(cString: host), address: address, port: port, text: text))
}
