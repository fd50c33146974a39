// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import FoundationEssentials
import Testing

/// Holds `proto/openapi.yaml` to the documents: what Swift writes must be written there.
@Suite struct SchemaControlAPITests {
  /// The schema's lines, without indentation.
  private static func schema() throws -> [String] {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try Data(contentsOf: URL(filePath: "/\(path)/proto/openapi.yaml"))
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      String($0.drop { $0 == " " })
    }
  }

  @Test func `every address is in the schema`() throws {
    let lines = try Self.schema()
    let routes: [APIRoute] = [
      .state, .rooms, .room(id: "x"), .roomCommands(id: "x"), .group(id: "x"),
      .groupCommands(id: "x"), .roomSync(id: "x"), .roomLog(id: "x"), .uploads, .events, .health,
      .queue(id: "x"), .queueItem(id: "x", item: "y"), .savedQueues, .savedQueue(name: "z"),
      .metrics, .diagnosis,
      .libraryScan, .libraryFailures, .jobs, .job(id: "x"),
    ]
    let names: [Substring: Substring] = ["x": "{id}", "y": "{itemId}", "z": "{name}"]
    for route in routes {
      let path = route.path.split(separator: "/").map { names[$0] ?? $0 }
      #expect(lines.contains("/" + path.joined(separator: "/") + ":"), "\(route)")
    }
  }

  private static var diagnosis: DiagnosisDocument {
    var folder = FolderDocument(path: "/srv/music")
    (folder.problem, folder.fileSystem, folder.freeBytes) = ("Permission denied", "nfs4", 1)
    var zeroconf = ZeroconfDocument(isUsed: true)
    (zeroconf.problem, zeroconf.announcedName) = ("p", "Home")
    return DiagnosisDocument(
      version: "1", uptimeSeconds: 2, port: 7_700, playoutDelayMilliseconds: 6_000,
      configuredSpeakers: 1, zeroconf: zeroconf, musicFolders: [folder], stateFolder: folder,
      uploadBytes: 1, uploadCapacityBytes: 2, isRealtime: true)
  }

  @Test func `a diagnosis comes back as it was written`() throws {
    let bytes = try JSONDocument.encode(Self.diagnosis)
    #expect(try JSONDocument.decode(DiagnosisDocument.self, from: bytes) == Self.diagnosis)
  }

  @Test func `every field is in the schema`() throws {
    let lines = try Self.schema()
    var outcome = OutcomeDocument(revision: 1)
    outcome.queueRevision = 3
    let playlist = PlaylistDocument(name: "n", count: 1, savedUnixSeconds: 2)
    var texts = [
      try ControlAPITests.json(outcome), try ControlAPITests.json(Self.diagnosis),
      try ControlAPITests.json(PlaylistListDocument(playlists: [playlist])),
      try ControlAPITests.json(Self.full(SampleHouse.state)),
      try ControlAPITests.json(SampleHouse.sync), try ControlAPITests.json(SampleHouse.log),
      try ControlAPITests.json(SampleHouse.job),
      try ControlAPITests.json(ScanRequestDocument(full: true)),
      try ControlAPITests.json(
        ScanFailuresDocument(failures: SampleHouse.job.failures, nextCursor: "c", total: 1)),
      try ControlAPITests.json(UploadDocument(id: "u", name: "n", bytes: 1)),
      try ControlAPITests.json(
        ProblemDocument(status: 400, kind: "k", title: "t", detail: "d")),
      try ControlAPITests.json(
        OutcomeDocument(
          revision: 1, clientSequence: 2, addedItemIDs: [3],
          refused: [RefusedItemDocument(item: .path("p"), reason: "r")])),
    ]
    let commands: [GroupCommand] = [
      .play(items: [.url("u"), .upload("i")], startSeconds: 1),
      .play(
        items: LibraryReference.Kind.allCases.map {
          .library(LibraryReference($0, $0 == .songs ? .all : .id(1), startAt: 2))
        }, startSeconds: nil), .seek(.absolute(1)),
      .seek(.relative(1)), .volume(.absolute(1)), .volume(.relative(1)), .mute(true),
      .queueAdd(items: [.path("p")], place: .next), .playItem(1), .shuffle(true),
      .play(items: [.path("p")], startSeconds: nil, startAt: 1), .setRepeat(.all),
      .queueMove(itemIDs: [1], place: .after(2)), .queueSave(name: "n", replaces: true),
    ]
    texts += try commands.map { try ControlAPITests.json(CommandDocument($0, clientSequence: 1)) }
    for field in Set(texts.flatMap(Self.fields)) {
      // `on` needs quotes: older readers of YAML take it for a truth.
      #expect(
        lines.contains { $0.hasPrefix(field + ":") || $0.hasPrefix("\"\(field)\":") }, "\(field)")
    }
  }

  @Test(arguments: [
    "play", "pause", "resume", "toggle", "stop", "next", "previous", "seek", "volume", "mute",
    "queueAdd", "queueMove", "queueRemove", "queueClear", "queueSave", "queueLoad", "playItem",
    "shuffle", "repeat", "arm",
  ])
  func `every command is in the schema`(word: String) throws {
    #expect(try Self.schema().contains("command: { const: \(word) }"))
  }

  @Test func `every address of the library is in the schema`() throws {
    let lines = try Self.schema()
    for route in LibrarySamples.routes {
      let path = route.path.split(separator: "/").map {
        $0 == "x" ? "{id}" : $0 == "l" ? "{list}" : $0
      }
      let kinds = ["songs", "albums", "artists", "playlists", "stations"]
      var parts = path.map(String.init)
      if parts.count == 6, parts[3] == "artwork", kinds.contains(parts[4]) { parts[4] = "{kind}" }
      #expect(lines.contains("/" + parts.joined(separator: "/") + ":"), "\(route)")
      #expect(APIRoute(path: route.path) == route)
    }
  }

  @Test func `every field of the library is in the schema`() throws {
    let lines = try Self.schema()
    for field in Set(try LibrarySamples.texts().flatMap(Self.fields)) {
      #expect(lines.contains { $0.hasPrefix(field + ":") }, "\(field)")
    }
  }

  /// The state with every field that may be absent.
  private static func full(_ state: StateDocument) -> StateDocument {
    var state = state
    var health = RoomHealthDocument()
    health.syncErrorP50Microseconds = 1
    health.syncErrorP99Microseconds = 1
    health.syncErrorMaxMicroseconds = 1
    health.syncErrorTenSeconds = SampleHouse.window
    health.syncErrorFiveMinutes = SampleHouse.window
    health.clockSigmaMicroseconds = 1
    health.clockBoundMicroseconds = 1
    health.hostFrequencyPPM = 1
    health.cardFrequencyPPM = 1
    health.latenessMilliseconds = 1
    health.repairTimeMilliseconds = 1
    state.rooms[0].health = health
    state.rooms[0].lastSeenSecondsAgo = 1
    state.groups[0].playback.problem = "p"
    state.groups[0].playback.delayMilliseconds = 1
    state.groups[0].queue.nextCursor = "c"
    return state
  }

  /// The names of all fields: the texts that a colon follows.
  private static func fields(in json: String) -> [String] {
    let pieces = json.split(separator: "\"", omittingEmptySubsequences: false)
    return pieces.indices.dropLast().filter { $0 % 2 == 1 && pieces[$0 + 1].hasPrefix(":") }
      .map { String(pieces[$0]) }
  }
}
