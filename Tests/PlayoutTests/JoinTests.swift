// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import RealtimeAudio
import Testing
import WireProtocol

@Suite struct JoinTests {
  let source = PacketSource(ssrc: name(1), firstAudible: origin)

  @Test func `joining in the middle takes four packets of run-up that are not heard`() {
    var room = ReceivingRoom(playhead: origin + 96_000)
    room.receiver.announce(source.announcement)
    room.deliver(source, 98..<160)
    room.play(30_000)
    let runUps = room.steps.prefix(6).map { step in
      if case .preroll = step { true } else { false }
    }
    #expect(runUps == [false, true, true, true, true, false])
    #expect(room.first(.music(name(1))).map { $0 >= source.stamp(102) } == true)
    #expect(room.everything == [.silence, .music(name(1))])
    #expect(room.receiver.counters.lost == 0)
  }

  @Test func `a burst that comes before the time is known is kept, however late the room joins`() {
    var room = ReceivingRoom(playhead: nil)
    room.receiver.announce(source.announcement)
    room.deliver(source, 600..<900)
    room.playhead = source.stamp(605)
    room.play(30_000)
    #expect(room.receiver.counters.discarded == 0)
    #expect(room.first(.music(name(1))).map { $0 <= source.stamp(611) } == true)
  }

  @Test func `a beginning that comes a little late is decoded from its first packet`() {
    var room = ReceivingRoom(playhead: origin + 2_400)
    room.receiver.announce(source.announcement)
    room.deliver(source, 0..<40)
    room.play(20_000)
    #expect(!room.steps.contains { if case .preroll = $0 { true } else { false } })
    #expect(room.everything == [.music(name(1))])
  }

  @Test func `a lost first packet is waited for, then joined around`() {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(source.announcement)
    room.deliver(source, 1..<40)
    room.play(to: origin - 840)
    #expect(room.steps.isEmpty)
    room.play(to: origin + 20_000)
    #expect(room.everything == [.silence, .music(name(1))])
    #expect(room.first(.music(name(1))).map { $0 <= source.stamp(6) } == true)
  }

  @Test func `an outage is concealed for 100 ms, then silent, then joined again`() {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(source.announcement)
    room.deliver(source, 0..<10)
    room.play(to: origin + 24_000)
    room.deliver(source, 24..<60)
    room.play(to: origin + 40_000)
    #expect(
      room.everything == [
        .silence, .music(name(1)), .concealment, .fillerSilence, .silence, .music(name(1)),
      ])
    #expect(room.receiver.counters.concealed == 6)
    #expect(room.receiver.counters.lost == 14)
    #expect(room.receiver.counters.late == 0, "what is just past is a run-up")
    #expect(room.problems == [])
  }

  @Test func `concealment fades to zero by 100 ms and the music returns without a step`() {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(source.announcement)
    room.deliver(source, 0..<10)
    room.deliver(source, 12..<40)
    room.play(to: origin + 30_000)
    var gain: Float = 1
    for step in room.steps {
      switch step {
      case .conceal(_, let frames, let envelope):
        #expect(envelope.from == gain && envelope.frames == frames)
        gain = envelope.to
      case .decode(_, _, _, _, let envelope):
        #expect(envelope.from == gain && envelope.to == 1)
        gain = 1
      default: break
      }
    }
    #expect(
      room.steps.contains {
        if case .decode(_, _, _, _, let envelope) = $0 { envelope.from < 0.7 } else { false }
      })
  }

  @Test(arguments: [Int64(48_000), -24_000])
  func `a playhead that jumps away is followed`(distance: Int64) {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(source.announcement)
    room.deliver(source, 0..<140)
    room.play(to: origin + 43_200)
    room.playhead = origin + 43_200 + distance
    room.play(14_400)
    #expect(room.problems == [])
    #expect(room.heard.last?.sound == .music(name(1)))
  }
}
