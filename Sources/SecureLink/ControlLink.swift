// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import LinuxNetworking
public import WireProtocol

// One type between the programs and the transport: messages go in, messages come out. Today it is
// TCP; TLS 1.3 takes its place below `flush` and `readable` and nobody above notices.

/// A control link to one peer.
///
/// Never blocks: watch `descriptor` for reading, and for writing while `wantsToWrite`, and call
/// `readable()` and `writable()` when it is. After any error the link is dead: let go of it, which
/// closes it.
///
/// - Thread: confined to its owner; not Sendable on purpose.
public final class ControlLink {
  /// What may wait for a peer that does not read. A state report is about 200 bytes, so this is many
  /// minutes of them; a live peer never gets near, and the keepalive ends a dead one first.
  public static let outboxLimit = 256 * 1_024

  /// Read at once; enough for any burst of ours, and fair to the other links of the same loop.
  private static let readBytes = 16 * 1_024

  private let stream: TCPStream
  private var decoder = ControlFrameDecoder()
  private var outbox: [UInt8] = []
  /// Bytes of `outbox` that have gone.
  private var sent = 0
  private var buffer = [UInt8](repeating: 0, count: readBytes)

  /// A link over `stream`, which may still be connecting.
  public init(stream: TCPStream) { self.stream = stream }

  /// What to watch.
  public var descriptor: Int32 { stream.descriptor }

  /// Whether to watch for writing.
  public var wantsToWrite: Bool { sent < outbox.count }

  /// Messages of a kind that this build does not know, stepped over.
  public var ignoredMessages: Int { decoder.ignoredMessages }

  /// Sends a message, now or when the peer reads.
  ///
  /// - Parameter message: What to send.
  /// - Throws: `LinkError` when the link is broken or too much waits already.
  public func send(_ message: ControlMessage) throws(LinkError) {
    let waiting = outbox.count - sent
    guard waiting < Self.outboxLimit else { throw .peerDoesNotRead(waitingBytes: waiting) }
    outbox += message.encodeFrame()
    try writable()
  }

  /// Sends what waits, as much as the kernel takes.
  ///
  /// - Throws: `LinkError` when the link is broken.
  public func writable() throws(LinkError) {
    while wantsToWrite {
      let count = try attempt { () throws(NetworkError) in try stream.send(outbox[sent...]) }
      guard count > 0 else { return }
      sent += count
    }
    outbox.removeAll(keepingCapacity: outbox.count < Self.readBytes)
    sent = 0
  }

  /// Takes in what has arrived; may be called at any time.
  ///
  /// - Returns: The whole messages among it, in order.
  /// - Throws: `LinkError` when the link is broken, the peer has closed it, or it is not Tutti's.
  public func readable() throws(LinkError) -> [ControlMessage] {
    let received = try attempt { () throws(NetworkError) in try stream.receive(into: &buffer) }
    switch received {
    case .wouldBlock: return []
    case .ended: throw .closedByPeer
    case .bytes(let count): decoder.append(buffer.span.extracting(0..<count))
    }
    do throws(WireError) {
      var messages: [ControlMessage] = []
      while let message = try decoder.next() { messages.append(message) }
      return messages
    } catch {
      throw .malformed(error)
    }
  }

  private func attempt<T>(_ body: () throws(NetworkError) -> T) throws(LinkError) -> T {
    do throws(NetworkError) { return try body() } catch { throw .network(error) }
  }
}
