// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import DaemonProcess
public import House
internal import LinuxNetworking
internal import OpusCodec
internal import Synchronization

/// Plays tracks to the rooms of one group.
///
/// All methods return at once and may be called from any thread; what they bring about comes back in
/// `events`, in order. Three kinds of thread are behind it: readers (one for each chain of tracks,
/// blocked on the decoder), the producer (encodes, decides), and the media thread (the UDP socket:
/// clock service, flushes, paced sends). They end with `shutdown`; an engine that is only dropped
/// goes on.
public final class PlaybackEngine: Sendable {
  /// What happens; one consumer. `status` is never older than an event. Ends with `shutdown`.
  public let events: AsyncStream<EngineEvent>
  private let shared: EngineShared

  /// Binds the socket and starts the threads.
  ///
  /// - Parameters:
  ///   - configuration: Address, delay, bit rate.
  ///   - clock: The media clock.
  ///   - storage: Keeps the names of generations.
  ///   - sources: Opens tracks.
  ///   - log: One line per event.
  /// - Throws: `NetworkError` that names the port when it is in use; `ProcessError`.
  public convenience init(
    configuration: EngineConfiguration, clock: MediaClock, storage: any StreamStorage,
    sources: any PCMSourceOpener, log: Log
  ) throws {
    try self.init(
      configuration: configuration, clock: clock, storage: storage, sources: sources,
      inputs: LiveInputs(), log: log)
  }

  /// The same with live inputs.
  init(
    configuration: EngineConfiguration, clock: MediaClock, storage: any StreamStorage,
    sources: any PCMSourceOpener, inputs: LiveInputs, log: Log
  ) throws {
    let (events, report) = AsyncStream<EngineEvent>.makeStream()
    self.events = events
    let shared = try EngineShared(configuration: configuration, clock: clock, report: report)
    self.shared = shared
    let log = log.named("engine")
    _ = try NamedThread("media", urgency: .realTime(priority: MediaThread.priority), log: log) {
      runMediaThread(shared, log: log)
    }
    _ = try NamedThread(
      "producer", urgency: .realTime(priority: StreamProducer.priority), log: log
    ) {
      runProducer(shared, storage: storage, sources: sources, inputs: inputs, log: log)
    }
  }

  /// The UDP port, also of the clock service.
  public var port: UInt16 { shared.socket.localAddress.port }

  /// How the engine stands now.
  public var status: EngineStatus { shared.status.withLock { $0 } }

  /// What it has counted.
  public var counters: EngineCounters { shared.counters.withLock { $0 } }

  /// What is heard now; nil when nothing was ever played.
  public func position() -> StreamPosition? {
    let now = shared.clock.now()
    return shared.status.withLock { $0.timeline.position(at: now, delay: $0.delay) }
  }

  /// Plays a track from its `startFrame` on, as soon as its first samples are there. What sounds is
  /// faded over into it. Also seek (the same item at another frame), next and previous.
  public func play(_ track: TrackRequest) { shared.producer.post(.play(track)) }

  /// Says what follows without a gap; nil: nothing. Answers `needsNext`, and may be called again
  /// whenever the queue changes.
  ///
  /// - Parameters:
  ///   - track: What follows.
  ///   - item: What it follows; nil: the track that is being read (the last `needsNext`). When the
  ///     follower of `item` was laid out already and is not heard yet, it is taken back.
  public func setNext(_ track: TrackRequest?, after item: ItemID? = nil) {
    shared.producer.post(.follow(Successor(track), after: item))
  }

  /// Silence in every room within 120 ms; keeps the place to the sample.
  public func pause() { shared.producer.post(.pause) }

  /// Goes on at the very sample where `pause` stopped.
  public func resume() { shared.producer.post(.resume) }

  /// Silence, and forgets the place.
  public func stop() { shared.producer.post(.stop) }

  /// Takes up a stream after a restart: at each stamp the very sample that the rooms hold already.
  ///
  /// - Parameters:
  ///   - track: The item of a `RestartPlan`, `startFrame` its source frame.
  ///   - firstAudible: The stamp of that frame. When opening takes longer than planned, the engine
  ///     starts later, at the sample that belongs there.
  public func resumeAfterRestart(_ track: TrackRequest, firstAudible: MediaFrame) {
    shared.producer.post(.takeUp(track, firstAudible: firstAudible))
  }

  /// Says which rooms get the stream. Rooms that are new, or whose session changed, are filled at
  /// once; the others do not notice.
  public func setRooms(_ rooms: [RoomDestination]) { shared.producer.post(.serve(rooms)) }

  /// Takes in what the rooms told of their packets in the last second, by room id; a live input's
  /// playout delay follows them.
  public func heed(_ deliveries: [String: DeliveryReport]) {
    shared.producer.post(.heed(deliveries))
  }

  /// Fades out, waits until the rooms know (at most 100 ms), and stops the threads. Call once.
  public func shutdown(fade: Nanoseconds = .milliseconds(300)) async {
    shared.producer.post(.shutDown(fade: fade))
    for await _ in shared.ended {}
  }
}

/// The body of the media thread.
private func runMediaThread(_ shared: EngineShared, log: Log) {
  defer { shared.end.finish() }
  do throws(NetworkError) {
    try MediaThread(shared: shared, log: log).run()
  } catch {
    log.error("no audio can be sent: \(error)")
  }
}

/// The body of the producer thread.
private func runProducer(
  _ shared: EngineShared, storage: any StreamStorage, sources: any PCMSourceOpener,
  inputs: LiveInputs, log: Log
) {
  defer { shared.report.finish() }
  do throws(OpusError) {
    try StreamProducer(
      shared: shared, storage: storage, sources: sources, inputs: inputs, log: log
    ).run()
  } catch {
    log.error("no audio can be encoded: \(error)")
    shared.media.post(.shutDown(by: LocalClock.now()))
  }
}
