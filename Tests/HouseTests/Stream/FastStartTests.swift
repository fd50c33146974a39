// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing
import WireProtocol

struct FastStartTests {
  let delay = Nanoseconds.seconds(6)

  func room(
    latency: Int64, armed: Bool = true, readyIn: Int64 = 0, lateness: Int64 = 0
  ) -> RoomReadiness {
    RoomReadiness(
      outputLatency: .milliseconds(latency), isArmed: armed, readyIn: .milliseconds(readyIn),
      lateness: .milliseconds(lateness))
  }

  @Test func `an armed house starts in 120 ms`() {
    #expect(FastStart.lead(rooms: [room(latency: 45)], delay: delay) == .milliseconds(120))
    #expect(FastStart.lead(rooms: [], delay: delay) == .milliseconds(120))
  }

  @Test func `the slowest armed room and its network are waited for`() {
    let rooms = [room(latency: 45), room(latency: 150, lateness: 30)]
    #expect(FastStart.lead(rooms: rooms, delay: delay) == .milliseconds(240))
  }

  @Test func `cold rooms hold nobody up, unless all are cold`() {
    let cold = room(latency: 45, armed: false, readyIn: 300)
    #expect(FastStart.lead(rooms: [room(latency: 45), cold], delay: delay) == .milliseconds(120))
    #expect(FastStart.lead(rooms: [cold], delay: delay) == .milliseconds(405))
    let never = room(latency: 45, armed: false, readyIn: 60_000)
    #expect(FastStart.lead(rooms: [never], delay: delay) == .milliseconds(605))
  }

  @Test func `the lead never exceeds the delay`() {
    let lead = FastStart.lead(rooms: [room(latency: 900)], delay: .milliseconds(400))
    #expect(lead == .milliseconds(400))
  }

  @Test(arguments: [0, 1, 20_833, 20_834, 999_999_999])
  func `the first frame is heard at now plus lead, to the frame`(offset: Int64) {
    let now = MediaInstant(nanosecondsSince1900: 4_000_000_000_000_000_000 + offset)
    let first = FastStart.firstAudible(at: now, lead: .milliseconds(120), delay: delay)
    let heardIn = first.instant + delay - now
    #expect(heardIn >= .milliseconds(120) && heardIn <= .milliseconds(120) + Nanoseconds(20_835))
  }
}

struct GenerationCounterTests {
  @Test func `every generation supersedes the one before, across the wrap`() {
    var counter = GenerationCounter(restoring: .init(session: 0xABCD, firstUnused: 65_500))
    var last = counter.next().ssrc
    for _ in 0..<200 {
      let following = counter.next().ssrc
      #expect(following.supersedes(last))
      #expect(following.session == 0xABCD)
      last = following
    }
  }

  @Test func `a crash at any moment never reuses a name`() {
    var counter = GenerationCounter(session: 7)
    var saved: GenerationCounter.Saved?
    var last: SSRC?
    for draw in 1...150 {
      let (ssrc, save) = counter.next()
      if let save { saved = save }
      #expect(saved != nil, "nothing is used before it was saved")
      if let last { #expect(ssrc.supersedes(last)) }
      last = ssrc
      if draw % 7 == 0, let saved { counter = GenerationCounter(restoring: saved) }
    }
  }
}
