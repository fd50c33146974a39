// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

/// A queue of a track, a live input and another track; the one at `place` is heard.
private func playing(at place: Int) throws -> Transport {
  var transport = Transport()
  let live = PlayQueue.Addition(source: .input(name: "tv"), label: "tv")
  _ = try transport.perform(
    .playTracks(tracks("a") + [live] + tracks("b"), startingAt: place, fromFrame: 0))
  let first = try #require(transport.queue.current)
  _ = transport.receive(.trackHeard(first))
  return transport
}

@Suite struct TransportLiveTests {
  @Test func `a pause drops what the input says, and it goes on at what it says then`() throws {
    var transport = try playing(at: 1)
    let item = try #require(transport.queue.currentItem)
    #expect(try transport.perform(.pause) == [.stop])
    #expect(transport.state == .paused)
    #expect(try transport.perform(.toggle) == [.play(item, fromFrame: 0)])
    #expect(transport.state == .playing)
  }

  @Test func `there are no places in it`() throws {
    var transport = try playing(at: 1)
    for _ in 0..<2 {
      #expect(throws: TransportRefusal.live("tv")) {
        try transport.perform(.seek(toFrame: 480))
      }
      _ = try transport.perform(.pause)
    }
    let live = PlayQueue.Addition(source: .input(name: "tv"), label: "tv")
    #expect(throws: TransportRefusal.live("tv")) {
      try transport.perform(.playTracks([live], startingAt: 0, fromFrame: 480))
    }
    #expect(transport.queue.items.count == 3)
  }

  @Test func `it is not read ahead, but begins when the track before it has ended`() throws {
    var transport = try playing(at: 0)
    let items = transport.queue.items
    #expect(transport.receive(.needsNext(after: items[0].id)) == [.setNext(nil)])
    #expect(transport.receive(.finished) == [.play(items[1], fromFrame: 0)])
  }

  @Test func `nothing follows it but by a button`() throws {
    var transport = try playing(at: 1)
    let items = transport.queue.items
    #expect(transport.receive(.needsNext(after: items[1].id)) == [.setNext(items[2])])
    #expect(try transport.perform(.next) == [.play(items[2], fromFrame: 0)])
  }
}

@Suite struct TransportBroadcastTests {
  /// A radio station between two tracks, heard and found to be live.
  private func listening() throws -> Transport {
    var transport = Transport()
    let radio = PlayQueue.Addition(source: .url("http://radio/"), label: "radio")
    _ = try transport.perform(
      .playTracks(tracks("a") + [radio] + tracks("b"), startingAt: 1, fromFrame: 0))
    let id = try #require(transport.queue.current)
    transport.noteLive(id)
    _ = transport.receive(.trackHeard(id))
    return transport
  }

  @Test func `a station has no places, and resumes at what it sends then`() throws {
    var transport = try listening()
    let item = try #require(transport.queue.currentItem)
    #expect(throws: TransportRefusal.live("radio")) {
      try transport.perform(.seek(toFrame: 480))
    }
    #expect(try transport.perform(.pause) == [.stop])
    #expect(try transport.perform(.resume) == [.play(item, fromFrame: 0)])
  }

  @Test func `a station may be read ahead of its turn, and a button leaves it`() throws {
    var transport = try listening()
    let items = transport.queue.items
    #expect(transport.receive(.needsNext(after: items[1].id)) == [.setNext(items[2])])
    #expect(try transport.perform(.previous(elapsed: .zero)) == [.play(items[0], fromFrame: 0)])
    #expect(transport.receive(.needsNext(after: items[0].id)) == [.setNext(items[1])])
  }

  @Test func `what has left the queue is forgotten`() throws {
    var transport = try listening()
    let id = try #require(transport.queue.current)
    _ = try transport.perform(.clear)
    transport.noteLive(id)
    #expect(transport == Transport.forgetful(transport))
  }
}

extension Transport {
  /// The same without any station.
  fileprivate static func forgetful(_ transport: Transport) -> Transport {
    var copy = transport
    copy.noteLive(ItemID(rawValue: .max))
    return copy
  }
}
