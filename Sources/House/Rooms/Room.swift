// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Who a room is, whatever it is called and wherever it answers: its speaker's node id in hex.
public struct RoomID: Sendable, Hashable, Comparable {
  /// The node id, in lower-case hex.
  public var rawValue: String

  /// The room of the speaker with this node id.
  ///
  /// - Parameter rawValue: The node id, in lower-case hex.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The room of the speaker with this node id.
  ///
  /// - Parameter nodeID: The bytes of the node id.
  public init(nodeID: [UInt8]) {
    let digits = Array("0123456789abcdef")
    rawValue = nodeID.reduce(into: "") { text, byte in
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
  }

  /// Orders rooms that have nothing else to order them.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Seconds since 1970, as people see them; for display only, since this clock may step.
public struct WallTime: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Seconds since 1970.
  public var seconds: Double

  /// The moment `seconds` after 1970 began.
  @inlinable public init(seconds: Double) { self.seconds = seconds }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.seconds < b.seconds }
}

/// A speaker by its name in the house.
public struct Room: Sendable, Equatable, Identifiable {
  /// Who it is.
  public let id: RoomID
  /// What it calls itself.
  public internal(set) var announcedName: String
  /// What the house calls it: its own name, made unique.
  public internal(set) var name: String
  /// Where it answered last, as `host:port`.
  public internal(set) var address: String?
  /// Whether a control link to it is up.
  public internal(set) var isOnline = false
  /// Since when it has been online, or gone; nil when it has not been seen by this program.
  public internal(set) var since: WallTime?
  /// How loud it is.
  public internal(set) var loudness: Loudness

  /// The volume and mute of a room, and which order they answer to.
  public struct Loudness: Sendable, Hashable {
    /// 0 to 100; nil while the room has never told.
    public var volume: Int?
    /// Whether it is muted.
    public var isMuted: Bool
    /// The number of the last order; a report with an older one tells of the past.
    public var serial: UInt64

    /// A loudness.
    ///
    /// - Parameters:
    ///   - volume: 0 to 100; nil while unknown.
    ///   - isMuted: Whether it is muted.
    ///   - serial: The number of the last order.
    public init(volume: Int? = nil, isMuted: Bool = false, serial: UInt64 = 0) {
      self.volume = volume
      self.isMuted = isMuted
      self.serial = serial
    }
  }
}

/// Rooms that play one queue. Today there is one, of all rooms.
public struct Group: Sendable, Hashable, Identifiable {
  /// The word that names it in paths and commands.
  public let id: String
  /// What people call it.
  public let name: String

  /// The one group, with every room in it.
  public static let house = Group(id: "house", name: "All rooms")
}
