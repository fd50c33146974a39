// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import Synchronization
internal import WireProtocol

// The thread of the UDP socket. It blocks in one place only, and everything it is asked is answered
// before audio is sent: a clock question that waits behind a burst is a wrong clock.

/// Answers the clock, repeats flushes and sends audio, on a thread of its own.
final class MediaThread {
  /// SCHED_FIFO: above all ordinary work, below the kernel's own threads.
  static let priority: Int32 = 20
  /// Datagrams per system call while sending: what the pace lets out in 4 ms.
  static let batchSize = 32
  private static let socketToken: UInt64 = 1

  let shared: EngineShared
  let log: Log
  private var inbox = DatagramInbox()
  var outbox = DatagramBatch()
  private(set) var rooms: [RoomDestination] = []
  private(set) var stream: (schedule: SendSchedule, store: PacketStore)?
  var repairs: Repairs
  private var flushes = FlushRepeats<SocketAddress>()
  private var askers = UnlinkedAskers()
  private var end: LocalInstant?
  var counted = EngineCounters()

  init(shared: EngineShared, log: Log) throws(NetworkError) {
    self.shared = shared
    self.log = log
    repairs = Repairs(bitsPerSecond: shared.configuration.burstBitsPerSecond)
    try shared.media.poller.add(
      shared.socket.descriptor, for: .readable, token: Self.socketToken)
  }

  /// The thread's body. Runs, like everything here, on the thread that made this object.
  func run() {
    while true {
      for command in shared.media.take() { perform(command) }
      receive()
      repeatFlushes()
      let audio = sendAudio()
      // Last of all: nothing waits for what is sent again.
      let repair = sendRepairs()
      publish()
      if let end, flushes.isSettled || LocalClock.now() >= end { break }
      wait(for: [audio, repair, flushes.nextDeadline, end])
    }
    shared.media.poller.remove(shared.socket.descriptor)
  }

  private func wait(for moments: [LocalInstant?]) {
    let deadline = moments.compactMap { $0 }.min()
    var isReadable = false
    let isWoken = shared.media.poller.wait(until: deadline) { _ in isReadable = true }
    guard let deadline, !isReadable, !isWoken else { return }
    counted.latestWake = max(counted.latestWake, LocalClock.now() - deadline)
  }

  private func perform(_ command: MediaCommand) {
    switch command {
    case .send(let grid, let store):
      retireStream()
      var schedule = SendSchedule(
        grid: grid, bitsPerSecond: shared.configuration.burstBitsPerSecond)
      schedule.serve(rooms.map(scheduled), at: shared.clock.now())
      stream = (schedule, store)
      repairs.open(store, grid)
    case .change(let ramp, let ssrc):
      if stream?.store.ssrc == ssrc { stream?.schedule.change(ramp) }
      repairs.schedule.change(ramp, of: ssrc)
    case .silence: retireStream()
    case .serve(let rooms):
      self.rooms = rooms
      askers.linked = Set(rooms.lazy.filter(\.isLinked).map(\.address))
      let scheduled = rooms.map(scheduled)
      stream?.schedule.serve(scheduled, at: shared.clock.now())
      repairs.schedule.serve(scheduled, at: shared.clock.now())
    case .flush(let flush):
      flushes.begin(
        RTCPPacket.flush(flush).encode(), serial: flush.serial, to: rooms.map(\.address),
        at: LocalClock.now())
    case .shutDown(let moment): end = moment
    }
  }

  private func scheduled(_ room: RoomDestination) -> ScheduledRoom {
    ScheduledRoom(
      id: room.id, session: room.session, outputLatency: room.readiness.outputLatency)
  }

  private func retireStream() {
    counted.packetsSkipped += UInt64(stream?.schedule.skipped ?? 0)
    stream = nil
  }

  private func publish() {
    let counted = counted
    let skipped = UInt64(stream?.schedule.skipped ?? 0)
    let unacknowledged = flushes.unacknowledged
    let repaired = repairs.schedule.counters
    shared.counters.withLock { counters in
      counters = counted
      counters.packetsSkipped += skipped
      counters.flushesUnacknowledged = unacknowledged
      counters.repairsAsked = repaired.asked
      counters.repairsSent = repaired.sent
      counters.repairsLate = repaired.late
      counters.repairsRefused = repaired.refused
    }
  }
}

