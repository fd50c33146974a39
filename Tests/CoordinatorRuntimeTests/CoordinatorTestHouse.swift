// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import Foundation
import HTTPService
import House
import LinuxNetworking
import StateStore
import Synchronization
import Testing

@testable import CoordinatorRuntime

/// A coordinator of real parts around a player that only takes notes.
final class TestHouse: Sendable {
  let scratch: URL
  let music: URL
  let player: NotingPlayer
  let coordinator: Coordinator
  let api: CoordinatorAPI
  let parts: CoordinatorParts
  private let listening: Task<Void, Never>

  /// Starts a coordinator; `reusing` is the directory of an earlier one.
  init(
    speakers: [String] = [], reusing earlier: TestHouse? = nil, loudness: LoudnessMode = .off
  ) async throws {
    let manager = FileManager.default
    scratch =
      earlier?.scratch
      ?? manager.temporaryDirectory.appending(path: "tutti-house-\(UUID().uuidString)")
    music = scratch.appending(path: "music")
    try manager.createDirectory(at: music, withIntermediateDirectories: true)
    player = NotingPlayer()
    var configuration = CoordinatorConfiguration()
    configuration.speakers = speakers
    configuration.usesZeroconf = false
    configuration.loudness = loudness
    let store = StoreAdapter(
      store: try StateStore(path: scratch.appending(path: "state.sqlite").path), log: .discarding)
    let clock = MediaClock(storage: store)
    let folders = try MusicFolders([music.path])
    let events = EventHub(boot: "test")
    parts = CoordinatorParts(
      configuration: configuration, loop: try LoopExecutor(name: "test-house"),
      log: .discarding, nodeID: Array(repeating: 1, count: 32), clock: clock, player: player,
      store: store, folders: folders,
      spool: try UploadSpool(
        directory: scratch.appending(path: "spool").path, capacity: 1_000_000),
      events: events,
      collection: try MusicCollection(
        at: scratch.appending(path: "library.sqlite").path, folders: folders,
        configuration: configuration, events: events, log: .discarding),
      names: try ChoreThread("names", log: .discarding),
      disk: try ChoreThread("disk", log: .discarding),
      waker: try DiskWaker(log: .discarding))
    let restoration = Restoration(
      try store.store.load(),
      alive: try store.store.loadAlive().map(MediaInstant.init(nanosecondsSince1900:)),
      clockID: clock.clockID, now: clock.now(), delay: configuration.playoutDelay)
    coordinator = Coordinator(parts: parts, saved: restoration)
    api = CoordinatorAPI(
      coordinator: coordinator,
      intake: MediaIntake(
        folders: parts.folders, spool: parts.spool,
        library: LibraryIntake(library: parts.collection.library)),
      spool: parts.spool,
      playlists: try PlaylistFolder(path: scratch.appending(path: "playlists").path))
    listening = Task { [coordinator] in await coordinator.followPlayer() }
    await coordinator.start(with: restoration)
  }

  /// Ends like a process that is killed: nothing is said or saved.
  func kill() async {
    await coordinator.fallSilent()
    listening.cancel()
    parts.names.stop()
    parts.waker.stop()
    parts.disk.stopAndJoin()
    parts.loop.stop()
  }

  /// Puts files into the music folder.
  func addFiles(_ names: String...) throws -> [String] {
    try names.map { name in
      let file = music.appending(path: name)
      try Data("sound".utf8).write(to: file)
      return file.path
    }
  }

  /// Sends a command and returns the status and the document.
  func command(_ json: String, room: String? = nil) async -> (status: Int, text: String) {
    let target = room.map { "rooms/\($0)" } ?? "groups/house"
    let response = await api.respond(
      to: HTTPRequest(
        method: "POST", path: "/api/v1/\(target)/commands", body: .bytes(Array(json.utf8))))
    return (response.status, response.text)
  }

  /// Waits until something holds; the house moves on its own threads.
  func eventually(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: @Sendable (isolated Coordinator) -> Bool
  ) async {
    let deadline = LocalClock.now() + .seconds(10)
    while LocalClock.now() < deadline {
      if await coordinator.holds(condition) { return }
      await moment()
    }
    Issue.record(comment, sourceLocation: sourceLocation)
  }

  /// Lets the loop go round for a few milliseconds.
  private func moment() async {
    await withCheckedContinuation { continuation in
      parts.loop.schedule(at: LocalClock.now() + .milliseconds(5)) { continuation.resume() }
    }
  }

  deinit { try? FileManager.default.removeItem(at: scratch.appending(path: "spool")) }
}

extension Coordinator {
  func holds(_ condition: @Sendable (isolated Coordinator) -> Bool) -> Bool { condition(self) }

  /// What a killed program does: nothing more.
  fileprivate func fallSilent() {
    isShuttingDown = true
    for link in links.values { close(link, because: "killed") }
    for contact in contacts.keys { dropContact(contact) }
  }
}

extension HTTPResponse {
  var text: String {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
}

/// A player that writes down what it is told, and says what the test says.
final class NotingPlayer: Player {
  enum Call: Equatable, Sendable {
    case play(TrackRequest)
    case setNext(TrackRequest?, after: ItemID?)
    case pause, resume, stop
    case resumeAfterRestart(TrackRequest, firstAudible: MediaFrame)
  }

  private struct State {
    var calls: [Call] = []
    var rooms: [RoomDestination] = []
    var status = EngineStatus()
    var position: StreamPosition?
    var counters = EngineCounters()
  }

  let events: AsyncStream<EngineEvent>
  private let report: AsyncStream<EngineEvent>.Continuation
  private let state = Mutex(State())

  init() { (events, report) = AsyncStream.makeStream() }

  var status: EngineStatus { state.withLock { $0.status } }
  var counters: EngineCounters { state.withLock { $0.counters } }
  var port: UInt16 { 7_700 }
  var calls: [Call] { state.withLock { $0.calls } }
  var rooms: [RoomDestination] { state.withLock { $0.rooms } }

  /// The engine says something.
  func say(_ event: EngineEvent) { report.yield(event) }

  /// How the engine stands from now on.
  func stand(_ change: (inout EngineStatus) -> Void) { state.withLock { change(&$0.status) } }
  func stand(at position: StreamPosition?) { state.withLock { $0.position = position } }

  func position() -> StreamPosition? { state.withLock { $0.position } }
  func play(_ track: TrackRequest) { note(.play(track)) }
  func setNext(_ track: TrackRequest?, after item: ItemID?) { note(.setNext(track, after: item)) }
  func pause() { note(.pause) }
  func resume() { note(.resume) }
  func stop() { note(.stop) }
  func setRooms(_ rooms: [RoomDestination]) { state.withLock { $0.rooms = rooms } }
  func heed(_ deliveries: [String: DeliveryReport]) {}
  func shutdown(fade: Nanoseconds) async { report.finish() }
  func resumeAfterRestart(_ track: TrackRequest, firstAudible: MediaFrame) {
    note(.resumeAfterRestart(track, firstAudible: firstAudible))
  }

  private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }
}
