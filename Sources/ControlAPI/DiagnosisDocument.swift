// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What only the coordinator knows of itself: the answer to `GET /api/v1/diagnosis`, for `tutti doctor`.
public struct DiagnosisDocument: Codable, Sendable, Hashable {
  /// The software's version.
  public var version: String
  /// How long this run of the process has lasted.
  public var uptimeSeconds: Double
  /// The UDP port of stream and clock.
  public var port: Int
  /// How much music the rooms hold.
  public var playoutDelayMilliseconds: Double
  /// How many speakers `--speaker` names.
  public var configuredSpeakers: Int
  /// How it is found and finds speakers.
  public var zeroconf: ZeroconfDocument
  /// The folders of music, in the order in which they were given.
  public var musicFolders: [FolderDocument]
  /// Where state and uploads are kept.
  public var stateFolder: FolderDocument
  /// What uploads take.
  public var uploadBytes: UInt64
  /// What they may take.
  public var uploadCapacityBytes: UInt64
  /// Whether the thread that sends runs before all ordinary work.
  public var isRealtime: Bool

  /// A diagnosis.
  public init(
    version: String, uptimeSeconds: Double, port: Int, playoutDelayMilliseconds: Double,
    configuredSpeakers: Int, zeroconf: ZeroconfDocument, musicFolders: [FolderDocument],
    stateFolder: FolderDocument, uploadBytes: UInt64, uploadCapacityBytes: UInt64, isRealtime: Bool
  ) {
    self.version = version
    self.uptimeSeconds = uptimeSeconds
    self.port = port
    self.playoutDelayMilliseconds = playoutDelayMilliseconds
    self.configuredSpeakers = configuredSpeakers
    self.zeroconf = zeroconf
    self.musicFolders = musicFolders
    self.stateFolder = stateFolder
    self.uploadBytes = uploadBytes
    self.uploadCapacityBytes = uploadCapacityBytes
    self.isRealtime = isRealtime
  }
}

/// How a coordinator is found and finds speakers.
public struct ZeroconfDocument: Codable, Sendable, Hashable {
  /// Whether it is to be used; `--no-zeroconf` says no.
  public var isUsed: Bool
  /// Whether avahi-daemon is there.
  public var isAvailable = false
  /// Why not, or why the house cannot be announced, in Avahi's words.
  public var problem: String?
  /// The name that the house is announced under.
  public var announcedName: String?
  /// How many speakers are announced.
  public var speakersFound = 0

  /// Nothing known yet.
  ///
  /// - Parameter isUsed: Whether it is to be used.
  public init(isUsed: Bool) { self.isUsed = isUsed }
}

/// A folder as its user finds it.
public struct FolderDocument: Codable, Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// Why it cannot be used, in the system's words; absent when it can.
  public var problem: String?
  /// The file system's type: `ext4`, `nfs4`, `fuse.sshfs`.
  public var fileSystem: String?
  /// Whether it is on another machine.
  public var isNetwork = false
  /// What is free for ordinary users.
  public var freeBytes: UInt64?

  /// A folder of which nothing is known yet.
  ///
  /// - Parameter path: The absolute path.
  public init(path: String) { self.path = path }
}
