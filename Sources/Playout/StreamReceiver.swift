// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import RealtimeAudio
public import WireProtocol

// The network half of a speaker: what arrives, for which generation, and what of it sounds when.
//
//   announce, flush, end ──► generations (oldest first) ──► schedule of cues ──► snapshot
//   RTP ──► jitter buffers of encoded packets ──► nextStep ──► decode steps ──► lanes
//
// Everything counts in stamps (media frames); the playout delay D is only handed on to the audio half.
// Pure: the caller brings arrival times and the playhead, and carries the steps out.
//
// Which generation: the one announced last, and after it any higher one of the same session, by serial
// arithmetic, announced or not: a room sounds as long as RTP flows. A lower or foreign one is dropped and
// counted, but the latest strays are kept aside: RTP may overtake the announcement it belongs to.
//
// Stamps are 32 bits, and unwrapped only when somebody knows what time it is: the clock map or the playhead.
// Packets wait in raw form until then.

/// Receives one group's stream and says how to turn it into lanes.
///
/// - Thread: one at a time (the UDP thread). Not real-time safe: it allocates.
public struct StreamReceiver: Sendable {
  /// Packets kept in raw form, for want of a time or of an announcement. Two seconds' worth of a burst.
  private static var rawLimit: Int { 512 }
  /// Steady packets are sent at their stamp; one that is more than 2 s ahead of the clock is not ours.
  private static var farAhead: Int64 { 2 * MediaFrame.rate }
  /// Generations at a time: as many as there are lanes.
  private static var generationLimit: Int { LaneBank.laneCount }

  /// What arrived so far.
  public internal(set) var counters = ReceptionCounters()
  /// The announcement that rules: codec and D of the stream; its frames are counted as the room does.
  public private(set) var announcement: StreamAnnounce?
  /// The clock by which frames are counted here; nil before the first announcement.
  public internal(set) var clock: RulingClock?
  /// Which lane sounds when; publish it to the audio thread after every call that may change it.
  public internal(set) var schedule = LaneSchedule()

  var generations: [StreamGeneration] = []
  /// Where the renderer is, or was when the device was closed.
  var playhead: MediaFrame?
  /// Whether there is a device that reads on from `playhead`.
  var isRendering = false
  var nextCueSerial: UInt32 = 1
  var nextLane = 0
  /// Lanes of generations that are gone, for `nextStep` to close.
  var closing: [Int] = []
  var reference: MediaFrame?
  var repairTiming = RepairTiming()
  /// The music of the next clock.
  var awaited: AwaitedStream?
  private var newest: SSRC?
  private var strays: [RawPacket] = []
  private var arrivals = InterarrivalJitter()
  private var delivery = DeliveryWatch()

  /// A receiver that has heard nothing.
  public init() {}

  /// The generation that is playing or awaited.
  public var ssrc: SSRC? { generations.last?.ssrc ?? newest }
  /// Packets that are kept, in whatever form: what its memory grows with.
  public var packetsHeld: Int {
    generations.reduce(strays.count + (awaited?.packets.count ?? 0)) {
      $0 + $1.buffer.count + $1.raw.count
    }
  }
  /// How unevenly packets arrive (RFC 3550).
  public var jitter: Nanoseconds { arrivals.value }

  /// How late packets came since this was called last.
  public mutating func takeDelivery() -> DeliveryPeaks { delivery.take() }

  /// Takes in an announcement of the current or a new generation.
  public mutating func announce(_ announce: StreamAnnounce) {
    // Stale, or flushed already: what it says of clock and delay is overtaken too.
    guard generations.contains(where: { $0.ssrc == announce.ssrc }) || !isOvertaken(announce.ssrc),
      !awaits(announce)
    else { return }
    let announce = counted(announce)
    if let index = generations.firstIndex(where: { $0.ssrc == announce.ssrc }) {
      generations[index].learn(announce)
    } else {
      begin(announce.ssrc, firstAudible: announce.firstAudible, by: announce)
    }
    announcement = announce
    adoptStrays()
    unwrapRaw()
  }

