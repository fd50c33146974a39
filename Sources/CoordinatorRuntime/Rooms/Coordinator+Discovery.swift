// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AvahiDiscovery
internal import CommandLineOptions
internal import DaemonProcess
internal import House
internal import LinuxNetworking

// Browsing shows a speaker once per interface and address family. All of these are one contact with
// several addresses, tried in turn: the one on a bridge of containers, or on a network that does not lead
// here, simply does not answer.

/// What browsing has found, by the name of the service.
struct FoundServices {
  /// What speakers announce.
  static let speakerType = "_tutti-speaker._tcp"
  /// What a coordinator announces.
  static let coordinatorType = "_tutti._tcp"

  private var services: [String: [ServiceInstance: DiscoveredService]] = [:]

  /// How many names there are.
  var count: Int { services.count }

  /// Takes in a service; returns its name.
  mutating func add(_ service: DiscoveredService) -> String {
    services[service.instance.name, default: [:]][service.instance] = service
    return service.instance.name
  }

  /// Takes out an instance; returns whether it was the last one of its name.
  mutating func remove(_ instance: ServiceInstance) -> Bool {
    services[instance.name]?[instance] = nil
    guard services[instance.name]?.isEmpty ?? true else { return false }
    services[instance.name] = nil
    return true
  }

  /// Takes out everything; returns the names.
  mutating func removeAll() -> [String] {
    defer { services = [:] }
    return Array(services.keys)
  }

  /// Where a service answers, best first: IPv4 before IPv6, real interfaces before bridges.
  func addresses(of name: String) -> [SocketAddress] {
    let found = (services[name] ?? [:]).values.sorted { rank($0) < rank($1) }
    var addresses: [SocketAddress] = []
    for service in found {
      let text = service.address.contains(":") ? "[\(service.address)]" : service.address
      guard let address = try? SocketAddress(literal: "\(text):\(service.port)"),
        !addresses.contains(address)
      else { continue }
      addresses.append(address)
    }
    return addresses
  }

  /// The room that a service says it is.
  func room(of name: String) -> RoomID? {
    let id = services[name]?.values.lazy.compactMap { $0.text["id"] }.first
    return id.map { RoomID(rawValue: $0.lowercased()) }
  }

  private func rank(_ service: DiscoveredService) -> (Int, Int, Int32) {
    let isBridge = ["docker", "veth", "br-", "virbr", "lxc"].contains {
      service.interfaceName.hasPrefix($0)
    }
    return (isBridge ? 1 : 0, service.instance.family == .v4 ? 0 : 1, service.instance.interface)
  }
}

extension Coordinator {
  /// Takes in what Avahi tells.
  func receive(_ event: DiscoveryEvent) {
    guard !isShuttingDown else { return }
    noteZeroconf(event)
    switch event {
    case .available: log.info("looking for speakers by zeroconf")
    case .unavailable(let reason):
      for name in found.removeAll() { dropContact(.discovered(name)) }
      log.warning(
        "no zeroconf (\(reason)): speakers are found only by --speaker or where they were last; "
          + "install and start avahi-daemon, or give --no-zeroconf", kind: "zeroconf")
    case .published(let service, let name):
      let isRenamed = name != service.name
      log.info("announced as \"\(name)\"" + (isRenamed ? ": \"\(service.name)\" was taken" : ""))
    case .publishingFailed(let service, let reason):
      log.warning("\"\(service.name)\" cannot be announced: \(reason)")
    case .found(let service):
      let name = found.add(service)
      log.info(
        "found \"\(name)\" at \(service.address) (\(service.interfaceName))", kind: "found \(name)")
      renewContact(name)
    case .lost(let instance):
      if found.remove(instance) {
        log.info("\"\(instance.name)\" is not announced any more")
        dropContact(.discovered(instance.name))
      } else {
        renewContact(instance.name)
      }
    }
  }

  private func renewContact(_ name: String) {
    let addresses = found.addresses(of: name)
    guard !addresses.isEmpty else { return }
    addContact(Contact(.discovered(name), addresses: addresses, room: found.room(of: name)))
  }

  /// What this house announces.
  nonisolated static func announcement(
    name: String, port: UInt16, nodeID: [UInt8]
  ) -> ServiceAnnouncement {
    ServiceAnnouncement(
      name: name, type: FoundServices.coordinatorType, port: port,
      text: ["version": tuttiVersion, "id": RoomID(nodeID: nodeID).rawValue])
  }
}
