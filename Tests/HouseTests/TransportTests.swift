// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

/// A transport that plays these tracks, with the first one heard.
private func playing(_ names: String..., repeating: RepeatMode = .off) throws -> Transport {
  var transport = Transport()
  let additions = names.map { tracks($0)[0] }
  _ = try transport.perform(.playTracks(additions, startingAt: 0, fromFrame: 0))
  _ = try transport.perform(.setRepeat(repeating))
  let first = try #require(transport.queue.current)
  _ = transport.receive(.trackHeard(first))
  return transport
}

@Suite struct TransportTests {
  @Test func `play replaces the queue and begins where it is told`() throws {
    var transport = try playing("old")
    let effects = try transport.perform(
      .playTracks(tracks("a", "b"), startingAt: 1, fromFrame: 480))
    let item = try #require(transport.queue.currentItem)
    #expect(effects == [.play(item, fromFrame: 480)])
    #expect(item.label == "b")
    #expect(transport.queue.items.count == 2)
    #expect(transport.state == .playing)
  }

  @Test func `pause and resume keep the place in the engine`() throws {
    var transport = try playing("a")
    #expect(try transport.perform(.pause) == [.pause])
    #expect(try transport.perform(.pause) == [])
    #expect(transport.state == .paused)
    #expect(try transport.perform(.toggle) == [.resume])
    #expect(try transport.perform(.resume) == [])
  }

  @Test func `stop resets the queue to its start`() throws {
    var transport = try playing("a", "b")
    _ = try transport.perform(.next)
    #expect(try transport.perform(.stop) == [.stop])
    #expect(transport.queue.current == transport.queue.items.first?.id)
    #expect(transport.state == .stopped)
    #expect(try transport.perform(.stop) == [])
  }

  @Test func `a seek while paused is where resume begins`() throws {
    var transport = try playing("a")
    _ = try transport.perform(.pause)
    #expect(try transport.perform(.seek(toFrame: 96_000)) == [])
    #expect(transport.resumeFrame == 96_000)
    let item = try #require(transport.queue.currentItem)
    #expect(try transport.perform(.resume) == [.play(item, fromFrame: 96_000)])
  }

  @Test func `skipping while stopped moves along and stays silent`() throws {
    var transport = Transport()
    _ = try transport.perform(.add(tracks("a", "b")))
    #expect(try transport.perform(.next) == [])
    #expect(transport.queue.currentItem?.label == "b")
    #expect(transport.state == .stopped)
  }

