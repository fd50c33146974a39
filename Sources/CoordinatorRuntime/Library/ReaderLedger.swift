// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// What one decoder process has been asked and has not answered yet; and when to start it again.
///
/// Answers come in the order of the questions. So when a process dies or hangs, it was at the oldest
/// question: that one is to blame, the others are asked again of another process. Pure.
struct ReaderLedger<Ticket> {
  /// Questions in the order asked.
  private(set) var outstanding: [Ticket] = []
  /// Deaths since the last answer.
  private(set) var deathsInARow = 0
  /// Not to be started before.
  private(set) var restartAt: LocalInstant?
  private var lastSign: LocalInstant?

  /// What a death leaves behind.
  struct Remains {
    /// The question it died on; nil when it died with nothing to do.
    var blamed: Ticket?
    /// Questions to ask again.
    var unanswered: [Ticket] = []
  }

  /// The first restart is at once, then half a second and more, at most 5 s apart.
  static var firstDelay: Nanoseconds { .milliseconds(500) }
  static var longestDelay: Nanoseconds { .seconds(5) }

  /// A question was asked.
  mutating func asked(_ ticket: Ticket, at now: LocalInstant) {
    if outstanding.isEmpty { lastSign = now }
    outstanding.append(ticket)
  }

  /// An answer came.
  ///
  /// - Returns: The question; nil when none had been asked, which no decoder of ours does.
  mutating func answered(at now: LocalInstant) -> Ticket? {
    guard !outstanding.isEmpty else { return nil }
    lastSign = now
    deathsInARow = 0
    return outstanding.removeFirst()
  }

  /// The process is dead.
  mutating func died(at now: LocalInstant) -> Remains {
    deathsInARow += 1
    let doublings = min(max(0, deathsInARow - 2), 10)
    let delay = min(Self.longestDelay, Self.firstDelay * (1 << doublings))
    restartAt = deathsInARow > 1 ? now + delay : nil
    lastSign = nil
    defer { outstanding = [] }
    return Remains(blamed: outstanding.first, unanswered: Array(outstanding.dropFirst()))
  }

  /// When the oldest question will have been open for `patience`; nil without questions.
  func deadline(_ patience: Nanoseconds) -> LocalInstant? {
    guard !outstanding.isEmpty, let lastSign else { return nil }
    return lastSign + patience
  }
}
