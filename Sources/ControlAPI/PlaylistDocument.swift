// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The answer to `GET /api/v1/playlists`: the queues that were saved, sorted by name.
public struct PlaylistListDocument: Codable, Sendable, Hashable {
  /// Every one.
  public var playlists: [PlaylistDocument]

  /// A list of playlists.
  ///
  /// - Parameter playlists: Every one.
  public init(playlists: [PlaylistDocument]) { self.playlists = playlists }
}

/// A queue that was saved.
public struct PlaylistDocument: Codable, Sendable, Hashable {
  /// Its name, as it was given.
  public var name: String
  /// How many tracks it has.
  public var count: Int
  /// When it was saved: seconds since 1970.
  public var savedUnixSeconds: Double

  /// A playlist.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - count: How many tracks it has.
  ///   - savedUnixSeconds: When it was saved.
  public init(name: String, count: Int, savedUnixSeconds: Double) {
    self.name = name
    self.count = count
    self.savedUnixSeconds = savedUnixSeconds
  }
}
