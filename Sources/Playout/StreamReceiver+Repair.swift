// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

// Lost packets are asked for again (RFC 4585) and come as a stream of their own (RFC 4588), as long as
// they can still be decoded in time.
//
//   playhead   + patience   + round trip
//      |-- concealed --|-- too late to ask --|-- worth asking ------...--- newest + what is overdue

extension StreamReceiver {
  /// No request is repeated sooner (design section 5).
  private static var shortestInterval: Nanoseconds { .milliseconds(20) }

  /// What to ask the coordinator for now.
  ///
  /// Call after packets were taken in, and every 10 ms. Call until it answers nil: two generations may
  /// have gaps at once.
  ///
  /// - Parameters:
  ///   - now: The present.
  ///   - clock: The frame of the media clock now; nil while it is unknown.
  ///   - roundTrip: To the coordinator and back, as the clock exchanges tell.
  /// - Returns: A request to send; it counts as sent.
  public mutating func repairRequest(
    at now: LocalInstant, clock: MediaFrame?, roundTrip: Nanoseconds?
  ) -> NegativeAcknowledgement? {
    guard announcement?.retransmission != nil, let place = place(at: clock) else { return nil }
    if let roundTrip { repairTiming.pathRoundTrip = roundTrip }
    for index in generations.indices {
      let lowest = lowestUseful(index, playhead: place)
      let highest = max(lowest, generations[index].stop?.settled ?? MediaFrame(index: .max))
      let numbers = generations[index].repair.due(
        in: lowest..<highest, first: firstStamp(of: index), at: now,
        clock: index == generations.count - 1 ? clock : nil, interval: repairTiming.interval)
      guard !numbers.isEmpty else { continue }
      counters.requested += UInt64(numbers.count)
      return NegativeAcknowledgement(media: generations[index].ssrc, missing: numbers)
    }
    return nil
  }

  /// When a request may be due, if nothing comes before.
  public var nextRepair: LocalInstant? {
    guard announcement?.retransmission != nil else { return nil }
    return generations.compactMap(\.repair.nextDeadline).min()
  }

  /// The generation that is repaired by packets of `source`.
  func generation(repairedBy source: SSRC) -> Int? {
    guard let announced = announcement?.retransmission else { return nil }
    return generations.lastIndex {
      $0.ssrc.session == announcement?.ssrc.session
        && SSRC(session: announced.session, generation: $0.ssrc.generation) == source
    }
  }

  /// The first frame of a packet that is worth asking for.
  func lowestUseful(_ index: Int, playhead: MediaFrame) -> MediaFrame {
    let ahead = playhead + LaneFill.patience + repairTiming.shortestFrames
    if let fill = generations[index].fill { return max(fill.end, ahead) }
    // A lane that opens in the middle needs a run-up, which may be past.
    return ahead - StreamGeneration.runUpFrames
  }

  /// What is read next: by the device, or by the one that will be opened.
  private func place(at clock: MediaFrame?) -> MediaFrame? {
    if isRendering { return playhead }
    guard let clock, let announcement else { return nil }
    return MediaFrame(clock.instant - announcement.delayRamp.delay(at: clock))
  }

  private func firstStamp(of index: Int) -> MediaFrame? {
    guard let firstAudible = generations[index].firstAudible else { return nil }
    return firstAudible - generations[index].lookAhead
  }

  /// Tells the planner of a packet, wanted or not.
  mutating func noteForRepair(_ packet: EncodedPacket, in index: Int, at arrival: LocalInstant) {
    let lowest = place(at: reference).map { lowestUseful(index, playhead: $0) }
    let answer = generations[index].repair.arrived(
      packet, at: arrival, clock: reference, lowest: lowest)
    if let answer { repairTiming.answered(after: answer) }
  }

  /// How long answers take.
  struct RepairTiming: Sendable {
    /// Of the clock exchanges.
    var pathRoundTrip: Nanoseconds?
    private var measured: Nanoseconds?

    /// An answer came. Smoothed as TCP does (RFC 6298, alpha = 1/8).
    mutating func answered(after time: Nanoseconds) {
      guard time > .zero else { return }
      measured = measured.map { $0 + (time - $0) / 8 } ?? time
    }

    /// How long to wait before asking again.
    var interval: Nanoseconds {
      let slowest = max(pathRoundTrip ?? .zero, measured ?? .zero)
      return max(StreamReceiver.shortestInterval, slowest * 3 / 2)
    }

    /// The quickest answer that can be hoped for, in frames.
    var shortestFrames: Int64 {
      (pathRoundTrip ?? measured ?? .zero).count * MediaFrame.rate / 1_000_000_000
    }
  }
}
