// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import CLinux

// A time taken before the system call is early by what the call takes: 3 us on a warm path, 7 to 17
// us at best (p50 32, p99 129) when the processor has slept since the last packet, as it has before a
// clock question (tools/lab/experiments/transmit-stamps). Audio goes without.

extension UDPSocket {
  /// A datagram that went to the network driver.
  public struct Transmission: Sendable {
    /// The datagram's last eight octets, big-endian: what it is known by.
    public let tail: UInt64
    /// When.
    public let moment: LocalInstant
  }

  /// Lets the kernel tell when stamped datagrams left; drivers that cannot just never do.
  ///
  /// Afterwards `takeTransmissions` must be called whenever a poller reports anything on this socket.
  public func allowTransmitStamps() { _ = tutti_allow_transmit_stamps(descriptor) }

  /// Sends one datagram at once and asks when it left.
  ///
  /// - Parameters:
  ///   - payload: The octets.
  ///   - address: Where to.
  ///   - trafficClass: How the network should treat it.
  /// - Returns: Whether the kernel took it.
  @discardableResult
  public func sendStamped(
    _ payload: [UInt8], to address: SocketAddress, _ trafficClass: TrafficClass
  ) -> Bool {
    var item = tutti_outgoing(
      offset: 0, length: UInt32(payload.count), to: address.endpoint, dscp: trafficClass.rawValue)
    return payload.withUnsafeBufferPointer { bytes in
      tutti_send_stamped(descriptor, isIPv4, bytes.baseAddress, &item) == 1
    }
  }

  /// What left since the last call, at most 64; a stamp that lies in the future is left out.
  ///
  /// The time of day is read beside RAW for each: one that is set in between moves the result far
  /// away, and the caller, who knows when it called, does not believe it.
  public func takeTransmissions() -> [Transmission] {
    var taken: [Transmission] = []
    var tail: UInt64 = 0
    var realtime: Int64 = 0
    for _ in 0..<64 {
      let isTaken = withUnsafeMutableBytes(of: &tail) { bytes in
        tutti_take_transmit_stamp(
          descriptor, bytes.bindMemory(to: UInt8.self).baseAddress, &realtime) > 0
      }
      guard isTaken else { break }
      guard realtime != 0 else { continue }
      let before = LocalClock.now()
      let reading = tutti_realtime_ns()
      let after = LocalClock.now()
      let middle = before.nanoseconds + (after - before).count / 2
      let moment = LocalInstant(nanoseconds: middle &- (reading &- realtime))
      guard moment <= after else { continue }
      taken.append(Transmission(tail: UInt64(bigEndian: tail), moment: moment))
    }
    return taken
  }
}
