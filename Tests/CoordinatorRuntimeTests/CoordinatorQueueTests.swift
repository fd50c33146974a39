// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ControlAPI
import Foundation
import HTTPService
import House
import Testing

@testable import CoordinatorRuntime

extension TestHouse {
  func get(_ path: String, query: [String: String] = [:]) async -> HTTPResponse {
    await api.respond(to: HTTPRequest(method: "GET", path: "/api/v1" + path, query: query))
  }

  func post(_ json: String, headers: [String: String]) async -> HTTPResponse {
    await api.respond(
      to: HTTPRequest(
        method: "POST", path: "/api/v1/groups/house/commands", headers: headers,
        body: .bytes(Array(json.utf8))))
  }

  func queue(_ query: [String: String] = [:]) async throws -> QueueDocument {
    try await get("/groups/house/queue", query: query).document()
  }

  /// Fills the queue without touching the disk.
  func fill(_ count: Int) async throws {
    let items = (0..<count).map { #"{"url":"http://h/\#($0).flac"}"# }.joined(separator: ",")
    let answer = await command(#"{"command":"queueAdd","items":[\#(items)]}"#)
    #expect(answer.status == 200, "\(answer.text.prefix(300))")
  }
}

extension HTTPResponse {
  func document<Document: Decodable>(_: Document.Type = Document.self) throws -> Document {
    try JSONDocument.decode(Document.self, from: Array(text.utf8))
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

@Suite struct CoordinatorQueueTests {
  @Test func `a long queue comes in pages, and a window of it in the state`() async throws {
    let house = try await TestHouse()
    try await house.fill(2_500)
    var ids: [UInt64] = []
    var query = ["limit": "1000"]
    while true {
      let page = try await house.queue(query)
      #expect(page.firstIndex == ids.count && page.count == 2_500)
      ids += page.items.map(\.id)
      guard let cursor = page.nextCursor else { break }
      query["cursor"] = cursor
    }
    #expect(ids == Array(1...2_500))
    _ = await house.command(#"{"command":"playItem","itemID":1200}"#)
    let state = try await house.get("/state").document(StateDocument.self)
    let window = try #require(state.groups.first?.queue)
    #expect(window.items.count == QueueDocument.window && window.count == 2_500)
    #expect(window.items.map(\.id).contains(1_200) && window.currentItemID == 1_200)
    #expect(window.items.first?.id == UInt64(window.firstIndex + 1))
    await house.kill()
  }

  @Test func `a page of a queue that has changed is refused`() async throws {
    let house = try await TestHouse()
    try await house.fill(20)
    let cursor = try #require(try await house.queue(["limit": "5"]).nextCursor)
    _ = await house.command(#"{"command":"queueRemove","itemIDs":[3]}"#)
    #expect(await house.get("/groups/house/queue", query: ["cursor": cursor]).status == 409)
    for query in [["cursor": "x"], ["limit": "0"], ["limit": "1001"], ["cursor": "1.-1"]] {
      #expect(await house.get("/groups/house/queue", query: query).status == 400)
    }
    await house.kill()
  }

  @Test func `an edit meant for another queue gets the queue as it is`() async throws {
    let house = try await TestHouse()
    try await house.fill(3)
    let response = await house.get("/groups/house/queue")
    let tag = try #require(response.header("ETag"))
    let move = #"{"command":"queueMove","itemIDs":[3],"place":"before","itemID":1}"#
    let first = await house.post(move, headers: ["if-match": tag])
    #expect(first.status == 200)
    let second = await house.post(move, headers: ["if-match": tag])
    #expect(second.status == 412)
    #expect(second.header("Content-Type") == "application/problem+json")
    let problem = try second.document(ProblemDocument.self)
    #expect(problem.queue?.items.map(\.id) == [3, 1, 2])
    let revision = try #require(try first.document(OutcomeDocument.self).queueRevision)
    #expect(problem.queue?.revision == revision)
    for tags in ["*", "\"7\", \"\(revision)\" "] {
      #expect(await house.post(#"{"command":"stop"}"#, headers: ["if-match": tags]).status == 200)
    }
    for tags in ["W/\"\(revision)\"", "\(revision)", "\"x\"", ""] {
      #expect(await house.post(#"{"command":"stop"}"#, headers: ["if-match": tags]).status == 412)
    }
    await house.kill()
  }

  @Test func `an item has an address`() async throws {
    let house = try await TestHouse()
    try await house.fill(3)
    let path = "/groups/house/queue/items/2"
    let item = try await house.get(path).document(QueueItemDocument.self)
    #expect(item.location == "http://h/1.flac")
    func delete(_ tag: String? = nil) async -> Int {
      await house.api.respond(
        to: HTTPRequest(
          method: "DELETE", path: "/api/v1" + path, headers: tag.map { ["if-match": $0] } ?? [:])
      ).status
    }
    #expect(await delete("\"99\"") == 412)
    #expect(await delete() == 200)
    #expect(await delete() == 404)
    #expect(await house.get(path).status == 404)
    #expect(await house.get("/groups/house/queue/items/two").status == 404)
    let wrong = await house.api.respond(to: HTTPRequest(method: "PUT", path: "/api/v1" + path))
    #expect(wrong.status == 405 && wrong.header("Allow") == "GET, DELETE")
    await house.kill()
  }

  @Test func `shuffle and repeat are kept over a kill, with both orders`() async throws {
    let house = try await TestHouse()
    try await house.fill(30)
    _ = await house.command(#"{"command":"shuffle","on":true}"#)
    _ = await house.command(#"{"command":"repeat","mode":"all"}"#)
    _ = await house.command(#"{"command":"queueRemove","itemIDs":[7,8]}"#)
    let before = try await house.queue()
    #expect(before.shuffle && before.repeatMode == .all)
    await house.kill()
    let next = try await TestHouse(reusing: house)
    #expect(try await next.queue() == before)
    _ = await next.command(#"{"command":"shuffle","on":false}"#)
    let ids = try await next.queue().items.map(\.id)
    #expect(ids == (1...30).filter { $0 != 7 && $0 != 8 })
    await next.kill()
  }

  @Test func `the track to begin with is counted as the client counts`() async throws {
    let house = try await TestHouse()
    let files = try house.addFiles("a.flac", "b.flac", "c.flac")
    let items = [files[0], "/etc/passwd", files[1], files[2]].map { #"{"path":"\#($0)"}"# }
    let command =
      #"{"command":"play","startAt":2,"items":[\#(items.joined(separator: ","))]}"#
    #expect(await house.command(command).status == 200)
    #expect(await house.coordinator.transport.queue.currentItem?.label == "b")
    #expect(await house.command(#"{"command":"play","startAt":-1}"#).status == 400)
    await house.kill()
  }

  @Test func `a move beside itself and an unknown item change nothing`() async throws {
    let house = try await TestHouse()
    try await house.fill(3)
    let revision = try await house.queue().revision
    let beside = #"{"command":"queueMove","itemIDs":[1,2],"place":"after","itemID":2}"#
    #expect(await house.command(beside).status == 422)
    #expect(await house.command(#"{"command":"queueRemove","itemIDs":[1,9]}"#).status == 404)
    #expect(await house.command(#"{"command":"playItem","itemID":9}"#).status == 404)
    #expect(try await house.queue().revision == revision)
    await house.kill()
  }
}

@Suite struct IdempotencyTests {
  private let add = #"{"command":"queueAdd","items":[{"url":"http://h/a"}]}"#

  @Test func `a repeated add is carried out once, and answered alike`() async throws {
    let house = try await TestHouse()
    let first = await house.post(add, headers: ["idempotency-key": "k1"])
    let again = await house.post(add, headers: ["idempotency-key": "k1"])
    #expect(first == again && first.status == 200)
    #expect(try await house.queue().count == 1)
    _ = await house.post(add, headers: ["idempotency-key": "k2"])
    #expect(try await house.queue().count == 2)
    let other = await house.post(#"{"command":"stop"}"#, headers: ["idempotency-key": "k1"])
    #expect(other.status == 422)
    let long = String(repeating: "k", count: 256)
    #expect(await house.post(add, headers: ["idempotency-key": long]).status == 400)
    await house.kill()
  }

  @Test func `answers are forgotten after ten minutes, and when there are too many`() {
    let ledger = IdempotencyLedger()
    let answer = HTTPResponse(status: 200)
    #expect(ledger.begin("a", fingerprint: 1, at: .init(nanoseconds: 0)) == .isNew)
    let underWay = ledger.begin("a", fingerprint: 1, at: .init(nanoseconds: 1))
    guard case .isRefused(let problem) = underWay else {
      Issue.record("\(underWay)")
      return
    }
    #expect(problem.status == 409)
    ledger.finish("a", with: answer, at: .init(nanoseconds: 2))
    let later = 599_000_000_000 as Int64
    #expect(
      ledger.begin("a", fingerprint: 1, at: .init(nanoseconds: later)) == .isAnswered(answer))
    #expect(ledger.begin("a", fingerprint: 1, at: .init(nanoseconds: later * 2)) == .isNew)
    for number in 0..<1_000 {
      _ = ledger.begin("n\(number)", fingerprint: 1, at: .init(nanoseconds: later * 2))
      ledger.finish("n\(number)", with: answer, at: .init(nanoseconds: later * 2))
    }
    #expect(ledger.begin("n0", fingerprint: 1, at: .init(nanoseconds: later * 2)) == .isNew)
    #expect(
      ledger.begin("n999", fingerprint: 1, at: .init(nanoseconds: later * 2))
        == .isAnswered(answer))
  }

  @Test func `what failed here may be tried again`() {
    let ledger = IdempotencyLedger()
    _ = ledger.begin("a", fingerprint: 1, at: .init(nanoseconds: 0))
    ledger.finish("a", with: HTTPResponse(status: 500), at: .init(nanoseconds: 0))
    #expect(ledger.begin("a", fingerprint: 1, at: .init(nanoseconds: 0)) == .isNew)
  }
}

@Suite struct SavedQueueTests {
  @Test func `a queue is saved, listed, loaded and deleted`() async throws {
    let house = try await TestHouse()
    let files = try house.addFiles("a.flac", "b ü.flac")
    let items = (files.map { #"{"path":"\#($0)"}"# } + [#"{"url":"http://h/c.mp3"}"#])
      .joined(separator: ",")
    _ = await house.command(#"{"command":"play","items":[\#(items)]}"#)
    try await house.hear("Aria", at: 3, of: 100)
    #expect(await house.command(#"{"command":"queueSave","name":"Sunday"}"#).status == 200)
    #expect(await house.command(#"{"command":"queueSave","name":"Sunday"}"#).status == 409)
    let again = #"{"command":"queueSave","name":"Sunday","replace":true}"#
    #expect(await house.command(again).status == 200)
    let list = try await house.get("/playlists").document(PlaylistListDocument.self)
    #expect(list.playlists.map(\.name) == ["Sunday"] && list.playlists.first?.count == 3)
    _ = await house.command(#"{"command":"queueClear"}"#)
    #expect(await house.command(#"{"command":"queueLoad","name":"Sunday"}"#).status == 200)
    let queue = try await house.queue()
    #expect(queue.items.map(\.location) == files + ["http://h/c.mp3"])
    #expect(queue.items.map(\.title) == ["Aria", "b ü", "c"])
    #expect(queue.items[0].durationSeconds == 100)
    #expect(await house.coordinator.transport.state == .stopped)
    let text = await house.get("/playlists/Sunday").text
    #expect(text.hasPrefix("#EXTM3U\n#EXTINF:100,Aria\n"))
    let delete = HTTPRequest(method: "DELETE", path: "/api/v1/playlists/Sunday")
    #expect(await house.api.respond(to: delete).status == 204)
    #expect(await house.api.respond(to: delete).status == 404)
    #expect(await house.command(#"{"command":"queueLoad","name":"Sunday"}"#).status == 404)
    await house.kill()
  }

  @Test(arguments: ["", "../x", "a/b", ".hidden", " a", "a ", "a\\u0000b", "a\\nb"])
  func `a name that could lead elsewhere is refused`(name: String) async throws {
    let house = try await TestHouse()
    try await house.fill(1)
    let answer = await house.command(#"{"command":"queueSave","name":"\#(name)"}"#)
    #expect(answer.status == 422, "\(answer.text)")
    await house.kill()
  }

  @Test func `names and facts survive, whatever their bytes`() {
    let odd = PathTextSample.latin1
    let tracks = [
      SavedTrack(
        source: .file(path: odd), label: "l",
        facts: ItemFacts(title: "T, t", artist: "A", album: "B", durationMilliseconds: 3_000)),
      SavedTrack(source: .url("https://h/x?a=1#b"), label: "x"),
    ]
    let read = PlaylistText.decode(PlaylistText.encode(tracks))
    #expect(read.map(\.source) == tracks.map(\.source))
    #expect(read[0].facts == tracks[0].facts)
    #expect(read[1].facts.title == "x")
  }

  @Test func `random bytes never trap, and bring no relative path`() {
    var bytes = PlaylistText.encode([
      SavedTrack(source: .file(path: "/m/a"), label: "a", facts: ItemFacts(artist: "b"))
    ])
    for _ in 0..<2_000 {
      bytes[Int.random(in: bytes.indices)] = UInt8.random(in: 0...255)
      for track in PlaylistText.decode(bytes) {
        switch track.source {
        case .file(let path): #expect(path.hasPrefix("/"))
        case .url(let url), .station(let url): #expect(url.hasPrefix("http"))
        case .input: break
        case .upload: Issue.record("an upload")
        }
      }
    }
  }
}

private enum PathTextSample {
  /// `/m/é.flac` in Latin-1, as a path's text.
  static let latin1 = "/m/\u{10FFE9}.flac"
}

@Suite struct CoordinatorWakingTests {
  @Test func `the disk of the next track is woken twenty seconds before it is heard`() async throws
  {
    let house = try await TestHouse()
    let files = try house.addFiles("a.flac", "b.flac")
    let items = files.map { #"{"path":"\#($0)"}"# }.joined(separator: ",")
    _ = await house.command(#"{"command":"play","items":[\#(items)]}"#)
    try await house.hear("A", at: 79, of: 100)
    await house.coordinator.wakeNextDisk()
    #expect(await house.coordinator.wokenFor == nil)
    let id = try #require(await house.coordinator.transport.queue.current)
    house.player.stand(at: StreamPosition(itemID: id, sourceFrame: 81 * MediaFrame.rate))
    await house.coordinator.wakeNextDisk()
    #expect(await house.coordinator.wokenFor == ItemID(rawValue: 2))
    await house.kill()
  }

  @Test func `both ends of a file are read, whatever its name`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (size, read) in [(0, 0), (100, 100), (1 << 20, 1 << 20), (5 << 20, (1 << 20) + (64 << 10))]
    {
      let file = folder.appending(path: "é \(size)")
      try Data(count: size).write(to: file)
      #expect(DiskWaker.read(file.path) == read)
    }
    #expect(DiskWaker.read(folder.path) == 0)
    #expect(DiskWaker.read("/nowhere/at/all") == 0)
  }
}
