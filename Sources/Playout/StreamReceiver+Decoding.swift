// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import RealtimeAudio
internal import WireProtocol

/// What a stream is doing at the playhead.
public enum StreamActivity: Sendable, Hashable {
  /// There is no stream.
  case idle
  /// A stream is there; its first frame is not due or not here yet.
  case buffering
  /// Music is due and here.
  case playing
  /// Fading out, or out of music.
  case stopping
}

extension StreamReceiver {
  /// How long packets stay after they were played, for a jump back: 1 s.
  private static var historyFrames: Int64 { MediaFrame.rate }
  /// No lane is ever filled further than this: half of what one holds.
  private static var longestHorizon: Int64 { AudioLane.capacity / 2 }
  /// Behind the playhead by this much a cue is certainly past, resampler and jump fade included.
  private static var safelyPast: Int64 { 1_024 }

  /// The next thing to do so that the lanes reach `horizon` frames beyond the playhead.
  ///
  /// Call until it answers nil, whenever packets arrived and every few milliseconds. Carry each step out
  /// before asking again, and publish `schedule`.
  ///
  /// - Parameters:
  ///   - progress: How far the renderer is.
  ///   - horizon: What the lanes shall hold: 40 ms and what the thread may oversleep.
  /// - Returns: Nil when there is nothing to do now.
  public mutating func nextStep(_ progress: RenderReading, horizon: Int64) -> DecodeStep? {
    if let lane = closing.popLast() { return .close(lane: lane) }
    isRendering = progress.playhead != nil
    guard let playhead = progress.playhead else { return nil }
    advance(to: playhead)
    if let lane = closing.popLast() { return .close(lane: lane) }
    let limit = playhead + min(horizon, Self.longestHorizon)
    for index in generations.indices {
      if let step = fillStep(index, playhead: playhead, limit: limit) { return step }
    }
    return openingStep(playhead, limit: limit, lanesInUse: progress.lanesInUse)
  }

  /// Music at hand ahead of the playhead, encoded and decoded, of the newest generation.
  public var buffered: Nanoseconds {
    guard let playhead, let end = generations.last?.buffer.end, end > playhead else { return .zero }
    return (end.instant) - (playhead.instant)
  }

  /// What the stream is doing now.
  public var activity: StreamActivity {
    guard let newest = generations.last else { return .idle }
    guard let playhead else { return .buffering }
    let sounding = generations.last { generation in
      generation.startCue.map { $0.start <= playhead } ?? false
    }
    guard let sounding else { return .buffering }
    guard let stop = sounding.stop, stop.frame <= playhead else { return .playing }
    return sounding.ssrc == newest.ssrc ? .stopping : .buffering
  }

  // MARK: Parts

  private mutating func advance(to playhead: MediaFrame) {
    self.playhead = playhead
    unwrapRaw()
    for index in generations.indices.reversed() {
      if isOver(index, playhead: playhead) {
        drop(index)
      } else if generations[index].hasOpened {
        generations[index].buffer.prune(before: playhead - Self.historyFrames)
      }
    }
  }

  /// Whether nothing of the generation will be heard any more.
  private func isOver(_ index: Int, playhead: MediaFrame) -> Bool {
    let past = playhead - Self.safelyPast
    if let stop = generations[index].stop, stop.settled <= past { return true }
    return generations[(index + 1)...].contains { newer in
      guard let cue = newer.startCue else { return false }
      let covers = cue.start + Int64(cue.fadeFrames) <= past
      return covers || generations[index].fill == nil
    }
  }

  private mutating func fillStep(
    _ index: Int, playhead: MediaFrame, limit: MediaFrame
  ) -> DecodeStep? {
    guard var fill = generations[index].fill else { return nil }
    if generations[index].hasLostPlayhead(playhead) { return leaveLane(index) }
    let step = fill.nextStep(
      generations[index].buffer, playhead: playhead,
      limit: min(limit, generations[index].stop?.settled ?? limit),
      ending: generations[index].stop?.frame, counters: &counters)
    generations[index].fill = fill
    return fill.isStarved ? leaveLane(index) : step
  }

  /// Gives the lane up; the generation waits for packets to join again.
  private mutating func leaveLane(_ index: Int) -> DecodeStep? {
    guard let fill = generations[index].fill else { return nil }
    generations[index].starvedAfter = fill.isStarved ? fill.lastSequence : nil
    generations[index].fill = nil
    generations[index].startCue = nil
    rebuildSchedule()
    return .close(lane: fill.lane)
  }

  private mutating func openingStep(
    _ playhead: MediaFrame, limit: MediaFrame, lanesInUse: UInt32
  ) -> DecodeStep? {
    for index in generations.indices where generations[index].fill == nil {
      guard
        let opening = generations[index].opening(playhead: playhead, limit: limit),
        let lane = freeLane(lanesInUse)
      else { continue }
      generations[index].fill = LaneFill(
        lane: lane, start: opening.start, runUp: opening.runUp,
        lastSequence: generations[index].starvedAfter)
      start(index, on: lane, opening)
      return .open(
        lane: lane, ssrc: generations[index].ssrc, from: opening.start,
        firstAudible: opening.audible)
    }
    return nil
  }

  /// A lane that neither a generation nor the renderer uses; round robin, so that none is reused at once.
  private mutating func freeLane(_ lanesInUse: UInt32) -> Int? {
    for offset in 0..<LaneBank.laneCount {
      let lane = (nextLane + offset) % LaneBank.laneCount
      let isTaken = generations.contains { $0.fill?.lane == lane }
      if !isTaken, lanesInUse & (1 << UInt32(lane)) == 0 {
        nextLane = lane + 1
        return lane
      }
    }
    return nil
  }
}
