// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The whole house at one moment: the answer to `GET /api/v1/state`.
public struct StateDocument: Codable, Sendable, Hashable {
  /// Grows with every change; two documents with equal boot and revision are equal.
  public var revision: UInt64
  /// Who answers.
  public var coordinator: CoordinatorDocument
  /// Every known room, present or not, sorted by name.
  public var rooms: [RoomDocument]
  /// Every group; there is always one.
  public var groups: [GroupDocument]

  /// A state document.
  ///
  /// - Parameters:
  ///   - revision: Grows with every change.
  ///   - coordinator: Who answers.
  ///   - rooms: Every known room.
  ///   - groups: Every group.
  public init(
    revision: UInt64, coordinator: CoordinatorDocument, rooms: [RoomDocument],
    groups: [GroupDocument]
  ) {
    self.revision = revision
    self.coordinator = coordinator
    self.rooms = rooms
    self.groups = groups
  }
}

/// The answer to `GET /api/v1/rooms`.
public struct RoomListDocument: Codable, Sendable, Hashable {
  /// Every known room, present or not, sorted by name.
  public var rooms: [RoomDocument]

  /// A list of rooms.
  ///
  /// - Parameter rooms: Every known room.
  public init(rooms: [RoomDocument]) { self.rooms = rooms }
}

/// The coordinator itself.
public struct CoordinatorDocument: Codable, Sendable, Hashable {
  /// The house's name, for people.
  public var name: String
  /// The software's version.
  public var version: String
  /// SHA-256 of its public key in hexadecimal.
  public var id: String
  /// Names this run of the process; event ids begin with it.
  public var boot: String
  /// The folders whose files it opens for anybody who may command it, as absolute paths.
  public var musicFolders: [String]
  /// The names of its live inputs, in the order in which they were given.
  public var inputs: [String]

  /// A coordinator's document.
  ///
  /// - Parameters:
  ///   - name: The house's name.
  ///   - version: The software's version.
  ///   - id: SHA-256 of its public key in hexadecimal.
  ///   - boot: Names this run of the process.
  ///   - musicFolders: The folders whose files it opens.
  ///   - inputs: The names of its live inputs.
  public init(
    name: String, version: String, id: String, boot: String, musicFolders: [String],
    inputs: [String] = []
  ) {
    self.name = name
    self.version = version
    self.id = id
    self.boot = boot
    self.musicFolders = musicFolders
    self.inputs = inputs
  }
}
