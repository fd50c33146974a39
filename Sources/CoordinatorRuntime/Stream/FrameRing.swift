// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// A ring that remembers the recent past: frame n lies at n modulo the capacity until n + capacity is
// written. Interleaved stereo floats.

/// The latest frames of a line of music, numbered from 0.
struct FrameRing {
  /// Frames that are kept.
  private(set) var capacity: Int64
  /// The frame after the last one written.
  private(set) var end: Int64 = 0
  /// The oldest frame that can still be read.
  private(set) var start: Int64 = 0
  private var samples: [Float]

  /// An empty ring.
  init(capacity: Int64) {
    self.capacity = capacity
    samples = Array(repeating: 0, count: Int(capacity) * 2)
  }

  /// Writes frames behind the last; the oldest go.
  ///
  /// - Parameter frames: Interleaved; at most `capacity` frames.
  mutating func append(_ frames: ArraySlice<Float>) {
    let count = Int64(frames.count / 2)
    var written: Int64 = 0
    while written < count {
      let slot = (end + written) % capacity
      let portion = min(count - written, capacity - slot)
      let from = frames.startIndex + Int(written) * 2
      samples.replaceSubrange(
        Int(slot) * 2..<Int(slot + portion) * 2, with: frames[from..<from + Int(portion) * 2])
      written += portion
    }
    end += count
    start = max(start, end - capacity)
  }

  /// Reads `frames` from `first` on; what has not been written reads as silence.
  ///
  /// - Parameters:
  ///   - frames: How many frames.
  ///   - first: Not before `start`.
  ///   - block: Is overwritten.
  func read(_ frames: Int, from first: Int64, into block: inout [Float]) {
    block.removeAll(keepingCapacity: true)
    let known = max(0, min(Int64(frames), end - first))
    var read: Int64 = 0
    while read < known {
      let slot = (first + read) % capacity
      let portion = min(known - read, capacity - slot)
      block.append(contentsOf: samples[Int(slot) * 2..<Int(slot + portion) * 2])
      read += portion
    }
    block.append(contentsOf: repeatElement(0, count: (frames - Int(known)) * 2))
  }

  /// Keeps more frames from now on; never fewer.
  mutating func enlarge(to larger: Int64) {
    guard larger > capacity else { return }
    var kept: [Float] = []
    read(Int(end - start), from: start, into: &kept)
    var ring = FrameRing(capacity: larger)
    (ring.start, ring.end) = (start, start)
    ring.append(kept[...])
    self = ring
  }

  /// Forgets everything from `frame` on.
  mutating func truncate(at frame: Int64) {
    end = min(end, max(frame, start))
  }
}
