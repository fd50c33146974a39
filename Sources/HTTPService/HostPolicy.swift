// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Decides whether a web browser may be behind a request over TCP, and whose page it shows.
///
/// A page from anywhere can make the browser of somebody at home send requests to `localhost`,
/// directly (`Origin` names the page) or under a name that its owner points at 127.0.0.1 (`Host`
/// names that name). Both are refused, so that no page from elsewhere commands the house.
/// Programs that are no browsers send no `Origin` and pass.
enum HostPolicy {
  private static let localNames: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  /// Why the request is refused, or nil.
  static func refusal(host: String?, origin: String?, fetchSite: String?) -> String? {
    guard let host, localNames.contains(name(of: host).lowercased()) else {
      return "the address must be localhost, but the request says `\(host ?? "")`"
    }
    if let origin, origin.lowercased() != "http://" + host.lowercased() {
      return "a page from `\(origin)` must not command this house"
    }
    if let fetchSite, fetchSite != "same-origin", fetchSite != "none" {
      return "a page from another site must not command this house"
    }
    return nil
  }

  /// `localhost` of `localhost:7700`, `[::1]` of `[::1]:7700`.
  private static func name(of host: String) -> String {
    guard let colon = host.lastIndex(of: ":"),
      host[host.index(after: colon)...].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return host }
    return String(host[..<colon])
  }
}
