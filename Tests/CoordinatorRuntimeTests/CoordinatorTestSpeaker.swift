// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DaemonProcess
import LinuxNetworking
import SecureLink
import Synchronization
import WireProtocol

/// A speaker that speaks the control protocol over a real socket, and writes down what it is told.
final class TestSpeaker: Sendable {
  /// Where it listens.
  let port: UInt16
  private let shared: Shared
  private let thread: NamedThread

  /// What both threads hold.
  private final class Shared: Sendable {
    struct State {
      var heard: [ControlMessage] = []
      var toSay: [ControlMessage] = []
      var accepted = 0
      var isStopping = false
    }

    let poller: Poller
    let state = Mutex(State())
    let hello: Hello
    let isGarbage: Bool

    init(hello: Hello, isGarbage: Bool) throws {
      poller = try Poller()
      self.hello = hello
      self.isGarbage = isGarbage
    }

    /// The thread's body: one link at a time, the newest.
    func run(_ listener: TCPListener) {
      try? poller.add(listener.descriptor, for: .readable, token: 0)
      var link: ControlLink?
      var raw: TCPStream?
      while !state.withLock({ $0.isStopping }) {
        poller.wait(until: nil) { _ in }
        while let (stream, _) = listener.accept() {
          state.withLock { $0.accepted += 1 }
          if let link { poller.remove(link.descriptor) }
          if isGarbage { _ = try? stream.send(Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)[...]) }
          raw = stream
          link = ControlLink(stream: stream)
          try? poller.add(stream.descriptor, for: .readable, token: 1)
        }
        guard !isGarbage, let current = link else { continue }
        do {
          try serve(current)
        } catch {
          poller.remove(current.descriptor)
          link = nil
        }
      }
      _ = raw
    }

    private func serve(_ link: ControlLink) throws {
      for message in try link.readable() {
        state.withLock { $0.heard.append(message) }
        if case .hello = message { try link.send(.hello(hello)) }
        if case .ping(let token) = message { try link.send(.pong(token)) }
      }
      let toSay = state.withLock { state in
        defer { state.toSay = [] }
        return state.toSay
      }
      for message in toSay { try link.send(message) }
    }
  }

  /// Starts to listen on every address of this host; `id` fills the node id, port 0 is any free one,
  /// and a garbage speaker answers everybody with nonsense.
  init(
    id: UInt8, name: String, port: UInt16 = 0, runID: UInt64 = 1, volume: Int = 20,
    isGarbage: Bool = false
  ) throws {
    let listener = try TCPListener(binding: .any(port: port))
    self.port = listener.localAddress.port
    let hello = Hello(
      nodeID: Array(repeating: id, count: 32), name: name, role: .speaker,
      softwareVersion: "0.1.0", udpPort: listener.localAddress.port, volume: volume,
      output: "null", runID: runID)
    let shared = try Shared(hello: hello, isGarbage: isGarbage)
    self.shared = shared
    thread = try NamedThread("test-speaker", log: .discarding) { shared.run(listener) }
  }

  /// What it has been told.
  var heard: [ControlMessage] { shared.state.withLock { $0.heard } }
  /// How many calls it has taken.
  var accepted: Int { shared.state.withLock { $0.accepted } }

  /// Says something to the coordinator.
  func say(_ message: ControlMessage) {
    shared.state.withLock { $0.toSay.append(message) }
    shared.poller.wake()
  }

  /// Dies: its sockets are closed by the kernel.
  func die() {
    shared.state.withLock { $0.isStopping = true }
    shared.poller.wake()
    thread.join()
  }
}