  /// Takes in one RTP packet.
  ///
  /// - Parameters:
  ///   - header: Its header.
  ///   - payload: Its payload; copied only when it is kept.
  ///   - arrival: When it arrived here.
  ///   - clock: The frame at that moment, by the clock that rules; nil while it is unknown.
  public mutating func receive(
    _ header: RTPHeader, payload: Span<UInt8>, at arrival: LocalInstant, clock: MediaFrame?
  ) {
    if let clock { learn(clock) }
    if header.payloadType == RTPHeader.retransmissionPayloadType {
      receiveRepair(header, payload: payload, at: arrival, clock: clock)
      return
    }
    guard header.payloadType == announcement?.payloadType ?? RTPHeader.opusPayloadType else {
      counters.discarded += 1
      return
    }
    let packet = RawPacket(
      header: header, payload: payload.indices.map { payload[$0] }, arrival: arrival)
    if awaited?.includes(header.ssrc) == true {
      awaited?.add(packet)
    } else {
      takeIn(packet, clock: clock)
    }
  }

  /// Takes in a packet that is no repair.
  mutating func takeIn(_ packet: RawPacket, clock: MediaFrame?) {
    guard let index = generation(for: packet.header.ssrc) else {
      keepAside(packet)
      return
    }
    if index == generations.count - 1 {
      arrivals.receive(packet.header.timestamp, at: packet.arrival)
      noteDelivery(
        of: packet.header, in: index, at: packet.arrival, clock: clock, isRepair: false)
    }
    store(packet, in: index)
  }

  /// Takes in "play nothing of this generation from that frame on". Repetitions change nothing.
  public mutating func flush(_ flush: FlushPacket) {
    if awaited?.includes(flush.ssrc) == true {
      awaited?.add(flush)
      return
    }
    guard let index = generations.firstIndex(where: { $0.ssrc == flush.ssrc }) else {
      refuse(flush.ssrc)
      return
    }
    let known = generations[index].stop?.serial
    if let known, Int32(bitPattern: flush.serial &- known) <= 0 { return }
    stop(
      index, at: flush.fromFrame - generations[index].shift,
      fadeFrames: Int32(flush.fadeMilliseconds) * 48,
      serial: flush.serial)
  }

  /// Takes in the natural end of a generation: it is played to `endFrame`, or as far as it has come.
  public mutating func end(_ end: StreamEnd) {
    if awaited?.includes(end.ssrc) == true { awaited?.end = end }
    guard let index = generations.firstIndex(where: { $0.ssrc == end.ssrc }),
      generations[index].stop == nil
    else { return }
    let named = end.endFrame.map { $0 - generations[index].shift }
    guard let frame = named ?? generations[index].buffer.end else { return }
    stop(index, at: frame, fadeFrames: 0, serial: nil)
  }

  /// Counts a payload that the decoder refused.
  public mutating func decodingFailed() { counters.discarded += 1 }

  // MARK: Packets

  /// Takes in a packet that was sent again.
  private mutating func receiveRepair(
    _ header: RTPHeader, payload: Span<UInt8>, at arrival: LocalInstant, clock: MediaFrame?
  ) {
    guard let announcement, let index = generation(repairedBy: header.ssrc),
      let original = try? Retransmission.originalHeader(
        header, payload: payload, media: generations[index].ssrc,
        payloadType: announcement.payloadType)
    else {
      counters.discarded += 1
      return
    }
    if index == generations.count - 1 {
      noteDelivery(of: original, in: index, at: arrival, clock: clock, isRepair: true)
    }
    let content = payload.indices.dropFirst(Retransmission.overheadBytes).map { payload[$0] }
    store(
      RawPacket(header: original, payload: content, arrival: arrival, isRepair: true), in: index)
  }

  private mutating func noteDelivery(
    of header: RTPHeader, in index: Int, at arrival: LocalInstant, clock: MediaFrame?,
    isRepair: Bool
  ) {
    guard let clock else { return }
    delivery.receive(
      generations[index].frame(of: header.timestamp, near: clock), clock: clock, at: arrival,
      isRepair: isRepair)
  }

  /// The generation that `ssrc` names, begun if it supersedes the newest.
  private mutating func generation(for ssrc: SSRC) -> Int? {
    if let index = generations.lastIndex(where: { $0.ssrc == ssrc }) { return index }
    guard let announcement, let newest, ssrc.supersedes(newest) else { return nil }
    begin(ssrc, firstAudible: nil, by: announcement)
    return generations.count - 1
  }

