// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import House
public import LinuxNetworking

/// The settings of the playback engine.
public struct EngineConfiguration: Sendable {
  /// Where to receive UDP: clock questions, acknowledgements. Audio is sent from here too.
  public var listen: SocketAddress
  /// The group whose queue is played.
  public var groupID: String
  /// The playout delay D: how much the rooms hold. 6 s survive Wi-Fi stalls and our own restart.
  public var playoutDelay: Nanoseconds
  /// Opus, average bits per second.
  public var bitRate: Int
  /// The cap on bursts, all rooms together, bits per second.
  public var burstBitsPerSecond: Int64

  /// Settings; all but the address have the defaults of the design.
  public init(
    listen: SocketAddress, groupID: String = "house",
    playoutDelay: Nanoseconds = .seconds(6), bitRate: Int = 192_000,
    burstBitsPerSecond: Int64 = Pace.defaultBitsPerSecond
  ) {
    self.listen = listen
    self.groupID = groupID
    self.playoutDelay = playoutDelay
    self.bitRate = bitRate
    self.burstBitsPerSecond = burstBitsPerSecond
  }
}

/// What the media path keeps across restarts; the state store is one.
///
/// Called from the engine's threads and when it is made; `save` must have reached the disk's cache
/// when it returns (it may be a kill -9 that follows, not a power cut).
public protocol StreamStorage: Sendable {
  /// The media clock as it was last saved.
  func savedClock() -> SavedMediaClock?
  /// Keeps the media clock.
  func save(_ clock: SavedMediaClock)
  /// The names of generations as they were last saved.
  func savedGenerations() -> GenerationCounter.Saved?
  /// Keeps the names of generations.
  func save(_ generations: GenerationCounter.Saved)
}
