// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import RealtimeAudio

/// The `null` and `wav` outputs: a simulated card, with or without a recording of what it plays.
///
/// The recording is a timeline: silence stands for the time in which the card was stopped or dry, so
/// that frame k of it was heard k frames of the crystal after `firstStart`.
struct TimedOutput: ~Copyable {
  /// What it takes.
  let format: SampleFormat
  private var card: SimulatedCard
  /// The same crystal, never stopped: the recording's time.
  private var timeline: SimulatedCard
  private var file: WAVFile?
  private var recordedFrames: Int64 = 0
  /// What was written before the start: heard only from then on.
  private var prefill: [UInt8] = []
  private var prefillFrames = 0
  private var isRunning = false
  /// When frame 0 of the recording was heard.
  private var firstStart: LocalInstant?

  /// A stopped card.
  ///
  /// - Parameters:
  ///   - frequency: What its crystal is off by.
  ///   - format: What it takes: the file's, if there is one.
  ///   - file: Where to record.
  init(frequency: PartsPerMillion, format: SampleFormat, file: consuming WAVFile?) {
    self.format = format
    card = SimulatedCard(frequency: frequency)
    timeline = SimulatedCard(frequency: frequency)
    self.file = file
  }

  /// Takes frames in `format`, as many as fit now.
  mutating func write(_ samples: UnsafeRawPointer, frames: Int, at now: LocalInstant) -> Int {
    let count = min(frames, card.room(at: now))
    card.accept(count)
    guard isRunning else {
      let bytes = UnsafeRawBufferPointer(start: samples, count: count * bytesPerFrame)
      prefill.append(contentsOf: bytes)
      prefillFrames += count
      return count
    }
    file?.append(samples, frames: count)
    recordedFrames += Int64(count)
    return count
  }

  /// Starts to play what was written.
  mutating func start(at now: LocalInstant) {
    if firstStart == nil {
      firstStart = now
      timeline.run(from: now)
    }
    card.run(from: now)
    isRunning = true
    let missing = timeline.heard(at: now) - recordedFrames
    if missing > 0 { file?.appendSilence(frames: missing) }
    prefill.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { file?.append(start, frames: prefillFrames) }
    }
    recordedFrames += max(0, missing) + Int64(prefillFrames)
    prefill.removeAll(keepingCapacity: true)
    prefillFrames = 0
  }

  /// Stops; what is left in the ring is never heard.
  mutating func stop(at now: LocalInstant) {
    let unheard = isRunning ? max(0, card.delay(at: now)) : 0
    file?.removeLast(frames: unheard)
    recordedFrames -= unheard
    prefill.removeAll(keepingCapacity: true)
    prefillFrames = 0
    card.stop()
    isRunning = false
  }

  /// Frames written and not heard yet; negative when dry.
  func delay(at now: LocalInstant) -> Int64 {
    isRunning ? card.delay(at: now) : card.written
  }

  private var bytesPerFrame: Int { 2 * format.bytesPerSample }
}
