// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import ClockSync
public import Playout
internal import RealtimeAudio
internal import WireProtocol

// A room in virtual time: the real ClockClient, StreamReceiver, PlayoutPump and Renderer between a
// virtual network and a virtual sound card. The two threads of a speaker are two families of events
// here; what passes between them passes at once.

/// A speaker whose host, network and card are made up.
public final class VirtualRoom {
  /// What the room is like.
  public struct Configuration: Sendable {
    /// Its host's oscillator.
    public var host = VirtualCrystal.Error(ppm: 0)
    /// Its sound card.
    public var card = VirtualSoundCard.Model(crystal: .init(ppm: 0))
    /// From the coordinator to it.
    public var down = VirtualLink.Quality.lan
    /// From it to the coordinator.
    public var up = VirtualLink.Quality.lan
    /// The room's own setting.
    public var latency = Nanoseconds.zero
    /// Device frames that are kept written, in seconds.
    public var fill = 0.045
    /// Whether samples are computed; without them only positions, by the renderer's own arithmetic.
    public var rendersSamples = true

    /// A wired room without errors.
    public init() {}

    /// How late the room sounds by what no exchange of stamps can show, in seconds.
    public var invisibleError: Double { (down.base - up.base) / 2 }
  }

  /// The clock half.
  public internal(set) var clock: ClockClient
  /// The network half.
  public internal(set) var receiver = StreamReceiver()
  /// What happened to each block that sounded.
  public internal(set) var trace = RoomTrace()
  /// Called with every block when it is handed to the card.
  public var onBlock: ((_ block: RoomBlock) -> Void)?
  /// Called with every block that sounded, when it has been heard.
  public var onHeard: ((_ block: HeardBlock) -> Void)?
  /// From the coordinator to the room; may be changed.
  public var down: VirtualLink
  /// From the room to the coordinator; may be changed.
  public var up: VirtualLink
  /// What the room is like.
  public let configuration: Configuration

  let world: VirtualWorld
  let coordinator: VirtualCoordinator
  let bank = LaneBank()
  var host: VirtualHost
  var card: VirtualSoundCard
  var random: SeededRandom
  var renderer: Renderer
  var pump: PlayoutPump
  var snapshot = PlayoutSnapshot(gain: 1)
  var snapshotAt = TrueInstant(nanoseconds: 0)
  var output: [Float]
  /// Blocks on their way through the card.
  var planned = PlannedBlocks()
  /// Counts stops and sleeps: what was to happen before one does not happen after it.
  var life = 0
  /// Counts how often the next question for the time was brought forward.
  var questions = 0
  /// Counts cuts of the network.
  var cuts = 0
  /// Whether its host sleeps.
  var isAsleep = false
  /// Whether its card is away or taken, and when it is back.
  var isCardAway = false
  var cardIsBackAt = TrueInstant(nanoseconds: 0)
  /// How often it was looked for in vain.
  var openings = 0
  /// Whether the control link carries anything.
  var hearsControl = true
  /// What the coordinator calls this room; nil while the room is away.
  public internal(set) var destination: UInt64?

  /// Device frames rendered at a time: 10 ms.
  let blockFrames: Int

  /// A room that is switched on now.
  ///
  /// - Parameters:
  ///   - configuration: What it is like.
  ///   - coordinator: Whom it listens to.
  ///   - seed: Draws all that is random about it.
  public init(
    _ configuration: Configuration, coordinator: VirtualCoordinator, seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    let rate = configuration.card.rate
    let now = coordinator.world.now
    self.configuration = configuration
    self.coordinator = coordinator
    world = coordinator.world
    host = VirtualHost(error: configuration.host, seed: random.next())
    clock = ClockClient(seed: random.next())
    down = VirtualLink(configuration.down, seed: random.next())
    up = VirtualLink(configuration.up, seed: random.next())
    card = VirtualSoundCard(
      configuration.card, prefill: Int64(configuration.fill * Double(rate)), startingAt: now,
      seed: random.next())
    renderer = Renderer(bank: bank, deviceRate: rate)
    renderer.startGain(at: 1)
    pump = PlayoutPump(deviceRate: rate)
    blockFrames = rate / 100
    output = configuration.rendersSamples ? Array(repeating: 0, count: 2 * blockFrames) : []
    snapshot.latency = configuration.latency
    self.random = random
    start()
  }

  /// Whether it is switched on and not asleep.
  public var isAwake: Bool { destination != nil && !isAsleep }
  /// Blocks that were jumped in while they sounded.
  public var resyncs: UInt64 { pump.resyncs }
  /// Frames that the card wanted and did not get.
  public var cardUnderruns: Int64 { card.underrunFrames }
  /// Frames that were due and not in their lane.
  public var missingFrames: UInt64 { bank.progress.read().underrunFrames }
  /// The card's frequency error as the room found it.
  public var cardFrequency: PartsPerMillion { pump.dac.frequency }
  /// What the room itself believes of its sync error over the last ten seconds.
  public func reportedError() -> SyncErrorSummary {
    pump.syncError(at: host.local(at: world.now)).tenSeconds
  }
  /// The room's idea of the media clock at this moment.
  public func clockMap() -> ClockMap? { clock.map(at: host.local(at: world.now)) }

  /// How far the room's idea of the media clock is off, in seconds; positive: ahead.
  public func clockError() -> Double? {
    guard let map = clockMap(), let truth = coordinator.media(at: world.now, of: map.clockID)
    else { return nil }
    return (map.media(at: host.local(at: world.now)) - truth).inSeconds
  }

  /// Lets `action` happen at `moment`, unless the room was stopped or fell asleep by then.
  func schedule(at moment: TrueInstant, _ action: @escaping (VirtualRoom) -> Void) {
    let life = life
    world.schedule(at: moment) {
      if self.life == life { action(self) }
    }
  }
}
