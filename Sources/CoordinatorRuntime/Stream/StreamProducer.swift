// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import OpusCodec
internal import Synchronization
internal import WireProtocol

// The producer decides what flows. At any time there may be
//
//   generation   packets of it are being made and sent
//   pending      a line at whose `content` a new generation begins as soon as that has been read
//   line         the line of the generation, or the one that a pause keeps
//
// A button only replaces `pending`; what sounds goes on until the new music is there, and is faded
// over into it. All times are of the media clock.

/// A chain of tracks and what reads it.
struct Line {
  let number: Int
  let history: PCMHistory
  /// The live input that it is, alone in its chain.
  var live: LiveTrack?

  /// Frames in a packet of it.
  var packetFrames: Int64 { live?.packetFrames ?? 960 }
}

/// A generation that begins as soon as its first packet can be made.
struct PendingStart {
  var line: Line
  /// Where it begins.
  var content: Int64
  /// The stamp that `content` should have; nil: as soon as possible.
  var stamp: MediaFrame?
  /// What to do when that is too late: skip what should have been heard, or begin later.
  var skipsWhenLate = false
  /// How many frames must have been read.
  var needed: Int64
  /// Since when it is waited for.
  var since: MediaInstant
  /// Not before this: what sounded with another delay has to fade first.
  var earliest: MediaInstant?
}

/// Makes the packets of a group's stream, on a thread of its own.
final class StreamProducer {
  /// SCHED_FIFO, below the media thread and the readers of live inputs: with 60 ms from sending to hearing
  /// it may not stand behind ordinary work. Its longest run is a start's burst, 300 packets in 40 ms.
  static let priority: Int32 = 10
  /// Packets are made this far ahead of their stamp at least, and then a few at once: the media
  /// thread never waits for the encoder, and neither wakes for every packet.
  static let lowWater = Nanoseconds.milliseconds(60)
  static let highWater = Nanoseconds.milliseconds(140)
  /// Packets made between two looks at the letter box; 16 take 2 ms.
  static let packetsPerTurn = 16
  /// What sounds goes on so long while the next track is being opened, then it is faded out.
  static let patience = Nanoseconds.milliseconds(500)

  let shared: EngineShared
  let storage: any StreamStorage
  let sources: any PCMSourceOpener
  let inputs: LiveInputs
  let log: Log
  var encoder: PacketEncoder
  var counter: GenerationCounter

  var phase = EnginePhase.idle
  var line: Line?
  var pending: PendingStart?
  var generation: Generation?
  /// Where `resume` goes on in `line`.
  var pausedAt: Int64 = 0
  var rooms: [RoomDestination] = []
  var timeline = StreamTimeline()
  /// Runs that have been laid out and are not heard yet, in order.
  var unheard: [PositionRun] = []
  /// Titles of a live stream that have been laid out and are not heard yet, in order.
  var unheardTitles: [LaidOutTitle] = []
  /// The title that was heard last.
  var heardTitle: LaidOutTitle?
  var flushSerial: UInt32 = .random(in: 0...UInt32.max)
  var lineNumber = 0
  var isShutDown = false
  private var unreported: [EngineEvent] = []
  /// Whether packets are due that the last turn did not get round to.
  var hasMore = false
  /// The last look at the media clock; after a sleep of the host, the time of the old clock.
  var lastLook: MediaInstant

  /// The playout delay of what sounds, or sounded last.
  var delay: DelayRamp
  /// When what sounded last has faded everywhere.
  var quietFrom: MediaInstant
  /// The playout delays of live inputs, by name: what was learnt of the rooms stays.
  var adaptive: [String: AdaptiveDelay] = [:]

  init(
    shared: EngineShared, storage: any StreamStorage, sources: any PCMSourceOpener,
    inputs: LiveInputs = LiveInputs(), log: Log
  ) throws(OpusError) {
    self.shared = shared
    self.storage = storage
    self.sources = sources
    self.inputs = inputs
    delay = DelayRamp(constant: shared.configuration.playoutDelay)
    quietFrom = shared.clock.now()
    self.log = log
    encoder = try PacketEncoder(bitRate: shared.configuration.bitRate)
    counter =
      storage.savedGenerations().map { GenerationCounter(restoring: $0) }
      ?? GenerationCounter(session: .random(in: 1...UInt16.max))
    lastLook = shared.clock.now()
  }

  /// The thread's body.
  func run() {
    while !isShutDown {
      renewClock()
      for command in shared.producer.take() { perform(command) }
      advance(at: look())
      publish()
      guard !isShutDown, !hasMore else { continue }
      shared.producer.poller.wait(until: nextDeadline) { _ in }
    }
  }

  /// Reads the clock.
  func look() -> MediaInstant {
    lastLook = shared.clock.now()
    return lastLook
  }

  /// Reports an event, once `status` shows what it tells of.
  func emit(_ event: EngineEvent) { unreported.append(event) }

  /// Everything that time and the reader bring about.
  private func advance(at now: MediaInstant) {
    startPending(at: now)
    endOverduePatience(at: now)
    produce(at: now)
    watchForStarvation(at: now)
    tellWhatIsHeard(at: now)
  }

  private func publish() {
    shared.status.withLock { status in
      status.phase = phase
      status.announce = generation?.announce
      status.timeline = timeline
      status.delay = delay
      status.roomsBeyondDelay =
        generation?.live.flatMap { adaptive[$0.name] }?.roomsBeyondLimit ?? []
    }
    for event in unreported { shared.report.yield(event) }
    unreported.removeAll(keepingCapacity: true)
  }

  /// When `advance` has something to do without being told.
  private var nextDeadline: LocalInstant? {
    var moments: [MediaInstant] = [lastLook + .seconds(1)]
    if let generation {
      if let end = generation.endFrame {
        moments.append(delay.heardTime(of: end))
      } else if generation.live != nil {
        // The reader wakes us for each block; if it does not, the delay is used up one day.
        moments.append(generation.grid.heardTime(of: generation.packets))
      } else {
        moments.append(generation.grid.sendTime(of: generation.packets) - Self.lowWater)
      }
    }
    if let first = unheard.first { moments.append(delay.heardTime(of: first.firstFrame)) }
    if let first = unheardTitles.first { moments.append(delay.heardTime(of: first.frame)) }
    if let pending, generation != nil { moments.append(pending.since + Self.patience) }
    if let earliest = pending?.earliest, earliest > lastLook { moments.append(earliest) }
    // A line that has nothing to read wakes us itself; until then, look every 5 ms at most.
    let soonest = moments.min().map { max($0, lastLook + .milliseconds(5)) }
    return soonest.map { shared.clock.local(at: $0) }
  }
}
