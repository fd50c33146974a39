// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import LinuxNetworking
import OpusCodec
import Synchronization
import WireProtocol

/// A room on the loopback interface: records every packet, acknowledges flushes if it is polite.
final class RoomProbe: Sendable {
  struct Packet: Sendable {
    var header: RTPHeader
    var payload: [UInt8]
    var arrival: LocalInstant
    var bytes: Int
  }

  let socket: UDPSocket
  /// Every RTP packet, in order of arrival.
  let packets: AsyncStream<Packet>
  /// The answers of the clock service.
  let clockReplies: AsyncStream<NTPPacket>
  private let incoming: AsyncStream<Packet>.Continuation
  private let replied: AsyncStream<NTPPacket>.Continuation
  private let acknowledges: Bool
  private let poller: Poller
  private let isStopped = Mutex(false)
  private let flushed = Mutex<[(flush: FlushPacket, arrival: LocalInstant)]>([])
  private let counted = Mutex(0)

  init(acknowledges: Bool = true) throws {
    socket = try UDPSocket(binding: .loopback(port: 0))
    poller = try Poller()
    self.acknowledges = acknowledges
    (packets, incoming) = AsyncStream.makeStream()
    (clockReplies, replied) = AsyncStream.makeStream()
    try poller.add(socket.descriptor, for: .readable, token: 1)
    _ = try NamedThread("room", log: .discarding) { [self] in run() }
  }

  var address: SocketAddress { .loopback(port: socket.localAddress.port) }
  /// Every flush that came, repetitions too.
  var flushes: [(flush: FlushPacket, arrival: LocalInstant)] { flushed.withLock { $0 } }
  /// RTP packets so far.
  var count: Int { counted.withLock { $0 } }

  func stop() {
    isStopped.withLock { $0 = true }
    poller.wake()
  }

  private func run() {
    var inbox = DatagramInbox(slots: 64)
    while !isStopped.withLock({ $0 }) {
      poller.wait(until: nil) { _ in }
      _ = try? inbox.receive(from: socket) { bytes, from, arrival in
        take(bytes, from, arrival)
      }
    }
    incoming.finish()
    replied.finish()
  }

  private func take(_ bytes: Span<UInt8>, _ from: SocketAddress, _ arrival: LocalInstant) {
    switch classifyDatagram(bytes, at: .speaker) {
    case .rtp:
      guard let (header, payload) = try? RTPHeader.parse(bytes) else { return }
      counted.withLock { $0 += 1 }
      incoming.yield(
        Packet(
          header: header, payload: payload.map { bytes[$0] }, arrival: arrival,
          bytes: bytes.count))
    case .rtcp:
      for case .flush(let flush) in (try? RTCPPacket.parseCompound(bytes)) ?? [] {
        flushed.withLock { $0.append((flush, arrival)) }
        guard acknowledges else { continue }
        let answer = RTCPPacket.flushAcknowledged(FlushAcknowledgement(of: flush))
        socket.send(answer.encode(), to: from, .clock)
      }
    case .ntpReply:
      if let reply = try? NTPPacket.parse(bytes) { replied.yield(reply) }
    case .ntpRequest, .unknown: break
    }
  }
}

/// Packets of one generation, decoded: frame n is the source frame n after `firstAudible`.
func decode(_ packets: [RoomProbe.Packet], lookAhead: Int) throws -> [Float] {
  var decoder = try OpusDecoder()
  var music: [Float] = []
  for packet in packets {
    var block = [Float](repeating: 0, count: 960 * 2)
    var span = block.mutableSpan
    _ = try decoder.decode(packet.payload.span, into: &span)
    music += block
  }
  return Array(music.dropFirst(lookAhead * 2))
}
