// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// A system call that failed: what was tried, on what, and the kernel's reason.
public struct NetworkError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was tried, such as `cannot listen on [::]:7700`.
  public var operation: String
  /// The errno, positive.
  public var code: Int32
  /// What the user may try, or empty.
  public var advice: String

  /// An error of `operation` with the errno `code`.
  public init(operation: String, code: Int32, advice: String = "") {
    self.operation = operation
    self.code = code
    self.advice = advice
  }

  /// One sentence for a person.
  public var description: String {
    let reason = "\(operation): \(Self.words(for: code))"
    return advice.isEmpty ? reason : "\(reason); \(advice)"
  }

  /// EADDRINUSE: another program has the port.
  public var isAddressInUse: Bool { code == 98 }

  /// The C library's words for an errno.
  static func words(for code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let start = text.baseAddress else { return "error \(code)" }
      tutti_error_text(code, start)
      return String(cString: start)
    }
  }

  /// An error about listening, with advice for the two that people meet.
  static func listening(on address: SocketAddress, transport: String, code: Int32) -> Self {
    let advice =
      switch code {
      case 98:
        "another program uses \(transport) port \(address.port): stop it, or choose another "
          + "port with --port"
      case 13: "ports below 1024 need privileges: choose another with --port"
      case 99: "this host has no such address: check --listen"
      default: ""
      }
    return Self(
      operation: "cannot listen on \(transport) \(address)", code: code, advice: advice)
  }
}

/// A host name that could not be turned into an address.
public struct ResolveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name or literal as the user wrote it.
  public var name: String
  /// Why not.
  public var reason: String

  /// One sentence for a person.
  public var description: String { "cannot find the host \"\(name)\": \(reason)" }
}
