// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import WireProtocol

// The 16 random bits of the session say "same coordinator, same story"; they are drawn once and
// kept, so that rooms take a restarted coordinator's packets for a later generation even before its
// announcement reaches them. Numbers are reserved in blocks: a crash between two writes of the state
// costs a few numbers, never the order.

/// Names the generations of a group's stream.
public struct GenerationCounter: Sendable, Hashable {
  /// How many generations one write of the state covers.
  static let block: UInt16 = 32

  /// What has to survive a crash.
  public struct Saved: Sendable, Hashable {
    /// The random half.
    public var session: UInt16
    /// The first generation that was surely never used.
    public var firstUnused: UInt16

    /// A saved state.
    public init(session: UInt16, firstUnused: UInt16) {
      self.session = session
      self.firstUnused = firstUnused
    }
  }

  /// The random half of every name.
  public let session: UInt16
  private var following: UInt16
  private var reserved: UInt16 = 0

  /// A counter of a new session.
  ///
  /// - Parameter session: Random bits.
  public init(session: UInt16) {
    self.session = session
    following = 0
  }

  /// Goes on after a restart.
  public init(restoring saved: Saved) {
    session = saved.session
    following = saved.firstUnused
  }

  /// Draws the next name.
  ///
  /// - Returns: The name, and what must be saved before it is used, if anything.
  public mutating func next() -> (ssrc: SSRC, save: Saved?) {
    var saved: Saved?
    if reserved == 0 {
      reserved = Self.block
      saved = Saved(session: session, firstUnused: following &+ Self.block)
    }
    defer {
      following &+= 1
      reserved -= 1
    }
    return (SSRC(session: session, generation: following), saved)
  }
}
