// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@Suite struct ControlAPITests {
  @Test func `the state survives a round trip`() throws {
    let bytes = try JSONDocument.encode(SampleHouse.state)
    #expect(try JSONDocument.decode(StateDocument.self, from: bytes) == SampleHouse.state)
    #expect(try JSONDocument.encode(SampleHouse.state) == bytes)
  }

  @Test func `a room's hour and its log survive a round trip`() throws {
    let sync = try JSONDocument.encode(SampleHouse.sync)
    #expect(try JSONDocument.decode(RoomSyncDocument.self, from: sync) == SampleHouse.sync)
    let log = try JSONDocument.encode(SampleHouse.log)
    #expect(try JSONDocument.decode(RoomLogDocument.self, from: log) == SampleHouse.log)
  }

  @Test func `a silent sample has no sync error, and a kind of later is unknown`() throws {
    let silent = try Self.json(SampleHouse.sync.samples[1])
    #expect(!silent.contains("syncError") && !silent.contains("clock"))
    let later = try Self.json(SampleHouse.log).replacing("\"loss\"", with: "\"flood\"")
    let log = try JSONDocument.decode(RoomLogDocument.self, from: Array(later.utf8))
    #expect(log.incidents.first?.kind == .unknown)
  }

  @Test(arguments: ["sync", "log"])
  func `a room's record has an address`(word: String) {
    let path = "/api/v1/rooms/K%C3%BCche/\(word)"
    let route = APIRoute(path: path)
    #expect(route?.path == path)
    #expect(route?.method == "GET")
  }

  @Test func `what was not measured is absent`() throws {
    let text = try Self.json(RoomDocument(id: "1", name: "A", state: .idle, groupID: "g"))
    #expect(!text.contains("health") && !text.contains("null"))
  }

  @Test func `fields of later versions are passed over`() throws {
    let text = #"{"state":"dancing","later":[1]}"#
    let playback = try JSONDocument.decode(PlaybackDocument.self, from: Array(text.utf8))
    #expect(playback.state == .unknown)
  }

  @Test(arguments: [
    (GroupCommand.play(items: [], startSeconds: nil), #"{"command":"play"}"#),
    (
      .play(items: [.path("/a b"), .url("http://x/y"), .upload("u1")], startSeconds: 1.5),
      #"{"command":"play","items":[{"path":"/a b"},{"url":"http://x/y"},{"upload":"u1"}],"#
        + #""startSeconds":1.5}"#
    ),
    (.pause, #"{"command":"pause"}"#),
    (.resume, #"{"command":"resume"}"#),
    (.toggle, #"{"command":"toggle"}"#),
    (.stop, #"{"command":"stop"}"#),
    (.next, #"{"command":"next"}"#),
    (.previous, #"{"command":"previous"}"#),
    (.seek(.absolute(90)), #"{"command":"seek","seconds":90}"#),
    (.seek(.relative(-10)), #"{"command":"seek","offsetSeconds":-10}"#),
    (.volume(.absolute(40)), #"{"command":"volume","level":40}"#),
    (.volume(.relative(-5)), #"{"change":-5,"command":"volume"}"#),
    (.mute(true), #"{"command":"mute","muted":true}"#),
    (
      .queueAdd(items: [.path("/a")], place: .next),
      #"{"command":"queueAdd","items":[{"path":"/a"}],"place":"next"}"#
    ),
    (
      .play(items: [.path("/a")], startSeconds: nil, startAt: 3),
      #"{"command":"play","items":[{"path":"/a"}],"startAt":3}"#
    ),
    (.playItem(7), #"{"command":"playItem","itemID":7}"#),
    (
      .queueAdd(items: [.path("/a")], place: .after(9)),
      #"{"command":"queueAdd","itemID":9,"items":[{"path":"/a"}],"place":"after"}"#
    ),
    (
      .queueMove(itemIDs: [3, 1], place: .before(2)),
      #"{"command":"queueMove","itemID":2,"itemIDs":[3,1],"place":"before"}"#
    ),
    (.queueRemove(itemIDs: [3]), #"{"command":"queueRemove","itemIDs":[3]}"#),
    (.queueClear, #"{"command":"queueClear"}"#),
    (.queueSave(name: "a"), #"{"command":"queueSave","name":"a"}"#),
    (
      .queueSave(name: "a", replaces: true),
      #"{"command":"queueSave","name":"a","replace":true}"#
    ),
    (.queueLoad(name: "a"), #"{"command":"queueLoad","name":"a"}"#),
    (.shuffle(true), #"{"command":"shuffle","on":true}"#),
    (.setRepeat(.one), #"{"command":"repeat","mode":"one"}"#),
    (.arm, #"{"command":"arm"}"#),
  ])
  func `each group command has its form`(command: GroupCommand, text: String) throws {
    let document = CommandDocument(command)
    #expect(try Self.json(document) == text)
    let read = try JSONDocument.decode(
      CommandDocument<GroupCommand>.self, from: Array(text.utf8))
    #expect(read == document)
  }

  @Test func `room commands carry the sender's number`() throws {
    let document = CommandDocument(RoomCommand.volume(.absolute(3)), clientSequence: 12)
    let text = #"{"clientSequence":12,"command":"volume","level":3}"#
    #expect(try Self.json(document) == text)
    #expect(
      try JSONDocument.decode(CommandDocument<RoomCommand>.self, from: Array(text.utf8))
        == document)
  }

  @Test(arguments: [
    (#"{"command":"dance"}"#, "`command`: `dance` is not known here"),
    (#"{}"#, "`command` is missing"),
    (#"{"command":"seek"}"#, "`seconds` is missing"),
    (#"{"command":"seek","seconds":"1"}"#, "`seconds` must be a number"),
    (#"{"command":"volume","level":101}"#, "`level`: must be 0 to 100"),
    (#"{"command":"queueMove","itemIDs":[]}"#, "`itemIDs`: must name at least one"),
    (#"{"command":"queueMove","itemIDs":[1],"place":"up"}"#, "`place`: `up` is not known"),
    (#"{"command":"queueAdd","items":[],"place":"before"}"#, "`itemID` is missing"),
    (#"{"command":"queueRemove","itemIDs":["a"]}"#, "`itemIDs.0` must be a whole number"),
    (#"{"command":"repeat","mode":"twice"}"#, "`mode`"),
    (#"{"command":"volume","level":1,"change":1}"#, "`change`: excludes `level`"),
    (#"{"command":"seek","seconds":1,"offsetSeconds":1}"#, "`offsetSeconds`: excludes `seconds`"),
    (#"{"command":"volume","change":-101}"#, "`change`: must be -100 to 100"),
    (#"{"command":"seek","seconds":-1}"#, "`seconds`: is not a time within a track"),
    (#"{"command":"play","startAt":-1}"#, "`startAt`: must be 0 to 99999"),
    (#"{"command":"play","items":null}"#, "`items` is null"),
    (#"{"command":"stop","clientSequence":9007199254740992}"#, "`clientSequence`: must be 0"),
    (#"{"command":"mute","muted":1}"#, "`muted` must be true or false"),
    (#"{"command":"queueAdd","items":[{}]}"#, "`items.0`: exactly one of `path`, `url`"),
    (#"{"command":"queueAdd","items":[{"path":"a","url":"b"}]}"#, "`items.0`: exactly one of"),
    (#"{"command":"#, "not usable as JSON"),
    ("", "not usable as JSON"),
  ])
  func `a bad command is named by its field`(text: String, start: String) {
    let error = #expect(throws: DocumentError.self) {
      try JSONDocument.decode(CommandDocument<GroupCommand>.self, from: Array(text.utf8))
    }
    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }

  @Test func `numbers without a form in JSON are refused`() {
    #expect(throws: DocumentError.self) {
      try JSONDocument.encode(PlaybackDocument(state: .playing, positionSeconds: .nan))
    }
  }

  @Test func `random bytes never trap`() throws {
    var generator = SeededGenerator(state: 3)
    let valid = try JSONDocument.encode(SampleHouse.state)
    for _ in 0..<500 {
      var bytes = valid
      for _ in 0..<4 {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? JSONDocument.decode(StateDocument.self, from: bytes)
      _ = try? JSONDocument.decode(
        CommandDocument<GroupCommand>.self, from: Array(bytes.prefix(40)))
    }
  }

  static func json(_ document: some Encodable) throws -> String {
    String(decoding: try JSONDocument.encode(document), as: UTF8.self)
  }
}

/// SplitMix64, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
