// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A radio station that is being played.
public struct BroadcastDocument: Codable, Sendable, Hashable {
  /// What it plays, as it says itself.
  public var genre: String?
  /// What it says that it sends, in kilobits a second.
  public var kilobitsPerSecond: Int?
  /// What the rooms heard of it, the latest first: the first is heard now. Empty for a station that
  /// says nothing.
  public var titles: [HeardTitleDocument] = []
  /// Whether it sends.
  public var connection = BroadcastConnection.connected
  /// Why it does not, in words; absent when it does.
  public var lossReason: String?
  /// In how many seconds it is tried again; 0: at this moment; absent when it sends.
  public var nextTrySeconds: Int?

  /// A station that sends and says nothing.
  public init() {}
}

/// Whether a station sends.
public enum BroadcastConnection: String, Codable, Sendable, Hashable, CaseIterable {
  /// It does.
  case connected
  /// It does not, and is tried again and again.
  case reconnecting
  /// A word that this version does not know.
  case unknown

  /// Reads a connection; a word of a later version becomes ``unknown``.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When there is no text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = BroadcastConnection(rawValue: word) ?? .unknown
  }
}

/// A title that the rooms heard.
public struct HeardTitleDocument: Codable, Sendable, Hashable {
  /// The artist, where the station tells it from the title.
  public var artist: String?
  /// The title; "" when the station says that nothing in particular plays.
  public var title: String
  /// Since when it is heard, in seconds since 1970.
  public var sinceUnixSeconds: Double

  /// A title.
  ///
  /// - Parameters:
  ///   - artist: The artist, if known.
  ///   - title: The title.
  ///   - sinceUnixSeconds: Since when it is heard.
  public init(artist: String?, title: String, sinceUnixSeconds: Double) {
    (self.artist, self.title, self.sinceUnixSeconds) = (artist, title, sinceUnixSeconds)
  }
}
