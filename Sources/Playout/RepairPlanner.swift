// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// Which packets of one generation are missing for certain, and when to ask for them.
//
//   number   0 1 2 . 4 5 . . 8            (counted from the first packet that came, by its stamp)
//                  ^     ^ ^  gaps: asked 5 ms after a later packet came
//                               9 10 ..   nothing later came: asked 30 ms after they were due
//
// Packets lie on a grid: so many frames and one sequence number each. A gap stays until its packet comes or
// could not be decoded in time any more; until then it is asked for again and again, ever more slowly.
//
// While nothing comes at all, the link is down: asking for everything would only use up what the
// coordinator grants (its answers are lost). Then a few are asked for now and then, in case only this one
// way is open; and with the first packet that comes, everything at once.

/// What of one generation has to be asked for again. Times are this host's clock.
struct RepairPlanner: Sendable {
  /// Reordering is forgiven for so long (design section 5).
  static var patience: Nanoseconds { .milliseconds(5) }
  /// With nothing behind it a packet is missing this long after it was due (design section 5).
  static var overdue: Int64 { 1_440 }
  /// An announcement that is not there this long after the first packet is late: the same 30 ms.
  private static var wordPatience: Nanoseconds { .milliseconds(30) }
  /// Packets arrive late by their way and the coordinator's turns, 15 ms; more is a burst.
  private static var latestArrival: Int64 { 4_800 }
  /// So many in a row are not reordered, they are gone: 160 ms.
  private static var outage: Int64 { 8 }
  /// After so long without any packet the link is taken to be down: five packets' time.
  static var silence: Nanoseconds { .milliseconds(100) }
  /// Asked for while the link is down: 40 packets a second, less than the coordinator grants.
  private static var probe: Int { 4 }
  /// The coordinator paces what it sends again to 20 Mb/s: 0.25 ms a packet; and other rooms ask too.
  private static var answerSpacing: Nanoseconds { .microseconds(500) }
  /// So many tries at the shortest interval; then each waits twice as long, up to 16 times.
  private static var eagerTries: Int { 5 }
  private static var slowest: Int { 4 }
  /// The most gaps kept: D = 6 s and more. The most urgent ones are kept.
  private static var capacity: Int64 { 512 }
  /// Packets that do not fit the grid before it is believed to be another one.
  private static var strikes: Int { 3 }

  private struct Grid {
    var stamp: MediaFrame
    var sequence: UInt16
    var frames: Int64

    func stamp(of number: Int64) -> MediaFrame { stamp + number * frames }

    /// Where a packet lies; nil when it does not fit.
    func number(of packet: EncodedPacket) -> Int64? {
      let (number, rest) = (packet.stamp - stamp).quotientAndRemainder(dividingBy: frames)
      let fits = sequence &+ UInt16(truncatingIfNeeded: number) == packet.sequence
      return rest == 0 && fits ? number : nil
    }

    /// The first packet that begins at or after `frame`.
    func number(atOrAfter frame: MediaFrame) -> Int64 {
      let distance = frame - stamp
      return distance <= 0 ? distance / frames : (distance + frames - 1) / frames
    }
  }

  private struct Gap {
    var number: Int64
    /// Not asked for before this.
    var next: LocalInstant
    var asked: LocalInstant?
    var tries = 0
  }

  private var grid: Grid?
  /// The newest packet that came or is taken to be missing.
  private var newest: Int64 = 0
  /// The oldest packet that came or is taken to be missing.
  private var oldest: Int64 = 0
  private var gaps: [Gap] = []
  private var misfits = 0
  private var hasLookedBack = false
  /// When the first packet came.
  private var began = LocalInstant(nanoseconds: 0)
  private var lastArrival = LocalInstant(nanoseconds: 0)
  /// How much later than its stamp the newest packet came, in frames.
  private var lateness: Int64 = 0
  private var nextRequest = LocalInstant(nanoseconds: 0)

  /// Packets that are missing now.
  var missing: Int { gaps.count }

  /// When something may have to be asked for, if nothing comes before.
  var nextDeadline: LocalInstant? { gaps.map { max($0.next, nextRequest) }.min() }

  // MARK: What comes

  /// A packet came.
  ///
  /// - Parameters:
  ///   - packet: The packet, or the original of one that was sent again.
  ///   - now: When.
  ///   - clock: The frame of the media clock at that moment.
  ///   - lowest: What begins before this frame would come too late.
  /// - Returns: How long the answer took, if it was asked for once and with few others.
  mutating func arrived(
    _ packet: EncodedPacket, at now: LocalInstant, clock: MediaFrame?, lowest: MediaFrame?
  ) -> Nanoseconds? {
    guard let number = place(packet, at: now) else { return nil }
    let wasDown = now - lastArrival >= Self.silence
    if wasDown { askEverythingAnew(at: now) }
    lastArrival = max(lastArrival, now)
    if number > newest {
      extend(beyond: number, at: now, isOutage: wasDown, lowest: lowest)
      if let clock { lateness = min(max(0, clock - packet.stamp), Self.latestArrival) }
      return nil
    }
    if number < oldest {
      insert(number + 1..<oldest, next: now + Self.patience)
      oldest = number
    }
    guard let index = gaps.firstIndex(where: { $0.number == number }) else { return nil }
    let gap = gaps.remove(at: index)
    guard gap.tries == 1, let asked = gap.asked else { return nil }
    return now - asked
  }

