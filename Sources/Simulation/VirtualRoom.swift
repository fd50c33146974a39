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
  public struct Configuration {
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

    /// A wired room without errors.
    public init() {}
  }

  /// The clock half.
  public internal(set) var clock: ClockClient
  /// The network half.
  public internal(set) var receiver = StreamReceiver()
  /// What happened to each block that sounded.
  public internal(set) var trace = RoomTrace()
  /// Called with every block: its first device frame, its samples, when it is heard in true seconds.
  public var onBlock: ((_ block: RoomBlock) -> Void)?
  /// From the coordinator to the room; may be changed.
  public var down: VirtualLink
  /// From the room to the coordinator; may be changed.
  public var up: VirtualLink

  let world: VirtualWorld
  let coordinator: VirtualCoordinator
  let configuration: Configuration
  let bank = LaneBank()
  var host: VirtualHost
  var card: VirtualSoundCard
  var random: SeededRandom
  var renderer: Renderer
  var pump: PlayoutPump
  var snapshot = PlayoutSnapshot(gain: 1)
  var output: [Float]

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
    output = Array(repeating: 0, count: 2 * blockFrames)
    snapshot.latency = configuration.latency
    self.random = random
    startNetwork()
    wakeAudio()
  }

  /// Blocks that were jumped in while they sounded.
  public var resyncs: UInt64 { pump.resyncs }
  /// Frames that the card wanted and did not get.
  public var cardUnderruns: Int64 { card.underrunFrames }
  /// Frames that were due and not in their lane.
  public var missingFrames: UInt64 { bank.progress.read().underrunFrames }
  /// The card's frequency error as the room found it.
  public var cardFrequency: PartsPerMillion { pump.dac.frequency }
  /// What the room itself believes of its sync error over the last ten seconds.
  public func reportedError() -> SyncErrorSummary { pump.syncError(at: host.local(at: world.now)) }
}

// MARK: - The audio thread

extension VirtualRoom {
  private func wakeAudio() {
    readCard()
    let fill = Int64(configuration.fill * Double(configuration.card.rate))
    while card.written - card.playing(at: world.now) < fill { renderBlock() }
    let wake = host.local(at: world.now) + Nanoseconds(seconds: 0.009 + 0.002 * random.unit())
    world.schedule(at: host.moment(of: wake)) { self.wakeAudio() }
    guard pump.wantsExtraReadings else { return }
    for _ in 0..<3 {
      world.schedule(at: world.now.advanced(bySeconds: 0.009 * random.unit())) { self.readCard() }
    }
  }

  private func readCard() {
    let pointer = card.pointer(at: world.now)
    let noise = Nanoseconds(seconds: configuration.card.stampNoise * random.unit())
    pump.observe(
      DeviceStatus(
        framesWritten: card.written, delayFrames: card.written - pointer,
        stamp: host.local(at: world.now) + noise, uncertainty: .zero))
  }

  private func renderBlock() {
    let start = card.written
    let order = pump.plan(
      snapshot, blockStart: start, frames: blockFrames, position: renderer.position)
    if let order {
      let position = order.jumpTo ?? renderer.position
      output.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress {
          renderer.render(order, into: base, frames: blockFrames)
        }
      }
      note(start, position, order)
    }
    card.write(blockFrames)
  }

  /// Compares with the truth: when the block is heard, and when it was due.
  private func note(_ start: Int64, _ position: MediaPosition, _ order: RenderOrder) {
    let heardSeconds = card.heard(start)
    let heard = coordinator.media(at: TrueInstant(seconds: heardSeconds))
    let due =
      position.instant + snapshot.delay.delay(at: position.frame) + snapshot.latency
    let block = RoomBlock(
      deviceFrame: start, position: position, step: order.step, heardSeconds: heardSeconds,
      error: (heard - due).inSeconds, samples: output)
    trace.add(block, isAudible: isAudible(position), isJump: order.jumpTo != nil)
    onBlock?(block)
  }

  private func isAudible(_ position: MediaPosition) -> Bool {
    guard let announcement = receiver.announcement else { return false }
    return receiver.activity == .playing && position.frame >= announcement.firstAudible
  }
}
