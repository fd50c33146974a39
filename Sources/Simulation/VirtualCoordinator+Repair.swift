// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
public import House
internal import WireProtocol

// The real RepairSchedule behind the virtual socket: what rooms ask for, paced and within their credit.

extension VirtualCoordinator {
  /// How many packets were sent again, and why others were not.
  public var repairCounters: RepairSchedule.Counters { repairs.counters }

  /// Takes in a datagram of a room that arrived just now.
  ///
  /// - Parameters:
  ///   - datagram: RTCP.
  ///   - room: What `add` returned.
  public func receive(_ datagram: [UInt8], from room: UInt64) {
    guard isRunning, world.now >= frozenUntil,
      let packets = try? RTCPPacket.parseCompound(datagram.span)
    else { return }
    for case .negativeAcknowledgement(let request) in packets {
      repairs.request(
        request.sequences, of: request.media, by: Self.name(room), available: keptPackets,
        at: media(at: world.now))
    }
    sendRepairs()
  }

  /// The generation that starts may be asked for.
  func openRepairs(_ announce: StreamAnnounce) {
    repairs.open(
      announce.ssrc,
      PacketGrid(
        firstStamp: announce.firstAudible - Self.lookAhead, packetFrames: Self.packetFrames,
        delay: announce.delayRamp.d0))
    serveRepairs()
  }

  /// The rooms that are there may ask.
  func serveRepairs() {
    repairs.serve(
      destinations.map { ScheduledRoom(id: Self.name($0.name)) }, at: media(at: world.now))
  }

  private func sendRepairs() {
    let now = media(at: world.now)
    while true {
      switch repairs.next(at: now) {
      case .send(let order): send(order, at: now)
      case .wait(let moment):
        world.schedule(at: self.moment(of: moment + Nanoseconds(1))) { self.sendRepairs() }
        return
      case .idle: return
      }
    }
  }

  private func send(_ order: RepairSchedule.Order, at now: MediaInstant) {
    guard let room = destinations.first(where: { Self.name($0.name) == order.room }),
      keptPackets.contains(order.packet)
    else { return }
    let original = sent[order.packet - keptPackets.lowerBound].datagram
    var datagram: [UInt8] = []
    try? Retransmission.append(
      original.span, ssrc: order.ssrc.retransmission, sequence: order.sequence, to: &datagram)
    // Raw samples are sixteen times as long as what they stand for.
    repairs.sent(bytes: Self.opusBytes, at: now)
    room.at.send(datagram)
  }

  private var keptPackets: Range<Int> { produced - sent.count..<produced }

  private static func name(_ room: UInt64) -> RoomID { RoomID(rawValue: "\(room)") }

  /// A packet of 20 ms at 192 kb/s with its headers.
  private static var opusBytes: Int { 494 }
}
