// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import WireProtocol

/// What can be sent again: the schedule, and the packets behind it.
struct Repairs {
  var schedule: RepairSchedule
  private var stores: [PacketStore] = []

  init(bitsPerSecond: Int64) { schedule = RepairSchedule(bitsPerSecond: bitsPerSecond) }

  /// A generation begins; the ones before may still ring out, and be asked for.
  mutating func open(_ store: PacketStore, _ grid: PacketGrid) {
    schedule.open(store.ssrc, grid)
    stores.append(store)
    if stores.count > RepairSchedule.generationLimit { stores.removeFirst() }
  }

  /// The packets of a generation.
  func store(of ssrc: SSRC) -> PacketStore? { stores.last { $0.ssrc == ssrc } }
}

extension MediaThread {
  /// A room misses packets. Only a room may ask, and it is answered at its own address.
  func takeRepairRequest(_ request: NegativeAcknowledgement, from address: SocketAddress) {
    guard let room = rooms.first(where: { $0.address == address }) else {
      counted.repairsForeign += 1
      return
    }
    var available = repairs.store(of: request.media)?.kept ?? 0..<0
    if let stream, stream.store.ssrc == request.media,
      let cursor = stream.schedule.cursor(of: room.id)
    {
      // What it has not been sent yet it will get anyway.
      available = available.clamped(to: 0..<max(0, cursor))
    }
    let limit = NegativeAcknowledgement.maximumEntries * NegativeAcknowledgement.packetsPerEntry
    repairs.schedule.request(
      Array(request.sequences.prefix(limit)), of: request.media, by: room.id,
      available: available, at: shared.clock.now())
  }

  /// Sends again what is due.
  ///
  /// - Returns: When to come back; nil when somebody has to ask first.
  func sendRepairs() -> LocalInstant? {
    let now = shared.clock.now()
    defer { shared.socket.send(&outbox) }
    while true {
      switch repairs.schedule.next(at: now) {
      case .send(let order):
        append(order, at: now)
        if outbox.count == Self.batchSize { shared.socket.send(&outbox) }
      case .wait(let moment): return shared.clock.local(at: moment)
      case .idle: return nil
      }
    }
  }

  private func append(_ order: RepairSchedule.Order, at now: MediaInstant) {
    guard let room = rooms.first(where: { $0.id == order.room }),
      let original = repairs.store(of: order.ssrc)?.packet(order.packet)
    else { return }
    var datagram: [UInt8] = []
    datagram.reserveCapacity(original.count + Retransmission.overheadBytes)
    do throws(WireError) {
      try Retransmission.append(
        original.span, ssrc: order.ssrc.retransmission, sequence: order.sequence, to: &datagram)
    } catch {
      return log.error("a packet of our own cannot be read: \(error)", kind: "repair")
    }
    outbox.append(datagram, to: room.address, .audio)
    repairs.schedule.sent(bytes: datagram.count, at: now)
    audioGivesWay(for: datagram.count, at: now)
  }
}
