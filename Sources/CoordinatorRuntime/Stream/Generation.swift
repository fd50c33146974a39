// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import OpusCodec
internal import WireProtocol

// One generation. Content frame `firstContent` of its line is stamped `firstAudible`; the first packet
// is stamped `lookAhead` frames earlier, and what a decoder makes of those frames is never heard.
//
//   content            c0                    c0 + 960
//   packet             |------ 0 ------------|------ 1 ------
//   stamp    firstAudible - 312              ... + 960
//   decoded  |run-up 312|c0 ...

/// What is known of a generation that flows.
struct Generation {
  var announce: StreamAnnounce
  var grid: PacketGrid
  let history: PCMHistory
  let store: PacketStore
  /// The live input that it carries.
  var live: LiveTrack?
  /// The content frame that is stamped `firstAudible`.
  let firstContent: Int64
  /// Packets made so far.
  var packets = 0
  /// Runs have been laid out for content before this.
  var laidOut: Int64
  /// The content frame after the last one, once all packets have been made.
  var endContent: Int64?

  var ssrc: SSRC { announce.ssrc }
  var firstAudible: MediaFrame { announce.firstAudible }
  /// The content frame that the next packet begins with.
  var nextContent: Int64 { firstContent + Int64(packets) * grid.packetFrames }
  /// The stamp after the last frame, once all packets have been made.
  var endFrame: MediaFrame? { endContent.map(stamp) }

  /// The stamp of a content frame.
  func stamp(of content: Int64) -> MediaFrame { firstAudible + (content - firstContent) }
  /// The content that is stamped `frame`, never before the first.
  func content(at frame: MediaFrame) -> Int64 {
    let content = max(firstContent, firstContent + (frame - firstAudible))
    return endContent.map { min(content, $0) } ?? content
  }

  /// How much of the content a decoder can make from the packets so far.
  var decodableContent: Int64 { max(firstContent, nextContent - Int64(announce.lookAheadFrames)) }
}

/// Makes the datagrams of generations: Opus in RTP. One thread's own.
struct PacketEncoder: ~Copyable {
  private var opus: OpusEncoder
  private var block: [Float] = []

  /// An encoder at this average rate.
  init(bitRate: Int) throws(OpusError) {
    opus = try OpusEncoder(bitRate: bitRate)
  }

  /// Frames by which decoded music lags.
  var lookAhead: Int { opus.lookAhead }

  /// Forgets the generation before.
  mutating func begin() { opus.reset() }

  /// Makes the next packet of `generation`; content that is not there is silence.
  mutating func appendPacket(to generation: inout Generation) throws(OpusError) {
    let number = generation.packets
    var samples: [Float] = []
    swap(&samples, &block)
    defer { swap(&samples, &block) }
    generation.history.read(
      Int(generation.grid.packetFrames), from: generation.nextContent, into: &samples)
    var datagram: [UInt8] = []
    datagram.reserveCapacity(1_500)
    RTPHeader(
      payloadType: generation.announce.payloadType, marker: number == 0,
      sequence: UInt16(truncatingIfNeeded: number),
      timestamp: RTPTimestamp(generation.grid.stamp(of: number)), ssrc: generation.ssrc
    ).append(to: &datagram)
    try opus.encode(samples.span, into: &datagram)
    generation.store.append(datagram)
    generation.packets += 1
  }
}
