// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Where a coordinator's API is: what `--server` and `TUTTI_SERVER` say.
public enum ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// A Unix socket, by absolute or relative path.
  case unix(path: String)
  /// An `http://` or `https://` base address without a trailing slash.
  case url(String)

  /// Reads `unix:PATH`, `http://HOST[:PORT]` or `https://HOST[:PORT]`; nil for anything else.
  public init?(_ text: String) {
    if text.hasPrefix("unix:"), text.count > 5 {
      self = .unix(path: String(text.dropFirst(5)))
    } else if Self.hosts.contains(where: { text.hasPrefix($0) && text.count > $0.count }) {
      self = .url(text.hasSuffix("/") ? String(text.dropLast()) : text)
    } else {
      return nil
    }
  }

  private static let hosts = ["http://", "https://"]

  /// The address as `--server` takes it.
  public var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .url(let base): base
    }
  }

  /// The full address of an absolute path of the API; for a Unix socket the host is a formality.
  func url(path: String) -> String {
    switch self {
    case .unix: "http://localhost\(path)"
    case .url(let base): base + path
    }
  }
}
