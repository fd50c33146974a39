// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// A room's side of the clock service: asks, matches replies to requests, keeps the estimate.
//
//   while let stamp = client.requestDue(at: now) { client.sent(stamp, at: send(request(stamp))) }
//   client.receive(origin:received:transmitted:clockID:at: kernel's receive stamp)
//   wake again at client.nextDeadline
//
// Pure: it reads no clock and does no I/O. Not for the audio thread, which gets a map in a snapshot.

/// Keeps a room's idea of the media clock.
public struct ClockClient: Sendable {
  /// Replies that matched no open request (late, doubled or forged) or had impossible stamps.
  public private(set) var repliesIgnored: UInt64 = 0
  /// Replies that were taken in.
  public private(set) var repliesAccepted: UInt64 = 0
  /// How often the coordinator came with a new clock.
  public private(set) var clockChanges = 0

  /// How often this host was found to have slept.
  public private(set) var hostSleeps = 0

  private var filter: ClockFilter
  private var schedule: RequestSchedule
  private var outstanding = OutstandingRequests()
  private var random: SeededRandom
  private var lastReply: LocalInstant?
  private var previous: ClockMap?

  /// A client that has not asked yet.
  ///
  /// - Parameters:
  ///   - seed: From the system's randomness: request stamps must not be guessable.
  ///   - priorFrequency: The frequency found the last time with this coordinator.
  ///   - start: When to ask first; the default is always past.
  public init(
    seed: UInt64, priorFrequency: PartsPerMillion? = nil,
    startingAt start: LocalInstant = LocalInstant(nanoseconds: 0)
  ) {
    filter = ClockFilter(priorFrequency: priorFrequency)
    schedule = RequestSchedule(startingAt: start)
    random = SeededRandom(seed: seed)
  }

  /// When the next request is due.
  public var nextDeadline: LocalInstant { schedule.next }

  /// A request's transmit stamp if one is due, to be sent at once; nil if it is too early.
  public mutating func requestDue(at now: LocalInstant) -> UInt64? {
    guard now >= schedule.next else { return nil }
    schedule.advance(from: now, random: &random)
    // Zero in the origin field of a reply means "none".
    let stamp = random.next() | 1
    outstanding.insert(stamp, sent: now)
    return stamp
  }

  /// Notes when the request left: the time just before the call that sent it, then the kernel's
  /// stamp if there is one. What lies before or long after an earlier note is not believed.
  public mutating func sent(_ stamp: UInt64, at sent: LocalInstant) {
    outstanding.update(stamp, sent: sent)
  }

  /// Takes in a reply.
  ///
  /// - Parameters:
  ///   - origin: The stamp it echoes.
  ///   - received: When the coordinator got the request.
  ///   - transmitted: When the coordinator sent the reply.
  ///   - clockID: Whose time that is; a new one is followed at once, at the old frequency.
  ///   - returned: When the reply arrived, by the kernel's stamp.
  /// - Returns: What it did to the estimate.
  @discardableResult
  public mutating func receive(
    origin: UInt64, received: MediaInstant, transmitted: MediaInstant, clockID: ClockID,
    at returned: LocalInstant
  ) -> ClockFilter.Outcome {
    guard let sent = outstanding.take(origin) else {
      repliesIgnored += 1
      return .ignored
    }
    let before = clockID == filter.clockID ? nil : map
    let wasSettled = isSettled
    let outcome = filter.receive(
      ClockExchange(
        sent: sent, received: received, transmitted: transmitted, returned: returned),
      clockID: clockID)
    guard outcome != .ignored else {
      repliesIgnored += 1
      return outcome
    }
    repliesAccepted += 1
    lastReply = max(lastReply ?? returned, returned)
    if let before { clockChanged(from: wasSettled ? before : nil, at: returned) }
    return outcome
  }

  private mutating func clockChanged(from map: ClockMap?, at now: LocalInstant) {
    // One that was never good enough to play by has nothing to play out.
    previous = map ?? previous
    clockChanges += 1
    // What is still under way may carry the old clock's time and would lead back to it.
    outstanding.removeAll()
    schedule = RequestSchedule(startingAt: now)
  }
}

// MARK: - Events

extension ClockClient {
  /// This host slept: its clock stood still while the media clock went on. Asks at once; only the
  /// frequency is kept, and no map until the clock is found again.
  public mutating func hostSlept(at now: LocalInstant) {
    hostSleeps += 1
    if filter.clockID != nil { filter = ClockFilter(priorFrequency: filter.frequency) }
    previous = nil
    lastReply = nil
    outstanding.removeAll()
    schedule = RequestSchedule(startingAt: now)
  }

  /// The coordinator is at another address: the same clock as far as anyone knows, at another
  /// distance. Asks at once.
  public mutating func routeChanged(at now: LocalInstant) {
    filter.routeChanged()
    outstanding.removeAll()
    schedule = RequestSchedule(startingAt: now)
  }

  /// Somebody says that the coordinator has this clock now: asks at once when it is news. What is
  /// known is kept until an answer says the same.
  public mutating func expect(_ clockID: ClockID, at now: LocalInstant) {
    guard clockID != filter.clockID else { return }
    schedule = RequestSchedule(startingAt: now)
  }
}

// MARK: - The estimate

extension ClockClient {
  /// The estimate as of the last reply; nil before the first.
  public var map: ClockMap? { lastReply.flatMap { filter.map(at: $0) } }

  /// The estimate at `now`, with the uncertainty grown since the last reply.
  public func map(at now: LocalInstant) -> ClockMap? { filter.map(at: now) }

  /// The estimate of one particular run of the media clock.
  ///
  /// The one before the current is held, so that a room plays out what it has of a stream whose
  /// coordinator has restarted.
  ///
  /// - Parameters:
  ///   - clockID: The clock that a stream was announced with.
  ///   - now: The present.
  /// - Returns: A map of that very clock, or nil if this client never followed it.
  public func map(of clockID: ClockID, at now: LocalInstant) -> ClockMap? {
    if filter.clockID == clockID { return filter.map(at: now) }
    return previous?.clockID == clockID ? previous : nil
  }

  /// The same, once it is good enough to play by: the clock before the current one was, and stays
  /// so while the current one is still being found.
  public func settledMap(of clockID: ClockID, at now: LocalInstant) -> ClockMap? {
    guard isSettled || clockID != filter.clockID else { return nil }
    return map(of: clockID, at: now)
  }

  /// The run of the media clock that is being followed; nil before the first reply.
  public var clockID: ClockID? { filter.clockID }

  /// How much faster the media clock runs than this host's; worth keeping for the next start.
  public var frequency: PartsPerMillion { filter.frequency }

  /// Whether enough exchanges were seen to start sound on.
  public var isSettled: Bool { filter.exchanges >= ClockFilter.openingExchanges }

  /// How often the clock was found to have stepped without saying so.
  public var steps: Int { filter.steps }

  /// How long ago the last reply arrived; nil before the first.
  public func silence(at now: LocalInstant) -> Nanoseconds? { lastReply.map { now - $0 } }
}