  @Test func `an empty queue refuses to play, and a silent group to seek`() throws {
    var transport = Transport()
    #expect(throws: TransportRefusal.queueEmpty) { try transport.perform(.resume) }
    #expect(throws: TransportRefusal.queueEmpty) { try transport.perform(.toggle) }
    #expect(throws: TransportRefusal.queueEmpty) { try transport.perform(.next) }
    #expect(throws: TransportRefusal.nothingPlaying) {
      try transport.perform(.seek(toFrame: 0))
    }
    #expect(throws: TransportRefusal.queue(.noSuchItem(ItemID(rawValue: 5)))) {
      try transport.perform(.remove([ItemID(rawValue: 5)]))
    }
  }

  @Test func `next at the end stops unless the queue repeats`() throws {
    var once = try playing("a")
    #expect(try once.perform(.next) == [.stop])
    #expect(once.stopReason == nil)
    var endless = try playing("a", repeating: .all)
    let item = try #require(endless.queue.currentItem)
    #expect(try endless.perform(.next) == [.play(item, fromFrame: 0)])
  }

  @Test func `the engine is offered the follower, and again when an edit changes it`() throws {
    var transport = try playing("a", "c")
    let (a, c) = (transport.queue.items[0], transport.queue.items[1])
    #expect(transport.receive(.needsNext(after: a.id)) == [.setNext(c)])
    let effects = try transport.perform(.add(tracks("b"), to: .before(c.id)))
    #expect(effects == [.setNext(transport.queue.items[1])])
    #expect(try transport.perform(.add(tracks("d"))) == [])
    #expect(try transport.perform(.setRepeat(.one)) == [.setNext(a)])
  }

  @Test func `a track that was read ahead is taken back when it is removed`() throws {
    var transport = try playing("a", "b", "c")
    let items = transport.queue.items
    _ = transport.receive(.needsNext(after: items[0].id))
    #expect(transport.receive(.needsNext(after: items[1].id)) == [.setNext(items[2])])
    let effects = try transport.perform(.remove([items[1].id]))
    #expect(effects == [.setNext(items[2], after: items[0].id)])
    #expect(transport.receive(.needsNext(after: items[1].id)) == [])
    #expect(transport.receive(.needsNext(after: items[2].id)) == [.setNext(nil)])
  }

  @Test func `removing the track that plays goes on with the one in its place`() throws {
    var transport = try playing("a", "b")
    let (a, b) = (transport.queue.items[0], transport.queue.items[1])
    #expect(try transport.perform(.remove([a.id])) == [.play(b, fromFrame: 0)])
    #expect(try transport.perform(.remove([b.id])) == [.stop])
  }

  @Test func `clearing the queue stops`() throws {
    var transport = try playing("a", "b")
    #expect(try transport.perform(.clear) == [.stop])
    #expect(transport.queue.isEmpty)
  }

  @Test func `a paused group stays paused when its track is removed`() throws {
    var transport = try playing("a", "b")
    let (a, b) = (transport.queue.items[0], transport.queue.items[1])
    _ = try transport.perform(.pause)
    #expect(try transport.perform(.remove([a.id])) == [])
    #expect(transport.state == .paused)
    #expect(try transport.perform(.resume) == [.play(b, fromFrame: 0)])
  }

  @Test func `restored playback is paused at its frame, or goes on`() throws {
    let queue = try playing("a").queue
    var paused = Transport(restoring: queue, playback: .paused(atFrame: 4_800))
    let item = try #require(queue.currentItem)
    #expect(try paused.perform(.resume) == [.play(item, fromFrame: 4_800)])
    var going = Transport(restoring: queue, playback: .playing)
    #expect(going.state == .playing)
    #expect(going.receive(.finished) == [.stop])
    #expect(Transport(restoring: PlayQueue(), playback: .playing).state == .stopped)
  }
}