  /// The number of a packet; a grid that fits no more is given up.
  private mutating func place(_ packet: EncodedPacket, at now: LocalInstant) -> Int64? {
    if let number = grid?.number(of: packet), number > oldest - Self.capacity {
      misfits = 0
      return number
    }
    misfits += 1
    guard grid == nil || misfits >= Self.strikes, packet.frames > 0 else { return nil }
    let pause = nextRequest
    self = RepairPlanner()
    nextRequest = pause
    grid = Grid(stamp: packet.stamp, sequence: packet.sequence, frames: packet.frames)
    (began, lastArrival) = (now, now)
    return 0
  }

  /// Everything between the newest packet and `number` is missing.
  private mutating func extend(
    beyond number: Int64, at now: LocalInstant, isOutage: Bool, lowest: MediaFrame?
  ) {
    let isOutage = isOutage || number - newest > Self.outage
    let useful = lowest.flatMap { grid?.number(atOrAfter: $0) } ?? .min
    append(
      min(max(newest + 1, useful), number)..<number, next: isOutage ? now : now + Self.patience)
    newest = number
  }

  private mutating func append(_ numbers: Range<Int64>, next: LocalInstant) {
    let room = Self.capacity - Int64(gaps.count)
    for number in numbers.prefix(Int(max(0, room))) { gaps.append(Gap(number: number, next: next)) }
  }

  /// The link is up again: what was asked for in vain is asked for at once.
  private mutating func askEverythingAnew(at now: LocalInstant) {
    for index in gaps.indices { gaps[index] = Gap(number: gaps[index].number, next: now) }
    nextRequest = now
  }

  // MARK: What to ask for

  /// The packets to ask for now, the most urgent first.
  ///
  /// - Parameters:
  ///   - range: What begins before it comes too late; what begins at its end or later is not wanted.
  ///   - first: The stamp of the generation's first packet, when it is known.
  ///   - now: The present.
  ///   - clock: The frame of the media clock now; nil while it is unknown.
  ///   - interval: How long to wait for an answer.
  /// - Returns: Sequence numbers; each counts as asked for.
  mutating func due(
    in range: Range<MediaFrame>, first: MediaFrame?, at now: LocalInstant, clock: MediaFrame?,
    interval: Nanoseconds
  ) -> [UInt16] {
    guard let grid else { return [] }
    gaps.removeAll { !range.contains(grid.stamp(of: $0.number)) }
    lookBack(grid, to: first, within: range.lowerBound, at: now)
    lookAhead(grid, to: range.upperBound, at: now, clock: clock)
    guard now >= nextRequest else { return [] }
    let isDown = now - lastArrival >= Self.silence
    let numbers = ask(grid, limit: isDown ? Self.probe : .max, at: now, interval: interval)
    // Gaps that are due one soon after another share a datagram.
    if !numbers.isEmpty { nextRequest = now + (isDown ? Self.silence : Self.patience) }
    return numbers
  }

  private mutating func ask(
    _ grid: Grid, limit: Int, at now: LocalInstant, interval: Nanoseconds
  ) -> [UInt16] {
    let chosen = gaps.indices.filter { gaps[$0].next <= now }.prefix(limit)
    for (place, index) in chosen.enumerated() {
      let slower = min(max(0, gaps[index].tries + 1 - Self.eagerTries), Self.slowest)
      gaps[index].tries += 1
      // A long answer takes its time: that says nothing of the way.
      gaps[index].asked = chosen.count <= Int(Self.outage) ? now : nil
      gaps[index].next = now + interval * (1 << slower) + Self.answerSpacing * Int64(place)
    }
    return chosen.map { grid.sequence &+ UInt16(truncatingIfNeeded: gaps[$0].number) }
  }

  /// The first packet that came was not the first that would have been useful.
  ///
  /// A packet may overtake the announcement that says which is the first of all, and what would lie
  /// before that one does not exist: the word is waited for as long as a packet would be.
  private mutating func lookBack(
    _ grid: Grid, to first: MediaFrame?, within lowest: MediaFrame, at now: LocalInstant
  ) {
    guard !hasLookedBack, first != nil || now - began >= Self.wordPatience else { return }
    hasLookedBack = true
    let earliest = max(grid.number(atOrAfter: max(first ?? lowest, lowest)), -Self.capacity)
    guard earliest < oldest else { return }
    insert(earliest..<oldest, next: now + Self.patience)
    oldest = earliest
  }

  /// Puts gaps before all others.
  private mutating func insert(_ numbers: Range<Int64>, next: LocalInstant) {
    let known = gaps
    gaps = []
    append(numbers, next: next)
    gaps += known
  }

  /// Nothing came any more, although it was due.
  private mutating func lookAhead(
    _ grid: Grid, to end: MediaFrame, at now: LocalInstant, clock: MediaFrame?
  ) {
    let quiet = Nanoseconds((grid.frames + Self.overdue) * 1_000_000_000 / MediaFrame.rate)
    guard let clock, now - lastArrival >= quiet else { return }
    let due = min(clock - Self.overdue - lateness, end)
    let last = grid.number(atOrAfter: due)
    guard last > newest + 1 else { return }
    let room = Self.capacity - Int64(gaps.count)
    let reached = min(last, newest + 1 + max(0, room))
    append(newest + 1..<reached, next: now)
    newest = reached - 1
  }
}
