// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ControlAPI
internal import DaemonProcess
internal import HTTPService
internal import House
internal import LinuxNetworking
internal import WireProtocol

// The coordinator's policy, and nothing but policy: it decides, `House` knows the rules, the engine plays,
// the links carry. It lives on one epoll thread together with the control links, so that a message from a
// room is handled where it arrives. Nothing on this thread waits for a disk, a name or a decoder, and no
// audio passes through it.
//
//   HTTP tasks ──► commands ─┐                    ┌─► engine (its own threads)
//   engine events ───────────┼─► Coordinator ─────┼─► control links
//   links, Avahi, timers ────┘        │           └─► event hub (SSE)
//                                     └─► state.sqlite
//
// After whatever happened, `settle` compares what is with what was told and saved, and tells and saves the
// difference. No other place publishes or saves, so none can be forgotten.

/// The one who decides in the house.
actor Coordinator {
  /// The thread it lives on.
  nonisolated let loop: LoopExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  let parts: CoordinatorParts
  var configuration: CoordinatorConfiguration { parts.configuration }
  var log: Log { parts.log }
  var player: any Player { parts.player }

  /// What plays.
  var transport: Transport
  /// Whether the generation that the last `play` asked for has not begun yet.
  var awaitsGeneration = false
  /// What is known of tracks that have been opened.
  var media: [ItemID: KnownMedia] = [:]
  /// What is known of those of them that are radio stations.
  var broadcasts: [ItemID: Broadcast] = [:]

  /// Who is in the house.
  var rooms: RoomRegistry
  /// What each connected room said last.
  var live: [RoomID: LiveRoom] = [:]
  /// What each room did in the last hour.
  var records: [RoomID: RoomRecord] = [:]
  /// The ways to reach speakers.
  var contacts: [Contact.Origin: Contact] = [:]
  /// Who asked for the time, was nobody we know, and was called when.
  var strangers: [SocketAddress: LocalInstant] = [:]
  /// What browsing has found.
  var found = FoundServices()
  /// What Avahi told of itself and of us.
  var zeroconf = ZeroconfDocument(isUsed: false)
  /// Links and attempts by number.
  var links: [UInt64: SpeakerLink] = [:]
  var lastLinkNumber: UInt64 = 0
  /// Rooms whose link is gone, but which may still hear us.
  var lingering: [RoomID: LingeringRoom] = [:]
  /// What rooms told of their packets since the engine was told.
  var deliveries = DeliveryCollector()
  /// What the engine was told of the rooms.
  var destinations: [RoomDestination] = []

  /// What has been told and saved.
  var bulletin = Bulletin()
  var shownQueue: ShownQueue?
  /// The track whose disk was woken last.
  var wokenFor: ItemID?
  var kept = KeptState()
  var ticks = 0
  /// When this run began.
  let started = LocalClock.now()
  var isShuttingDown = false
  /// Where in a book or podcast the listeners are.
  var listening = ListeningMemory()
  /// Differs in each run of the program: tells a restart from a reconnection.
  let runID: UInt64

  /// A coordinator with what was saved; `start` brings it to life.
  ///
  /// - Parameters:
  ///   - parts: What it works with.
  ///   - saved: What it remembers.
  init(parts: CoordinatorParts, saved: Restoration) {
    self.parts = parts
    loop = parts.loop
    transport = saved.transport
    rooms = saved.rooms
    runID = Self.randomNumber()
    // What was read need not be written again; only chance begins anew.
    if saved.isQueueIntact { kept.queue = transport.queue }
    transport.seedShuffle(Self.randomNumber())
  }

  private static func randomNumber() -> UInt64 {
    Environment.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Calls the speakers, goes on where it was, and keeps time from now on.
  ///
  /// - Parameter restoration: What was saved.
  func start(with restoration: Restoration) {
    for room in rooms.rooms { remember(room) }
    for speaker in configuration.speakers { addContact(Contact(.configured(speaker))) }
    if let plan = restoration.plan { takeUp(plan) }
    if restoration.playsLive {
      serveRememberedRooms()
      try? perform(.resume)
    }
    settle()
    tick()
    watchLinks()
  }

  /// Twice a second, so that a dead link is noticed at most half a second late.
  private func watchLinks() {
    guard !isShuttingDown else { return }
    checkLinks(at: LocalClock.now())
    schedule(after: .milliseconds(500)) { coordinator in coordinator.watchLinks() }
  }

  /// Consumes the engine's events until it is shut down.
  func followPlayer() async {
    for await event in parts.player.events { receive(event) }
  }

  /// Each second: progress for those who watch, signs of life for our successor.
  private func tick() {
    guard !isShuttingDown else { return }
    ticks += 1
    keepAlive()
    wakeNextDisk()
    watchForGarbage()
    tellDeliveries()
    rememberPlace()
    settle(progress: transport.state == .playing)
    schedule(after: .seconds(1)) { coordinator in coordinator.tick() }
  }

  /// Runs something on the loop later.
  @discardableResult
  func schedule(
    after delay: Nanoseconds, _ body: @escaping @Sendable (isolated Coordinator) -> Void
  ) -> LoopExecutor.Timer {
    loop.schedule(at: LocalClock.now() + delay) { [weak self] in
      self?.assumeIsolated { body($0) }
    }
  }

  /// Garbage does no harm, but a house where it rains garbage has a problem that a person should know.
  private func watchForGarbage() {
    let garbage = player.counters.garbage
    guard garbage > kept.garbage else { return }
    log.warning(
      "\(garbage - kept.garbage) datagrams on UDP port \(player.port) were none of ours and were dropped",
      kind: "garbage")
    kept.garbage = garbage
  }
}

/// What a coordinator works with.
struct CoordinatorParts: Sendable {
  var configuration: CoordinatorConfiguration
  var loop: LoopExecutor
  var log: Log
  /// SHA-256 of this node's public key.
  var nodeID: [UInt8]
  var clock: MediaClock
  var player: any Player
  var store: StoreAdapter
  var folders: MusicFolders
  var spool: UploadSpool
  var events: EventHub
  var collection: MusicCollection
  /// Looks up names.
  var names: ChoreThread
  /// Waits for the disk.
  var disk: ChoreThread
  /// Wakes the disk that the next track is on.
  var waker: DiskWaker
}

/// What is known of a track that has been opened.
struct KnownMedia: Equatable {
  var title: String?
  var artist: String?
  var album: String?
  var durationFrames: Int64?
}

/// What a connected room told about itself.
struct LiveRoom {
  /// The link it is connected by.
  var link: UInt64
  var hello: Hello
  /// Where it receives datagrams.
  var datagrams: SocketAddress
  var report: StateReport?
}
