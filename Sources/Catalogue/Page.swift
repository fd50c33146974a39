// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A part of a long list.
public struct Page<Item: Sendable>: Sendable {
  /// The items in order.
  public var items: [Item]
  /// Asks for what comes after them; nil at the end.
  public var nextCursor: String?
  /// How long the whole list is.
  public var total: Int

  /// A page.
  ///
  /// - Parameters:
  ///   - items: The items in order.
  ///   - nextCursor: Asks for what comes after them.
  ///   - total: How long the whole list is.
  public init(items: [Item], nextCursor: String? = nil, total: Int) {
    (self.items, self.nextCursor, self.total) = (items, nextCursor, total)
  }
}

extension Page: Equatable where Item: Equatable {}

/// Which part of a list is wanted.
public struct PageRequest: Sendable, Hashable {
  /// The most items that one page has.
  public static let largestLimit = 1_000
  /// What a page has when nobody says.
  public static let usualLimit = 100

  /// Where the page begins: a cursor from the page before; nil for the first.
  public var cursor: String?
  /// The most items that are wanted, 1 to ``largestLimit``.
  public var limit: Int

  /// A request.
  ///
  /// - Parameters:
  ///   - cursor: Where the page begins.
  ///   - limit: The most items that are wanted; brought into its bounds.
  public init(cursor: String? = nil, limit: Int = PageRequest.usualLimit) {
    self.cursor = cursor
    self.limit = min(max(1, limit), Self.largestLimit)
  }
}

/// Which songs or albums of the library are meant.
public enum Selection: Sendable, Hashable {
  /// All songs: audiobooks and podcasts are lists of their own.
  case all
  /// One song.
  case song(Int64)
  /// One album, in its order.
  case album(Int64)
  /// Everything with this artist, or filed under them.
  case artist(Int64)
  /// Everything by this composer.
  case composer(Int64)
  /// Everything of this genre.
  case genre(Int64)
  /// Everything of this year.
  case year(Int)
  /// A playlist, in its order.
  case playlist(Int64)
}
