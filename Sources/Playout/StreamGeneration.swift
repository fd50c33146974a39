// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import RealtimeAudio
internal import WireProtocol

// One unbroken run of the stream, from its first packet to the moment another one covers it.
//
//   waiting ──open──► filling ──(stop passed, or covered by a newer one)──► gone
//      ▲                 │
//      └─ starved, or ───┘   the playhead left the lane: join again in the middle
//
// A generation is opened as late as possible, because only then is it known which packets are there:
// from its first packet if that has come, else in the middle, with a run-up of four packets that is not
// heard (a decoder that joins is at 5, 10, 15, 20, 26 dB over its first packets; measured).

/// What a receiver knows about one generation.
struct StreamGeneration {
  /// Where a lane begins and what is heard of it.
  struct Opening {
    /// The first frame appended to the lane.
    var start: MediaFrame
    /// The first frame heard.
    var audible: MediaFrame
    /// Decoded first, for nothing.
    var runUp: ArraySlice<EncodedPacket>
    /// In the middle of the music.
    var isJoin: Bool
  }

  /// Where and how fast this generation falls silent.
  struct Stop {
    var frame: MediaFrame
    var fadeFrames: Int32
    /// Of the flush; nil for the natural end.
    var serial: UInt32?

    var settled: MediaFrame { frame + Int64(fadeFrames) }
  }

  /// Packets of run-up when joining.
  static var runUpPackets: Int { 4 }
  /// The same in frames, with packets of 20 ms.
  static var runUpFrames: Int64 { 3_840 }
  /// A generation that is at most this late is decoded from its first packet: 160 ms.
  private static var catchUpFrames: Int64 { 7_680 }

  let ssrc: SSRC
  var firstAudible: MediaFrame?
  var lookAhead: Int64
  var firstSequence: UInt16
  /// Frames that the stamps are ahead of the room's count.
  let shift: Int64
  var buffer = JitterBuffer()
  var raw: [RawPacket] = []
  var repair = RepairPlanner()
  var fill: LaneFill? {
    didSet { hasOpened = hasOpened || fill != nil }
  }
  /// The newest packet decoded before the lane was given up for want of packets.
  var starvedAfter: UInt16?
  /// It had a lane once: the beginning is over.
  private(set) var hasOpened = false
  var startCue: LaneCue?
  var stop: Stop?
  var stopCue: LaneCue?

  /// A generation of which nothing has arrived yet.
  init(
    ssrc: SSRC, firstAudible: MediaFrame?, lookAhead: Int64, firstSequence: UInt16, shift: Int64
  ) {
    self.ssrc = ssrc
    self.firstAudible = firstAudible
    self.lookAhead = lookAhead
    self.firstSequence = firstSequence
    self.shift = shift
  }

  /// The room's frame of a stamp.
  func frame(of stamp: RTPTimestamp, near reference: MediaFrame) -> MediaFrame {
    stamp.unwrapped(near: reference + shift) - shift
  }

  /// Takes over what an announcement says.
  mutating func learn(_ announce: StreamAnnounce) {
    firstAudible = announce.firstAudible
    lookAhead = Int64(announce.lookAheadFrames)
    firstSequence = announce.firstSequence
  }

  /// Whether the packet's place has been played or concealed, or can be played no more.
  ///
  /// Before the first lane nothing is too late: the playhead may still stand where another D put it,
  /// and moves when the audio thread takes up the new one, up to a block later.
  func isTooLate(_ packet: EncodedPacket, playhead: MediaFrame?) -> Bool {
    if let fill { return packet.stamp < fill.end }
    guard hasOpened else { return false }
    // What is just past is still a run-up for the lane that opens next.
    return playhead.map { packet.end + Self.runUpFrames <= $0 } ?? false
  }

  /// Whether the packet comes too late because its place had to be concealed.
  func wasConcealed(_ packet: EncodedPacket) -> Bool {
    guard let fill, packet.stamp >= fill.start else { return true }
    return fill.hasConcealed(packet.stamp)
  }

  /// Whether the playhead has left what the lane can hold, ahead or behind.
  func hasLostPlayhead(_ playhead: MediaFrame) -> Bool {
    guard let fill else { return false }
    let lead = fill.end - playhead
    return lead < -Self.catchUpFrames * 3 || lead > AudioLane.capacity - Self.catchUpFrames / 2
  }

  /// Where to begin, if now is the time.
  ///
  /// - Parameters:
  ///   - playhead: The next frame that the audio thread will read.
  ///   - limit: Lanes are to be filled up to here.
  /// - Returns: Nil while it is too early, or nothing useful has arrived.
  func opening(playhead: MediaFrame, limit: MediaFrame) -> Opening? {
    guard let oldest = buffer.first else { return nil }
    if !hasOpened, oldest.sequence == firstSequence, playhead - oldest.stamp < Self.catchUpFrames {
      let audible = firstAudible ?? oldest.stamp + lookAhead
      guard oldest.stamp < limit else { return nil }
      return Opening(start: oldest.stamp, audible: audible, runUp: [], isJoin: false)
    }
    // The first packet may still come, as long as its place is not reached.
    if let firstAudible, playhead + LaneFill.patience < firstAudible { return nil }
    return joining(playhead: playhead, limit: limit)
  }

  /// The earliest packet that is due after the playhead and has a run-up.
  private func joining(playhead: MediaFrame, limit: MediaFrame) -> Opening? {
    var candidate = buffer.packet(atOrAfter: playhead + LaneFill.patience)
    while let packet = candidate, packet.stamp < limit {
      let runUp = buffer.run(before: packet.stamp, limit: Self.runUpPackets)
      let isEnough = runUp.count == Self.runUpPackets || runUp.first?.sequence == firstSequence
      if isEnough || packet.sequence == firstSequence {
        let audible = max(packet.stamp, firstAudible ?? packet.stamp)
        return Opening(start: packet.stamp, audible: audible, runUp: runUp, isJoin: true)
      }
      candidate = buffer.packet(atOrAfter: packet.end)
    }
    return nil
  }
}
