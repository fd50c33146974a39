// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The files in `Page` are compiled in: packaging has nothing to install beside the program, and page and
// API are always of one version. It costs the size of the files.

/// The page that browsers get at `/`: rooms, what plays, transport and volume, by the API alone.
public enum PlayerPage {
  /// A file of the page.
  public struct File: Sendable {
    /// Its bytes.
    public let bytes: [UInt8]
    /// Its type, for the `Content-Type` header.
    public let mediaType: String
  }

  /// What is at a path.
  ///
  /// - Parameter path: The request's path.
  /// - Returns: The file; nil when the page has none there.
  public static func file(at path: String) -> File? {
    switch path {
    case "/": File(bytes: PackageResources.index_html, mediaType: "text/html; charset=utf-8")
    case "/player.css":
      File(bytes: PackageResources.player_css, mediaType: "text/css; charset=utf-8")
    case "/player.js":
      File(bytes: PackageResources.player_js, mediaType: "text/javascript; charset=utf-8")
    case "/icon.svg": File(bytes: PackageResources.icon_svg, mediaType: "image/svg+xml")
    default: nil
    }
  }

  /// What the page may do in a browser (Content Security Policy 3): load and call its own origin, and
  /// nothing else; be in nobody's frame.
  public static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
