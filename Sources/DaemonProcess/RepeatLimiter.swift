// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// A broken cable must not fill a disk. Of one kind of line, the first few in a window are written;
// the rest are counted, and the next line that passes tells how many were left out.

/// Decides which repeated lines are written.
struct RepeatLimiter: Sendable {
  enum Verdict: Sendable, Equatable {
    /// Write it; this many like it were left out since the last.
    case write(skipped: Int)
    /// Leave it out.
    case skip
  }

  /// Lines of one kind that are written per window.
  static let burst = 5
  /// How long a kind stays limited; long enough to keep a faulty night to a few thousand lines.
  static let window = Nanoseconds.seconds(10)
  /// Kinds remembered at once; beyond, the oldest window is forgotten.
  static let capacity = 256

  private struct Entry: Sendable {
    var windowStart: LocalInstant
    var written = 0
    var skipped = 0
  }

  private var entries: [String: Entry] = [:]

  mutating func admit(_ key: String, at now: LocalInstant) -> Verdict {
    if entries.count >= Self.capacity, entries[key] == nil { forgetOldest() }
    var entry = entries[key] ?? Entry(windowStart: now)
    if now - entry.windowStart >= Self.window {
      (entry.windowStart, entry.written) = (now, 0)
    }
    guard entry.written < Self.burst else {
      entry.skipped += 1
      entries[key] = entry
      return .skip
    }
    defer { entries[key] = entry }
    entry.written += 1
    let skipped = entry.skipped
    entry.skipped = 0
    return .write(skipped: skipped)
  }

  private mutating func forgetOldest() {
    guard let oldest = entries.min(by: { $0.value.windowStart < $1.value.windowStart }) else {
      return
    }
    entries.removeValue(forKey: oldest.key)
  }
}