  private mutating func begin(_ ssrc: SSRC, firstAudible: MediaFrame?, by announce: StreamAnnounce)
  {
    // When four are at hand, one in the middle is the least missed: the first one sounds.
    if generations.count == Self.generationLimit { drop(1) }
    generations.append(
      StreamGeneration(
        ssrc: ssrc, firstAudible: firstAudible, lookAhead: Int64(announce.lookAheadFrames),
        firstSequence: firstAudible == nil ? 0 : announce.firstSequence, shift: clock?.shift ?? 0))
    newest = ssrc
    arrivals.restart()
    delivery.restart()
  }

  private mutating func store(_ packet: RawPacket, in index: Int) {
    // Not by `firstAudible`: a room that joins late gets packets far from it, hours perhaps.
    guard let reference = reference ?? sendingFrame else {
      generations[index].raw.append(packet)
      if generations[index].raw.count > Self.rawLimit { generations[index].raw.removeFirst() }
      return
    }
    guard let frames = OpusPacketLength.frames(packet.payload) else {
      counters.discarded += 1
      return
    }
    let stamp = generations[index].frame(of: packet.header.timestamp, near: reference)
    guard stamp - reference <= Self.farAhead else {
      counters.discarded += 1
      return
    }
    let encoded = EncodedPacket(
      stamp: stamp, sequence: packet.header.sequence, frames: frames, payload: packet.payload)
    noteForRepair(encoded, in: index, at: packet.arrival)
    store(encoded, in: index, isRepair: packet.isRepair)
  }

  /// About where the coordinator is sending, told from the playhead alone: D ahead of it.
  private var sendingFrame: MediaFrame? {
    guard let playhead, let announcement else { return nil }
    return MediaFrame(playhead.instant + announcement.delayRamp.delay(at: playhead))
  }

  private mutating func store(_ packet: EncodedPacket, in index: Int, isRepair: Bool) {
    if generations[index].isTooLate(packet, playhead: playhead) {
      if isRepair {
        counters.superfluous += 1
      } else if generations[index].wasConcealed(packet) {
        counters.late += 1
      } else {
        counters.duplicates += 1
      }
      return
    }
    switch generations[index].buffer.insert(packet) {
    case .stored where isRepair: counters.repaired += 1
    case .stored: counters.received += 1
    case .duplicate where isRepair: counters.superfluous += 1
    case .duplicate: counters.duplicates += 1
    }
  }

  /// Learns what time it is. What came before is older than what comes now: it goes first, or it would
  /// be missed and asked for.
  private mutating func learn(_ clock: MediaFrame) {
    let isNew = reference == nil
    reference = clock
    if isNew { unwrapRaw() }
  }

  /// Unwraps what waited for a time.
  mutating func unwrapRaw() {
    for index in generations.indices where !generations[index].raw.isEmpty {
      let waiting = generations[index].raw
      generations[index].raw = []
      for packet in waiting { store(packet, in: index) }
    }
  }

  // MARK: Strays

  /// Counts a packet of an unknown generation, and keeps the latest of them for its announcement.
  private mutating func keepAside(_ packet: RawPacket) {
    counters.discarded += 1
    if let newest, newest == packet.header.ssrc || newest.supersedes(packet.header.ssrc) { return }
    strays.append(packet)
    if strays.count > Self.rawLimit { strays.removeFirst() }
  }

  /// Takes the strays that an announcement has explained.
  private mutating func adoptStrays() {
    let waiting = strays
    strays = []
    for packet in waiting {
      if let index = generation(for: packet.header.ssrc) {
        counters.discarded -= 1
        store(packet, in: index)
      } else {
        strays.append(packet)
      }
    }
  }

  /// Whether the name is of the past.
  private func isOvertaken(_ ssrc: SSRC) -> Bool {
    newest.map { $0 == ssrc || $0.supersedes(ssrc) } ?? false
  }

  /// Forgets that this generation, or a later one, has begun.
  mutating func forget(from ssrc: SSRC) {
    for index in generations.indices.reversed() {
      let name = generations[index].ssrc
      if name == ssrc || name.supersedes(ssrc) { drop(index) }
    }
    if isOvertaken(ssrc) { newest = generations.last?.ssrc }
  }

  /// A flush of a generation of which nothing has been heard: it shall not begin either.
  private mutating func refuse(_ ssrc: SSRC) {
    if let newest, ssrc.supersedes(newest) { self.newest = ssrc }
  }
}
