// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A service that this program offers.
public struct ServiceAnnouncement: Sendable, Hashable {
  /// What people see, at most 63 bytes of UTF-8; another is chosen when it is taken.
  public var name: String
  /// Such as `_tutti-speaker._tcp`.
  public var type: String
  /// Where it listens.
  public var port: UInt16
  /// Key and value pairs; each at most 255 bytes together.
  public var text: [String: String]

  /// A service of `type` on `port`.
  public init(name: String, type: String, port: UInt16, text: [String: String] = [:]) {
    self.name = name
    self.type = type
    self.port = port
    self.text = text
  }
}

/// The address family by which a service was found.
public enum AddressFamily: Sendable, Hashable {
  /// IPv4.
  case v4
  /// IPv6.
  case v6
}

/// One way to a service: the same service seen on two interfaces is two instances.
public struct ServiceInstance: Sendable, Hashable {
  /// The name it is announced under.
  public var name: String
  /// Such as `_tutti-speaker._tcp`.
  public var type: String
  /// `local` as a rule.
  public var domain: String
  /// The index of the network interface of this host that it was seen on.
  public var interface: Int32
  /// The family it was seen by.
  public var family: AddressFamily

  /// An instance with these marks.
  public init(name: String, type: String, domain: String, interface: Int32, family: AddressFamily) {
    self.name = name
    self.type = type
    self.domain = domain
    self.interface = interface
    self.family = family
  }
}

/// A service of somebody with its address.
public struct DiscoveredService: Sendable, Hashable {
  /// Which it is.
  public var instance: ServiceInstance
  /// The host, such as `kitchen.local`.
  public var host: String
  /// A literal address; link-local IPv6 has its interface behind a `%`.
  public var address: String
  /// Where it listens.
  public var port: UInt16
  /// What it says about itself; keys in lower case, since they do not depend on it (RFC 6763).
  public var text: [String: String]
  /// The name of the interface, such as `wlan0`; its number when it has none any more.
  public var interfaceName: String
  /// Whether it is on this very host.
  public var isOnThisHost: Bool
}

/// What has changed; each is worth one line in a log.
public enum DiscoveryEvent: Sendable, Hashable {
  /// The avahi-daemon is there, or there again.
  case available
  /// The avahi-daemon or D-Bus is not there: everything found before is lost, and it is tried again
  /// in silence until `available`.
  case unavailable(reason: String)
  /// A service of ours can be found; `name` differs from what was asked for when that was taken.
  case published(ServiceAnnouncement, name: String)
  /// A service of ours cannot be published; it is not tried again before something changes.
  case publishingFailed(ServiceAnnouncement, reason: String)
  /// A service is there, or its address or text has changed.
  case found(DiscoveredService)
  /// A service that was found is gone.
  case lost(ServiceInstance)
}
