// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import AvahiDiscovery
internal import ControlAPI
public import DaemonProcess
internal import HTTPService
internal import House
internal import LinuxNetworking
internal import MusicLibrary
internal import SecureLink
internal import StateStore

/// A coordinator with all its parts, from its start to its end.
///
/// What can fail fails here, before anything sounds, with an error in words.
public final class RunningCoordinator: Sendable {
  /// The UDP port of stream and clock.
  public var port: UInt16 { engine.port }
  /// The TCP port of the API on this host, if one is open.
  public var apiPort: Int? { service.port }

  private let engine: PlaybackEngine
  private let coordinator: Coordinator
  private let service: HTTPService
  private let parts: CoordinatorParts
  private let decoders: DecoderPool?
  private let inputs: [PipeInput]
  private let discovery: AvahiClient?
  private let listening: Task<Void, Never>

  /// Starts everything.
  ///
  /// - Parameters:
  ///   - configuration: What was asked for.
  ///   - state: The state directory, locked.
  ///   - sources: Opens tracks; nil: the decoder program.
  ///   - log: One line per event.
  /// - Throws: What happened, in words.
  public init(
    _ configuration: CoordinatorConfiguration, state: StateDirectory,
    sources: (any PCMSourceOpener)? = nil, log: Log
  ) async throws {
    let folders = try MusicFolders(configuration.musicFolders)
    let store = try StateStore(path: state.path(of: "state.sqlite"))
    for notice in store.notices { log.warning(notice) }
    let adapter = StoreAdapter(store: store, log: log)
    let clock = MediaClock(storage: adapter)
    let opener: any PCMSourceOpener
    if let sources {
      (opener, decoders) = (sources, nil)
    } else {
      let pool = DecoderPool(path: configuration.decoderPath)
      (opener, decoders) = (pool, pool)
    }
    inputs = try configuration.inputs.map { try PipeInput($0, log: log) }
    let events = EventHub(boot: NodeIdentity.digits(Environment.randomBytes(4)))
    let collection = try MusicCollection(
      at: state.path(of: "library.sqlite"), folders: folders, configuration: configuration,
      events: events, log: log)
    let watched = WatchedSources(
      sources: opener, measure: { [library = collection.library] in library.loudness(ofFile: $0) },
      log: log)
    engine = try PlaybackEngine(
      configuration: EngineConfiguration(
        listen: configuration.listen, groupID: Group.house.id,
        playoutDelay: configuration.playoutDelay),
      clock: clock, storage: adapter, sources: watched,
      inputs: LiveInputs(inputs), log: log)
    parts = CoordinatorParts(
      configuration: configuration, loop: try LoopExecutor(name: "coordinator"), log: log,
      nodeID: try NodeIdentity.loadOrCreate(in: state.path).id, clock: clock, player: engine,
      store: adapter, folders: folders,
      spool: try UploadSpool(
        directory: state.path(of: "spool"), capacity: configuration.spoolBytes),
      events: events,
      collection: collection,
      names: try ChoreThread("names", log: log), disk: try ChoreThread("disk", log: log),
      waker: try DiskWaker(log: log))
    let restoration = Restoration(
      try store.load(),
      alive: try store.loadAlive().map(MediaInstant.init(nanosecondsSince1900:)),
      clockID: clock.clockID, now: clock.now(), delay: configuration.playoutDelay)
    coordinator = Coordinator(parts: parts, saved: restoration)
    service = try Self.service(configuration, state: state, coordinator: coordinator, parts: parts)
    discovery = try Self.discovery(configuration, coordinator: coordinator, parts: parts)
    listening = Task { [coordinator] in await coordinator.followPlayer() }
    await coordinator.start(with: restoration)
    try parts.collection.scanner.start()
  }

  /// Fades out, says goodbye, saves, and stops. Call once.
  public func stop() async {
    discovery?.publish([])
    await coordinator.shutDown()
    service.stop()
    parts.collection.scanner.stop()
    listening.cancel()
    decoders?.shutDown()
    for input in inputs { input.stop() }
    parts.names.stop()
    parts.waker.stop()
    parts.disk.stopAndJoin()
    parts.loop.stop()
  }

  /// Looks for speakers and announces the house, from Avahi's own thread.
  private static func discovery(
    _ configuration: CoordinatorConfiguration, coordinator: Coordinator, parts: CoordinatorParts
  ) throws(DiscoveryError) -> AvahiClient? {
    guard configuration.usesZeroconf else { return nil }
    let announcement = Coordinator.announcement(
      name: configuration.name, port: parts.player.port, nodeID: parts.nodeID)
    return try AvahiClient(publishing: [announcement], browsing: [FoundServices.speakerType]) {
      [weak coordinator, loop = parts.loop] event in
      loop.schedule(at: LocalClock.now()) { [weak coordinator] in
        coordinator?.assumeIsolated { $0.receive(event) }
      }
    }
  }

  private static func service(
    _ configuration: CoordinatorConfiguration, state: StateDirectory, coordinator: Coordinator,
    parts: CoordinatorParts
  ) throws -> HTTPService {
    let playlists = try PlaylistFolder(path: state.path(of: "playlists"))
    let intake = MediaIntake(
      folders: parts.folders, spool: parts.spool, inputs: configuration.inputs.map(\.name),
      library: LibraryIntake(library: parts.collection.library))
    return try HTTPService(
      configuration: HTTPConfiguration(
        unixSocketPath: state.path(of: "control.sock"), loopbackPort: configuration.apiPort,
        uploadDirectory: parts.spool.incoming, uploadPaths: [APIRoute.uploads.path]),
      handler: CoordinatorAPI(
        coordinator: coordinator, intake: intake, spool: parts.spool, playlists: playlists),
      events: parts.events, log: parts.log)
  }
}
