// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import Simulation

/// Hears a room's tone as a microphone would, and says by how much it is late.
///
/// Knows nothing of positions: it compares the samples with the tone that is due at the true moment
/// at which each is heard, over windows of half a second.
final class ToneMeter {
  /// Lateness in each window, in microseconds; modulo the period, 1 ms.
  private(set) var lateness: [Double] = []
  /// When the first sample that is not silence was heard, in true seconds.
  private(set) var firstSound: Double?
  /// Samples of each window that were silent.
  private(set) var silent = 0

  private let coordinator: VirtualCoordinator
  private let rate: Double
  private let delay: Nanoseconds
  private var sums = SIMD2<Double>.zero
  private var count = 0

  init(room: VirtualRoom, coordinator: VirtualCoordinator, rate: Int = 48_000, delay: Nanoseconds) {
    self.coordinator = coordinator
    self.rate = Double(rate)
    self.delay = delay
    room.onBlock = { self.hear($0) }
  }

  private func hear(_ block: RoomBlock) {
    let frames = block.samples.count / 2
    let heard = coordinator.media(at: TrueInstant(seconds: block.heardSeconds))
    let due = MediaPosition(heard - delay)
    let phase = Double(due.frame.index % 48) + Double(due.fraction) * 0x1p-32
    // The pace of the block stands for that of the card: both clocks agree within 0.1 % of 10 ms.
    let pace = Double(block.step) * 0x1p-32
    for index in 0..<frames {
      let sample = Double(block.samples[2 * index])
      if firstSound == nil {
        guard abs(sample) > 1e-3 else { continue }
        firstSound = block.heardSeconds + Double(index) / rate
      }
      let angle = 2 * .pi * (phase + Double(index) * pace) / 48
      sums += SIMD2(sample * sin(angle), sample * cos(angle))
    }
    guard firstSound != nil else { return }
    count += frames
    guard Double(count) >= rate / 2 else { return }
    // sin(a - d) correlates with cos(a) to -sin(d): lateness is positive.
    lateness.append(atan2(-sums.y, sums.x) / (2 * .pi) * 1_000)
    sums = .zero
    count = 0
  }
}
