// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import LinuxNetworking
import OpusCodec
import Synchronization
import WireProtocol

/// A coordinator made of the wire's own parts: a clock service, a paced sender, a control link.
final class TestCoordinator: Sendable {
  private struct State {
    var waiting: [(due: LocalInstant, bytes: [UInt8], to: SocketAddress)] = []
    var acknowledged: [FlushAcknowledgement] = []
    var isQuitting = false
    /// What was sent of each generation, to be sent again.
    var kept: [SSRC: [UInt16: [UInt8]]] = [:]
    var repairs: UInt16 = 0
    var loss: BurstyLoss?
    var dropped = 0
  }

  let clockID: ClockID
  let socket: UDPSocket
  private let poller: Poller
  private let state = Mutex(State())
  private let thread = Mutex<NamedThread?>(nil)
  /// Media clock less this host's: an arbitrary date in 2026.
  private let distance: Int64 = 3_990_000_000_000_000_000

  init(clockID: UInt64 = 0x1234_5678_9abc_def0) throws {
    self.clockID = ClockID(rawValue: clockID)
    socket = try UDPSocket(binding: .loopback(port: 0))
    poller = try Poller()
    try poller.add(socket.descriptor, for: .readable, token: 0)
    let started = try NamedThread("test-coord", log: .discarding) { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Ends the thread.
  func stop() {
    state.withLock { $0.isQuitting = true }
    poller.wake()
    thread.withLock { $0 }?.join()
  }

  func media(at local: LocalInstant) -> MediaInstant {
    MediaInstant(nanosecondsSince1900: local.nanoseconds + distance)
  }

  func local(at media: MediaInstant) -> LocalInstant {
    LocalInstant(nanoseconds: media.nanosecondsSince1900 - distance)
  }

  /// The flushes that rooms acknowledged by UDP.
  var acknowledged: [FlushAcknowledgement] { state.withLock { $0.acknowledged } }

  /// Sends a datagram at a moment.
  func send(_ bytes: [UInt8], to room: SocketAddress, at due: LocalInstant) {
    state.withLock { $0.waiting.append((due, bytes, room)) }
    poller.wake()
  }

  private func run() {
    var inbox = DatagramInbox()
    while state.withLock({ !$0.isQuitting }) {
      let next = state.withLock { state in state.waiting.map(\.due).min() }
      poller.wait(until: next) { _ in }
      _ = try? inbox.receive(from: socket) { bytes, sender, arrival in
        answer(bytes, sender, arrival)
      }
      let now = LocalClock.now()
      let due = state.withLock { state in
        defer { state.waiting.removeAll { $0.due <= now } }
        return state.waiting.filter { $0.due <= now }
      }
      for item in due where !isLost() { socket.send(item.bytes, to: item.to, .audio) }
    }
  }

  /// From now on a packet in so many is lost, in bursts, both ways; clock exchanges are not.
  func lose(_ loss: BurstyLoss) { state.withLock { $0.loss = loss } }

  /// Datagrams that were lost on purpose.
  var dropped: Int { state.withLock { $0.dropped } }

  private func isLost() -> Bool {
    state.withLock { state in
      let isLost = state.loss?.next() ?? false
      if isLost { state.dropped += 1 }
      return isLost
    }
  }

  private func sendAgain(_ request: NegativeAcknowledgement, to room: SocketAddress) {
    for number in request.sequences {
      let datagram = state.withLock { state -> [UInt8]? in
        guard let original = state.kept[request.media]?[number] else { return nil }
        defer { state.repairs &+= 1 }
        var bytes: [UInt8] = []
        try? Retransmission.append(
          original.span, ssrc: request.media.retransmission, sequence: state.repairs, to: &bytes)
        return bytes
      }
      guard let datagram, !isLost() else { continue }
      socket.send(datagram, to: room, .audio)
    }
  }

  private func answer(_ bytes: Span<UInt8>, _ sender: SocketAddress, _ arrival: LocalInstant) {
    switch classifyDatagram(bytes, at: .coordinator) {
    case .ntpRequest:
      guard let request = try? NTPPacket.parse(bytes) else { return }
      let reply = clockReply(
        to: request, received: media(at: arrival), transmitted: media(at: LocalClock.now()),
        clockID: clockID)
      socket.send(reply.encode(), to: sender, .clock)
    case .rtcp:
      for packet in (try? RTCPPacket.parseCompound(bytes)) ?? [] {
        switch packet {
        case .flushAcknowledged(let answer): state.withLock { $0.acknowledged.append(answer) }
        case .negativeAcknowledgement(let request): if !isLost() { sendAgain(request, to: sender) }
        default: break
        }
      }
    default: break
    }
  }
}

// MARK: - A generation

extension TestCoordinator {
  /// Opens a generation that is first heard at `firstHeard`.
  func announcement(
    session: UInt16 = 0x7777, generation: UInt16, firstHeard: LocalInstant, delay: Nanoseconds,
    repairs: Bool = false
  ) -> StreamAnnounce {
    StreamAnnounce(
      groupID: "house", ssrc: SSRC(session: session, generation: generation), clockID: clockID,
      clockPort: socket.localAddress.port, lookAheadFrames: 312,
      firstAudible: MediaFrame(media(at: firstHeard) - delay),
      delayRamp: DelayRamp(constant: delay),
      retransmission: repairs
        ? SSRC(session: session, generation: generation).retransmission : nil)
  }

  /// Encodes and sends a generation: what is due within D at once, a packet a millisecond, the rest
  /// in time.
  ///
  /// - Parameters:
  ///   - stream: As announced.
  ///   - seconds: How long.
  ///   - room: Where to.
  ///   - skipping: Sequence numbers that get lost.
  ///   - music: The sample of source frame n, both channels.
  /// - Throws: When the encoder refuses.
  func play(
    _ stream: StreamAnnounce, seconds: Double, to room: SocketAddress,
    skipping: Set<UInt16> = [], _ music: (Int) -> Float
  ) throws {
    var encoder = try OpusEncoder(complexity: 5)
    var source = 0
    let start = LocalClock.now()
    for sequence in 0..<Int(seconds * 50) {
      let stamp = stream.firstAudible + Int64(960 * sequence - 312)
      var bytes: [UInt8] = []
      RTPHeader(
        payloadType: stream.payloadType, marker: sequence == 0,
        sequence: UInt16(truncatingIfNeeded: sequence), timestamp: RTPTimestamp(stamp),
        ssrc: stream.ssrc
      ).append(to: &bytes)
      let samples = (0..<1_920).map { music(source + $0 / 2) }
      source += 960
      _ = try encoder.encode(samples.span, into: &bytes)
      state.withLock {
        $0.kept[stream.ssrc, default: [:]][UInt16(truncatingIfNeeded: sequence)] = bytes
      }
      guard !skipping.contains(UInt16(truncatingIfNeeded: sequence)) else { continue }
      let paced = start + .milliseconds(Int64(sequence))
      send(bytes, to: room, at: max(paced, local(at: stamp.instant)))
    }
  }
}

/// The coordinator's end of a control link, for a test's own thread.
final class TestLink {
  private let stream: TCPStream
  private let poller: Poller
  private var decoder = ControlFrameDecoder()
  private(set) var received: [ControlMessage] = []
  private(set) var hasEnded = false

  init(to room: SocketAddress) throws {
    stream = try TCPStream(connectingTo: .loopback(port: room.port))
    poller = try Poller()
    try poller.add(stream.descriptor, for: .readable, token: 0)
    let connecting = try Poller()
    try connecting.add(stream.descriptor, for: .writable, token: 0)
    connecting.wait(until: LocalClock.now() + .seconds(2)) { _ in }
    try stream.finishConnecting()
  }

  func send(_ message: ControlMessage) throws { try send(raw: message.encodeFrame()) }

  func send(raw bytes: [UInt8]) throws { _ = try stream.send(bytes[...]) }

  /// Greets as a coordinator.
  func greet(_ coordinator: TestCoordinator, id: UInt8 = 9, run: UInt64 = 1) throws {
    try send(
      .hello(
        Hello(
          nodeID: Array(repeating: id, count: 32), name: "House", role: .coordinator,
          softwareVersion: "test", udpPort: coordinator.socket.localAddress.port, runID: run)))
  }

  /// Reads, and answers pings, until `isEnough` or `limit` has passed.
  @discardableResult
  func read(within limit: Nanoseconds = .seconds(5), until isEnough: (TestLink) -> Bool) throws
    -> Bool
  {
    let end = LocalClock.now() + limit
    while LocalClock.now() < end, !isEnough(self), !hasEnded {
      poller.wait(until: LocalClock.now() + .milliseconds(20)) { _ in }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      switch try? stream.receive(into: &buffer) {
      case .bytes(let count):
        buffer.removeLast(buffer.count - count)
        decoder.append(buffer.span)
      case .wouldBlock: break
      case .ended, nil: hasEnded = true
      }
      while let message = try decoder.next() {
        received.append(message)
        if case .ping(let token) = message { try send(.pong(token)) }
      }
    }
    return isEnough(self)
  }

  var hello: Hello? {
    for case .hello(let hello) in received { return hello }
    return nil
  }

  var refusal: Refusal? {
    for case .refusal(let refusal) in received { return refusal }
    return nil
  }

  var lastReport: StateReport? {
    for case .stateReport(let report) in received.reversed() { return report }
    return nil
  }
}

/// Gilbert and Elliott: good and bad times follow each other; in bad ones all is lost. Seeded.
struct BurstyLoss: Sendable {
  let share: Double
  let burst: Double
  private var state: UInt64
  private var isBad = false

  init(share: Double, burst: Double, seed: UInt64) {
    self.share = share
    self.burst = burst
    state = seed
  }

  /// Whether the next datagram is lost.
  mutating func next() -> Bool {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let luck = Double(state >> 11) * 0x1p-53
    isBad = luck < (isBad ? 1 - 1 / burst : share / (burst * (1 - share)))
    return isBad
  }
}
