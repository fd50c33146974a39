// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import DaemonProcess
internal import LinuxNetworking
internal import WireProtocol

/// Asks the coordinator for the time, over the port and the path that the audio takes.
struct ClockAsker: Sendable {
  /// A minute's worth of answers: the frequency is then known to a fraction of a ppm.
  private static let learningReplies: UInt64 = 500

  private(set) var client: ClockClient?
  private var service: SocketAddress?
  private var sleep: SleepWatch
  private let log: Log

  /// Asks nobody yet; `sleep` tells when this host was suspended.
  init(log: Log, sleep: SleepWatch = SleepWatch()) {
    self.log = log
    self.sleep = sleep
  }

  /// The clock service is there from now on; what is known about the clock is kept.
  mutating func ask(_ address: SocketAddress, prior: PartsPerMillion?) {
    let isElsewhere = service != nil && service != address
    service = address
    guard client == nil else {
      if isElsewhere { client?.routeChanged(at: LocalClock.now()) }
      return
    }
    let seed = Environment.randomBytes(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    client = ClockClient(seed: seed, priorFrequency: prior, startingAt: LocalClock.now())
  }

  /// Music of this clock is announced: it is asked for at once when it is another than is followed.
  mutating func expect(_ clockID: ClockID) { client?.expect(clockID, at: LocalClock.now()) }

  /// When the next question is due.
  var nextDeadline: LocalInstant? { service == nil ? nil : client?.nextDeadline }

  /// Sends the questions that are due.
  mutating func sendDue(by socket: UDPSocket) {
    guard let service else { return }
    while let stamp = client?.requestDue(at: LocalClock.now()) {
      let request = NTPPacket.request(stamp: stamp).encode()
      // Early by the system call: 7 us on an idle host, 130 at worst. The kernel knows better.
      client?.sent(stamp, at: LocalClock.now())
      socket.sendStamped(request, to: service, .clock)
    }
    takeStamps(from: socket)
  }

  /// Takes in when questions really left, from drivers that tell.
  mutating func takeStamps(from socket: UDPSocket) {
    for left in socket.takeTransmissions() { client?.sent(left.tail, at: left.moment) }
  }

  /// Looks whether this host has slept.
  ///
  /// - Returns: Whether it did: what was known about the clock is worth nothing.
  mutating func noticeSleep() -> Bool {
    guard let slept = sleep.slept() else { return false }
    log.notice("this host slept for \(slept); looking for the coordinator's clock again")
    client?.hostSlept(at: LocalClock.now())
    return true
  }

  /// Takes an answer in.
  ///
  /// - Parameters:
  ///   - bytes: The datagram.
  ///   - arrival: The kernel's stamp.
  /// - Returns: Whether the estimate moved.
  mutating func receive(_ bytes: Span<UInt8>, at arrival: LocalInstant) -> Bool {
    guard let reply = try? NTPPacket.parse(bytes), client != nil else { return false }
    let before = client?.clockID
    let isNews = take(reply, at: arrival)
    if let before, before != client?.clockID {
      log.notice("the coordinator's clock was set up anew; following the new one")
    }
    return isNews
  }

  private mutating func take(_ reply: NTPPacket, at arrival: LocalInstant) -> Bool {
    let outcome = client?.receive(
      origin: reply.origin.rawValue, received: reply.receive.instant,
      transmitted: reply.transmit.instant,
      clockID: ClockID(rawValue: reply.reference.rawValue), at: arrival)
    return outcome.map { $0 != .ignored } ?? false
  }
}

// MARK: - What is known

extension ClockAsker {
  /// Whether the clock is known well enough to play by.
  var isSettled: Bool { client?.isSettled ?? false }

  /// The map of the clock with this identity, once it is good enough to play by.
  func map(of clockID: ClockID, at now: LocalInstant) -> ClockMap? {
    client?.settledMap(of: clockID, at: now)
  }

  /// Tells what a report says about the clock.
  func fill(_ status: inout NetworkStatus, at now: LocalInstant) {
    status.clockRepliesRefused = client?.repliesIgnored ?? 0
    guard isSettled, let map = client?.map(at: now) else { return }
    status.isClockSettled = true
    status.clockSigma = map.sigma
    status.clockBound = map.bound
    status.hostFrequency = map.rate
    status.isFrequencyLearnt = client.map { $0.repliesAccepted >= Self.learningReplies } ?? false
  }
}
