// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// A device is open while there is music, for 30 s after, and while somebody armed the room (a page
// was opened, a command is being typed). Opening costs some 0.3 s, which a listener would wait for.

/// Decides when the room's device is open.
struct DeviceDemand: Sendable {
  /// How long an idle device stays open (design.md, the speaker).
  static let idleLimit = Nanoseconds.seconds(30)

  private var openUntil: LocalInstant?

  /// The room is to be ready for `hold`; zero closes what is idle.
  mutating func arm(for hold: Nanoseconds, at now: LocalInstant) {
    guard hold > .zero else {
      openUntil = nil
      return
    }
    extend(to: now + hold)
  }

  /// There is music at hand or on its way.
  mutating func streamIsActive(at now: LocalInstant) { extend(to: now + Self.idleLimit) }

  /// Whether the device is to be open.
  func isWanted(at now: LocalInstant) -> Bool { openUntil.map { now < $0 } ?? false }

  /// When the answer changes by itself.
  var nextDeadline: LocalInstant? { openUntil }

  private mutating func extend(to moment: LocalInstant) {
    openUntil = max(openUntil ?? moment, moment)
  }
}