@Suite struct TransportFailureTests {
  @Test func `a track that cannot be opened is skipped with its reason`() throws {
    var transport = Transport()
    _ = try transport.perform(.playTracks(tracks("bad", "good"), startingAt: 0, fromFrame: 0))
    let (bad, good) = (transport.queue.items[0], transport.queue.items[1])
    let effects = transport.receive(.trackFailed(bad.id, reason: "it is empty"))
    #expect(effects == [.play(good, fromFrame: 0)])
    #expect(
      transport.failures == [TrackFailure(item: bad.id, label: "bad.flac", reason: "it is empty")])
    #expect(transport.state == .playing)
  }

  @Test(arguments: RepeatMode.allCases) func `a queue of broken files is tried once, then says why`(
    mode: RepeatMode
  ) throws {
    var transport = Transport()
    _ = try transport.perform(.setRepeat(mode))
    _ = try transport.perform(.playTracks(tracks("a", "b", "c"), startingAt: 0, fromFrame: 0))
    var attempts = 0
    while transport.state == .playing, attempts < 10 {
      attempts += 1
      let id = try #require(transport.queue.current)
      _ = transport.receive(.trackFailed(id, reason: "it is not audio"))
    }
    #expect(attempts == 3)
    #expect(transport.stopReason?.contains("it is not audio") == true)
    #expect(transport.queue.currentItem?.label == "a")
  }

  @Test func `a follower that fails is replaced without touching what plays`() throws {
    var transport = try playing("a", "bad", "c")
    let items = transport.queue.items
    #expect(transport.receive(.needsNext(after: items[0].id)) == [.setNext(items[1])])
    #expect(
      transport.receive(.trackFailed(items[1].id, reason: "gone")) == [.setNext(items[2])])
    #expect(transport.queue.current == items[0].id)
  }

  @Test func `a track that breaks off plays out what was read, then the next follows`() throws {
    var transport = try playing("a", "b")
    let items = transport.queue.items
    #expect(
      transport.receive(.trackFailed(items[0].id, reason: "cut off")) == [.setNext(items[1])])
    #expect(transport.state == .playing)
  }

  @Test func `an engine that ran dry too early is given what follows`() throws {
    var transport = try playing("a")
    let a = transport.queue.items[0]
    #expect(transport.receive(.needsNext(after: a.id)) == [.setNext(nil)])
    _ = try transport.perform(.add(tracks("b")))
    #expect(transport.receive(.finished) == [.play(transport.queue.items[1], fromFrame: 0)])
  }

  @Test func `a track without sound counts as failed`() throws {
    var transport = Transport()
    _ = try transport.perform(.playTracks(tracks("silent"), startingAt: 0, fromFrame: 0))
    #expect(transport.receive(.finished) == [.stop])
    #expect(transport.stopReason == "silent.flac cannot be played: there is no sound in it")
  }

  @Test func `a failed track gets another chance after one has played to its end`() throws {
    var transport = try playing("a", "bad", repeating: .all)
    let items = transport.queue.items
    _ = transport.receive(.needsNext(after: items[0].id))
    #expect(transport.receive(.trackFailed(items[1].id, reason: "busy")) == [.setNext(items[0])])
    _ = transport.receive(.needsNext(after: items[0].id))
    _ = transport.receive(.trackHeard(items[0].id))
    #expect(transport.failures.isEmpty)
    let effects = transport.receive(.needsNext(after: items[0].id))
    #expect(effects == [.setNext(items[1], after: items[0].id)])
  }

  @Test func `events that tell of the track before a skip change nothing`() throws {
    var transport = try playing("a", "b")
    let (a, b) = (transport.queue.items[0].id, transport.queue.items[1].id)
    _ = try transport.perform(.next)
    #expect(transport.receive(.needsNext(after: a)) == [])
    #expect(transport.receive(.trackHeard(a)) == [])
    #expect(transport.queue.current == b)
    #expect(transport.receive(.trackFailed(a, reason: "late")) == [])
    #expect(transport.failures.isEmpty)
  }

  @Test func `several short tracks may lie between what is read and what is heard`() throws {
    var transport = try playing("a", "b", "c", "d")
    let items = transport.queue.items
    for place in 0..<3 {
      #expect(
        transport.receive(.needsNext(after: items[place].id)) == [.setNext(items[place + 1])])
    }
    _ = transport.receive(.trackHeard(items[1].id))
    #expect(transport.queue.current == items[1].id)
    _ = transport.receive(.trackHeard(items[0].id))
    #expect(transport.queue.current == items[1].id)
    _ = transport.receive(.trackHeard(items[2].id))
    #expect(transport.queue.current == items[2].id)
  }

  @Test func `a seek gives failed tracks another chance`() throws {
    var transport = try playing("a", "b")
    let a = transport.queue.items[0]
    _ = transport.receive(.trackFailed(a.id, reason: "cut off"))
    #expect(try transport.perform(.seek(toFrame: 10)) == [.play(a, fromFrame: 10)])
    #expect(transport.failures.isEmpty)
  }

  @Test func `events after a stop change nothing`() throws {
    var transport = try playing("a", "b")
    let id = transport.queue.items[1].id
    _ = try transport.perform(.stop)
    let stopped = transport
    for event in [
      TransportEvent.trackHeard(id), .needsNext(after: id), .finished,
      .trackFailed(id, reason: "late"),
    ] {
      #expect(transport.receive(event) == [])
      #expect(transport == stopped)
    }
  }
}
