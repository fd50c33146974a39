// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// SplitMix64: the same edits and the same deaths in each run.
private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// What a listener was told, and so must find again.
private struct Promise: Equatable {
  var revision: UInt64
  var items: [UInt64]
  var current: UInt64?
  var shuffle: Bool
  var mode: RepeatMode
  var volume: Int?

  init?(_ socket: ControlSocket) {
    guard let queue: QueueDocument = socket.document("/api/v1/groups/house/queue?limit=1000"),
      let state: StateDocument = socket.document("/api/v1/state")
    else { return nil }
    revision = queue.revision
    items = queue.items.map(\.id)
    current = queue.currentItemID
    shuffle = queue.shuffle
    mode = queue.repeatMode
    volume = state.rooms.first?.volume
  }
}

/// kill -9 at any moment, in the middle of edits: what was acknowledged is there.
@Suite(.serialized) struct SuddenEndTests {
  private static let commands = "/api/v1/groups/house/commands"

  @Test func `killed in the midst of edits, the house is what listeners were told`() throws {
    var random = SeededRandom(state: 20_261)
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("tune.wav", seconds: 120)
    try #require(house.untilRoomsAppear(1))
    let socket = ControlSocket(path: house.place.path("coordinator/control.sock"))
    #expect(socket.ask("POST", Self.commands, play(tune))?.status == 200)
    var place = 0.0
    let began = Date()
    var deaths = 0
    while deaths < 12, Date().timeIntervalSince(began) < 20 {
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        let known = try #require(Promise(socket))
        let answer = socket.ask("POST", Self.commands, edit(of: known, using: &random))
        #expect(answer?.status == 200, "\(String(decoding: answer?.body ?? Data(), as: UTF8.self))")
      }
      _ = socket.ask(
        "POST", "/api/v1/rooms/Kitchen/commands",
        #"{"command":"volume","level":\#(Int.random(in: 0...25, using: &random))}"#)
      let told = try #require(Promise(socket))
      // One more edit is under way when the end comes, somewhere in it.
      let pending = socket.send("POST", Self.commands, edit(of: told, using: &random))
      var delay = timeval(tv_sec: 0, tv_usec: Int.random(in: 0...3_000, using: &random))
      select(0, nil, nil, nil, &delay)
      try house.restartCoordinator(with: SIGKILL)
      if let pending { close(pending) }
      deaths += 1
      try #require(house.untilRoomsAppear(1))
      let found = try #require(Promise(socket))
      // The edit that nobody was told of may have happened or not, but not in part.
      if found.revision == told.revision {
        #expect(found.items == told.items && found.shuffle == told.shuffle)
      } else {
        #expect(found.revision == told.revision + 1)
      }
      #expect(found.volume == told.volume)
      let playback = try house.state { ($0.groups.first?.playback.positionSeconds ?? 0) > place }
        .groups.first?.playback
      #expect(playback?.state == .playing)
      #expect(playback?.item?.location == tune)
      let now = try #require(playback?.positionSeconds)
      #expect(now > place && now < Date().timeIntervalSince(began) + 5)
      place = now
    }
    #expect(deaths >= 5)
  }

  private func play(_ path: String) -> String {
    #"{"command":"play","items":[{"path":"\#(path)"},{"url":"http://127.0.0.1:9/a"}]}"#
  }

  /// An edit of one revision that leaves what plays alone.
  private func edit(of known: Promise, using random: inout SeededRandom) -> String {
    let others = known.items.filter { $0 != known.current }.shuffled(using: &random)
    let some = others.prefix(3).map(String.init).joined(separator: ",")
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4,
      _ where others.count < 6:
      let urls = (0..<Int.random(in: 1...30, using: &random)).map {
        #"{"url":"http://127.0.0.1:9/\#($0)"}"#
      }
      let place = Bool.random(using: &random) ? "end" : "next"
      return
        #"{"command":"queueAdd","place":"\#(place)","items":[\#(urls.joined(separator: ","))]}"#
    case 4..<6:
      return #"{"command":"queueMove","itemIDs":[\#(some)],"place":"end"}"#
    case 6..<8: return #"{"command":"queueRemove","itemIDs":[\#(some)]}"#
    case 8: return #"{"command":"shuffle","on":\#(!known.shuffle)}"#
    default:
      let mode = RepeatMode.allCases[Int.random(in: 0..<3, using: &random)]
      return #"{"command":"repeat","mode":"\#(mode.rawValue)"}"#
    }
  }
}
