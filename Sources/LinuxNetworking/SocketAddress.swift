// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// An IP address and a port.
///
/// IPv4 addresses are held as IPv6 `::ffff:a.b.c.d`, so that the same peer compares equal whether
/// it was seen on an IPv4 or on a dual-stack socket.
public struct SocketAddress: Sendable, Hashable, BitwiseCopyable {
  /// The first eight octets as a number.
  public var high: UInt64
  /// The last eight octets as a number.
  public var low: UInt64
  /// The interface index of a link-local IPv6 address, else 0.
  public var scope: UInt32
  /// The port; 0 when bound means "any free one".
  public var port: UInt16

  /// The address with these parts.
  public init(high: UInt64, low: UInt64, scope: UInt32 = 0, port: UInt16) {
    (self.high, self.low, self.scope, self.port) = (high, low, scope, port)
  }

  init(_ endpoint: tutti_endpoint) {
    self.init(high: endpoint.high, low: endpoint.low, scope: endpoint.scope, port: endpoint.port)
  }

  /// Every address of this host, IPv6 and IPv4.
  public static func any(port: UInt16) -> Self { Self(high: 0, low: 0, port: port) }

  /// 127.0.0.1.
  public static func loopback(port: UInt16) -> Self {
    Self(high: 0, low: 0xffff_7f00_0001, port: port)
  }

  /// The same address with another port.
  public func with(port: UInt16) -> Self {
    Self(high: high, low: low, scope: scope, port: port)
  }

  /// Whether it is an IPv4 address.
  public var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

  /// Whether it is an address of this host only (127.0.0.0/8 or ::1).
  public var isLoopback: Bool { isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1 }

  /// The address without its port, such as `192.168.1.7` or `fe80::1%eth0`.
  public var host: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress else { return "" }
      var endpoint = endpoint
      tutti_format_address(&endpoint, start)
      return String(cString: start)
    }
  }

  var endpoint: tutti_endpoint {
    tutti_endpoint(high: high, low: low, scope: scope, port: port)
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The address as a user would write it: `192.168.1.7:7700` or `[fe80::1%eth0]:7700`.
  public var description: String { isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
