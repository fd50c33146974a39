// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What has changed in a queue.
public struct SavedQueueEdit: Sendable, Equatable {
  /// Which list of identities is meant.
  public enum Order: String, Sendable, Hashable {
    /// The order in which the tracks play.
    case play
    /// While shuffled, the order to go back to.
    case natural
    /// What was heard, oldest first.
    case history
  }

  /// Whether nothing that was kept stays.
  public var removesAll = false
  /// The tracks that are gone.
  public var removed: [UInt64] = []
  /// The tracks that are new, in any order.
  public var added: [SavedQueue.Item] = []
  /// The lists that have changed; nil: there is none any more.
  public var orders: [Order: [UInt64]?] = [:]
  /// The current track.
  public var current: UInt64?
  /// How often the queue has been edited.
  public var revision: UInt64
  /// The repeat mode, a word of the house's choosing.
  public var repeatMode: String
  /// The identity for the next new track.
  public var nextID: UInt64

  /// A change of nothing but where the queue is.
  ///
  /// - Parameters:
  ///   - current: The current track.
  ///   - revision: How often the queue has been edited.
  ///   - repeatMode: The repeat mode.
  ///   - nextID: The identity for the next new track.
  public init(current: UInt64?, revision: UInt64, repeatMode: String, nextID: UInt64) {
    self.current = current
    self.revision = revision
    self.repeatMode = repeatMode
    self.nextID = nextID
  }

  /// A whole queue in place of whatever was kept.
  ///
  /// - Parameter queue: The queue.
  public init(whole queue: SavedQueue) {
    self.init(
      current: queue.current, revision: queue.revision, repeatMode: queue.repeatMode,
      nextID: queue.nextID)
    removesAll = true
    added = queue.items
    orders = [
      .play: queue.items.map(\.id), .natural: queue.naturalOrder,
      .history: queue.history,
    ]
  }
}
