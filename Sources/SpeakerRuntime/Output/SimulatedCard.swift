// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// A sound card that is not there: 48,000 frames a second by a crystal of its own against this host's
// CLOCK_MONOTONIC_RAW, a ring of 200 ms like the one we ask of ALSA, a delay to the frame. It never
// swallows faster than a card would, so that what is timed on it is timed as on a card.
//
//   frames heard = (now - start) * 48000 * (1 + ppm)
//   delay        = frames written - frames heard

/// The clockwork of the `null` and `wav` outputs.
struct SimulatedCard: Sendable {
  /// Frames per second by its own crystal.
  static let rate = 48_000
  /// Frames its ring holds: 200 ms.
  static let bufferFrames = 9_600

  private let framesPerNanosecond: Double
  private var start: LocalInstant?
  private(set) var written: Int64 = 0

  /// A stopped card whose crystal is off by `frequency`.
  init(frequency: PartsPerMillion) {
    framesPerNanosecond = Double(Self.rate) * 1e-9 * (1 + frequency.ratio)
  }

  /// Frames that have been heard since the start, played or dry.
  func heard(at now: LocalInstant) -> Int64 {
    guard let start else { return 0 }
    return Int64(Double((now - start).count) * framesPerNanosecond)
  }

  /// Frames written and not heard yet; negative when it ran dry and on.
  func delay(at now: LocalInstant) -> Int64 { written - heard(at: now) }

  /// Frames that fit now.
  func room(at now: LocalInstant) -> Int {
    let delay = delay(at: now)
    return Int(min(Int64(Self.bufferFrames), max(0, Int64(Self.bufferFrames) - delay)))
  }

  /// Takes note of frames written.
  mutating func accept(_ frames: Int) { written += Int64(frames) }

  /// The first frame written is heard now.
  mutating func run(from now: LocalInstant) { start = now }

  /// Stops and forgets what it held.
  mutating func stop() {
    start = nil
    written = 0
  }
}
