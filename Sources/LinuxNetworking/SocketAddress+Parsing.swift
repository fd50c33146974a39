// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

// Forms that users write: `host`, `host:port`, `1.2.3.4`, `1.2.3.4:port`, `::1`, `[::1]`,
// `[fe80::1%eth0]:port`. A bare IPv6 literal has two colons or more and therefore no port.

extension SocketAddress {
  /// Splits `host:port` without asking the network.
  ///
  /// - Parameters:
  ///   - text: What the user wrote.
  ///   - defaultPort: The port when none was written.
  /// - Returns: The host and the port.
  /// - Throws: `ResolveError` when the text has no host or no sensible port.
  public static func split(
    _ text: String, defaultPort: UInt16
  ) throws(ResolveError) -> (host: String, port: UInt16) {
    let (host, port): (Substring, Substring?)
    if text.hasPrefix("[") {
      guard let close = text.firstIndex(of: "]") else {
        throw ResolveError(name: text, reason: "the closing ] is missing")
      }
      host = text[text.index(after: text.startIndex)..<close]
      let rest = text[text.index(after: close)...]
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw ResolveError(name: text, reason: "only :PORT may follow the ]")
      }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else {
      let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      host = colons == 1 ? parts[0] : text[...]
      port = colons == 1 ? parts[1] : nil
    }
    guard !host.isEmpty, !host.utf8.contains(0) else {
      throw ResolveError(name: text, reason: "no host name is given")
    }
    guard let port else { return (String(host), defaultPort) }
    guard let number = UInt16(port), number > 0 else {
      throw ResolveError(name: text, reason: "the port must be a number from 1 to 65535")
    }
    return (String(host), number)
  }

  /// Reads a literal address, with or without a port; never asks the network.
  ///
  /// - Parameters:
  ///   - text: Such as `192.168.1.7:7701` or `[::1]`.
  ///   - defaultPort: The port when none is written.
  /// - Throws: `ResolveError` when it is not a literal.
  public init(literal text: String, defaultPort: UInt16 = 0) throws(ResolveError) {
    let (host, port) = try Self.split(text, defaultPort: defaultPort)
    let found = try Self.lookUp(host, port: port, numeric: true)
    guard let first = found.first else {
      throw ResolveError(name: text, reason: "it is not an IP address")
    }
    self = first
  }

  /// Resolves `host:port`; blocks the calling thread while the network is asked.
  ///
  /// - Parameters:
  ///   - text: A host name or a literal, with or without a port.
  ///   - defaultPort: The port when none is written.
  /// - Returns: The addresses, best first; never empty.
  /// - Throws: `ResolveError` when nothing is found.
  public static func resolve(
    _ text: String, defaultPort: UInt16
  ) throws(ResolveError) -> [SocketAddress] {
    let (host, port) = try split(text, defaultPort: defaultPort)
    let found = try lookUp(host, port: port, numeric: false)
    guard !found.isEmpty else {
      throw ResolveError(name: text, reason: "the name has no address")
    }
    return found
  }

  private static func lookUp(
    _ host: String, port: UInt16, numeric: Bool
  ) throws(ResolveError) -> [SocketAddress] {
    var found = [tutti_endpoint](repeating: tutti_endpoint(), count: 16)
    let count = found.withUnsafeMutableBufferPointer { room in
      tutti_resolve(host, port, numeric ? 1 : 0, room.baseAddress, UInt32(room.count))
    }
    guard count >= 0 else {
      let reason = tutti_resolve_error_text(count).map { String(cString: $0) } ?? "unknown"
      throw ResolveError(name: host, reason: reason)
    }
    return found.prefix(Int(count)).map { SocketAddress($0) }
  }
}