// MARK: - Sending

extension MediaThread {
  private func repeatFlushes() {
    for (room, datagram) in flushes.due(at: LocalClock.now()) {
      outbox.append(datagram, to: room, .clock)
    }
    shared.socket.send(&outbox)
  }

  /// Sends what is due.
  ///
  /// - Returns: When to come back; nil when something has to happen first.
  private func sendAudio() -> LocalInstant? {
    guard let store = stream?.store else { return nil }
    stream?.schedule.extend(to: store.produced)
    let now = shared.clock.now()
    while let step = stream?.schedule.next(at: now) {
      switch step {
      case .send(let room, let packet):
        // A packet that is not kept any more cannot be heard any more either.
        guard let datagram = store.packet(packet) else { continue }
        outbox.append(datagram, to: rooms[room].address, .audio)
        stream?.schedule.sent(bytes: datagram.count, at: now)
        repairs.schedule.sent(bytes: datagram.count, at: now)
        counted.bytesSent += UInt64(datagram.count)
        if outbox.count == Self.batchSize { flushOutbox() }
      case .wait(let moment):
        flushOutbox()
        return shared.clock.local(at: moment)
      case .idle:
        flushOutbox()
        return nil
      }
    }
    return nil
  }

  private func flushOutbox() {
    let count = outbox.count
    let taken = shared.socket.send(&outbox)
    counted.packetsSent += UInt64(taken)
    counted.packetsRefused += UInt64(count - taken)
  }

  /// Something else than audio has left: the line is that much busier.
  func audioGivesWay(for bytes: Int, at now: MediaInstant) {
    stream?.schedule.sent(bytes: bytes, at: now)
  }
}

// MARK: - Receiving

extension MediaThread {
  private func receive() {
    var reports: [(packet: RTCPPacket, from: SocketAddress)] = []
    var tally = EngineCounters()
    do throws(NetworkError) {
      try inbox.receive(from: shared.socket) { bytes, from, arrival in
        switch classifyDatagram(bytes, at: .coordinator) {
        case .ntpRequest: answerClock(bytes, from, arrival, &tally)
        case .rtcp: reports += readReports(bytes, &tally).map { ($0, from) }
        case .rtp, .ntpReply, .unknown: tally.garbage += 1
        }
      }
    } catch {
      log.warning("\(error)")
    }
    for (packet, room) in reports { heed(packet, from: room) }
    counted.clockRequests += tally.clockRequests
    counted.flushesAcknowledged += tally.flushesAcknowledged
    counted.otherReports += tally.otherReports
    counted.garbage += tally.garbage
  }

  private func answerClock(
    _ bytes: Span<UInt8>, _ from: SocketAddress, _ arrival: LocalInstant,
    _ tally: inout EngineCounters
  ) {
    guard let reply = ClockService.reply(to: bytes, received: arrival, by: shared.clock) else {
      tally.garbage += 1
      return
    }
    shared.socket.send(reply, to: from, .clock)
    tally.clockRequests += 1
    if askers.isNews(from, at: arrival) { shared.report.yield(.clockAsked(by: from)) }
  }

  /// What rooms say in a datagram.
  private func readReports(_ bytes: Span<UInt8>, _ tally: inout EngineCounters) -> [RTCPPacket] {
    guard let packets = try? RTCPPacket.parseCompound(bytes) else {
      tally.garbage += 1
      return []
    }
    for packet in packets {
      switch packet {
      case .flushAcknowledged: tally.flushesAcknowledged += 1
      case .negativeAcknowledgement: break
      default: tally.otherReports += 1
      }
    }
    return packets
  }

  private func heed(_ packet: RTCPPacket, from room: SocketAddress) {
    switch packet {
    case .flushAcknowledged(let answer): flushes.acknowledge(answer.serial, by: room)
    case .negativeAcknowledgement(let request): takeRepairRequest(request, from: room)
    default: break
    }
  }
}
