// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import SecureLink
internal import WireProtocol

// The control thread: one TCP listener, a handful of connections, one of which may be the coordinator
// that the room obeys. It never decides whether the room sounds: that is RTP's and the clock's alone.

/// Serves the control link. Owned by the control thread.
final class ControlServer {
  /// Connections at once; more are closed on arrival. A coordinator needs one.
  static let connectionLimit = 8
  /// Reports and pings go out this often.
  static let interval = Nanoseconds.seconds(1)

  /// What the poller calls the listener.
  static let listenerToken: UInt64 = 0

  private let listener: TCPListener
  private let poller: Poller
  private let room: RoomControl
  private let log: Log
  private var connections: [UInt64: ControlConnection] = [:]
  private var live: UInt64?
  private var nextToken: UInt64 = 1
  private var nextTick: LocalInstant
  /// Connections that spoke no protocol of ours, or too many.
  private(set) var rejected: UInt64 = 0

  /// A server on `listener`; `room` does what messages ask.
  init(listener: TCPListener, poller: Poller, room: RoomControl, log: Log) {
    self.listener = listener
    self.poller = poller
    self.room = room
    self.log = log
    nextTick = LocalClock.now()
  }

  /// Waits for events, handles them, keeps the time; returns at the latest after a second.
  func round() {
    var events: [Poller.Event] = []
    poller.wait(until: deadline) { events.append($0) }
    for event in events {
      if event.token == Self.listenerToken {
        acceptAll()
      } else if let connection = connections[event.token] {
        serve(connection, event)
      }
    }
    let now = LocalClock.now()
    for connection in connections.values where connection.deadline <= now {
      close(connection, because: connection.hello == nil ? "it said no hello" : "it fell silent")
    }
    tick(at: now)
  }

  /// Says goodbye and closes every link.
  func shutDown() {
    for connection in connections.values {
      send(.goodbye(Goodbye(reason: .shuttingDown, detail: "the speaker stops")), on: connection)
      close(connection, because: nil)
    }
  }

  private var deadline: LocalInstant {
    connections.values.map(\.deadline).reduce(nextTick, min)
  }

  private func tick(at now: LocalInstant) {
    let isDue = now >= nextTick
    if isDue { nextTick = now + Self.interval }
    room.keepTime(at: now)
    guard let live, let connection = connections[live] else { return }
    if isDue { send(.ping(UInt64(bitPattern: now.nanoseconds)), on: connection) }
    if let report = room.report(isDue: isDue) { send(.stateReport(report), on: connection) }
  }
}

// MARK: - Connections

extension ControlServer {
  private func acceptAll() {
    while let (stream, peer) = listener.accept() {
      guard connections.count < Self.connectionLimit else {
        rejected += 1
        log.warning(
          "too many connections: closed one from \(peer.host) (\(rejected) rejected so far)",
          kind: "full")
        continue
      }
      let token = nextToken
      nextToken += 1
      let connection = ControlConnection(
        link: ControlLink(stream: stream), peer: peer, token: token, at: LocalClock.now())
      do throws(NetworkError) {
        try poller.add(connection.link.descriptor, for: .readable, token: token)
        connections[token] = connection
      } catch {
        log.warning("\(error)", kind: "watch")
      }
    }
  }

  private func serve(_ connection: ControlConnection, _ event: Poller.Event) {
    do {
      if event.isWritable { try connection.link.writable() }
      if event.isReadable {
        for message in try connection.link.readable() {
          connection.lastHeard = LocalClock.now()
          guard connections[connection.token] != nil else { return }
          take(message, from: connection)
        }
      }
      if connections[connection.token] != nil { watchForWriting(connection) }
    } catch {
      if connection.hello == nil { rejected += 1 }
      close(connection, because: "\(error)")
    }
  }

  private func take(_ message: ControlMessage, from connection: ControlConnection) {
    guard connection.hello != nil else {
      guard case .hello(let hello) = message else {
        rejected += 1
        return close(connection, because: "its first message was no hello")
      }
      return greet(hello, connection)
    }
    switch message {
    case .ping(let token): send(.pong(token), on: connection)
    case .goodbye: close(connection, because: "it said goodbye")
    case .flush(let flush):
      room.take(message, from: connection.peer)
      send(.flushAcknowledged(FlushAcknowledgement(of: flush)), on: connection)
    default: room.take(message, from: connection.peer)
    }
  }

  private func greet(_ hello: Hello, _ connection: ControlConnection) {
    let now = LocalClock.now()
    let current = live.flatMap { connections[$0] }
    let known = current.flatMap { old in old.hello.map { (hello: $0, lastHeard: old.lastHeard) } }
    switch LinkAdmission.judge(hello, live: known, at: now) {
    case .refuse(let refusal):
      log.warning("refused \(connection.peer.host): \(refusal.detail)", kind: "refused")
      send(.refusal(refusal), on: connection)
      close(connection, because: nil)
    case .accept:
      if let current { close(current, because: "the coordinator connected anew") }
      connection.hello = hello
      live = connection.token
      log.notice("the coordinator \"\(hello.name)\" at \(connection.peer.host) is in charge")
      send(.hello(room.hello()), on: connection)
      room.coordinatorArrived(hello, peer: connection.peer)
      if let report = room.report(isDue: true) { send(.stateReport(report), on: connection) }
    }
  }

  private func send(_ message: ControlMessage, on connection: ControlConnection) {
    do {
      try connection.link.send(message)
      watchForWriting(connection)
    } catch {
      close(connection, because: "\(error)")
    }
  }

  private func watchForWriting(_ connection: ControlConnection) {
    let wants = connection.link.wantsToWrite
    guard wants != connection.isWatchedForWriting else { return }
    connection.isWatchedForWriting = wants
    try? poller.change(
      connection.link.descriptor, to: wants ? [.readable, .writable] : .readable,
      token: connection.token)
  }

  private func close(_ connection: ControlConnection, because reason: String?) {
    guard connections.removeValue(forKey: connection.token) != nil else { return }
    poller.remove(connection.link.descriptor)
    if live == connection.token {
      live = nil
      room.coordinatorLeft()
    }
    if let reason {
      log.info("closed the link from \(connection.peer.host): \(reason)", kind: "closed")
    }
  }
}
