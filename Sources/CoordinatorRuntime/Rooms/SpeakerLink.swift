// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import LinuxNetworking
internal import SecureLink
internal import WireProtocol

/// A control link to a speaker, from the first attempt to connect until its end.
///
/// Belongs to the coordinator's actor; every method runs on its loop.
final class SpeakerLink {
  /// How long an address may take to accept and to say hello. In a house that is milliseconds; a host
  /// that is not there never answers.
  static let greetingPatience = Nanoseconds.milliseconds(1_500)

  /// Names the link in this run of the program; also the number of the room's session in the engine.
  let number: UInt64
  /// The contact that led here.
  let origin: Contact.Origin
  /// Who is being called.
  let peer: SocketAddress
  /// When the attempt began.
  let began: LocalInstant

  private let stream: TCPStream
  private let link: ControlLink
  /// What the loop knows it by.
  var watch: UInt64?
  /// Whether the connection stands.
  private(set) var isConnected = false
  private var isWatchedForWriting = true

  /// The speaker's greeting, once it came.
  var hello: Hello?
  /// The room, once the greeting was accepted.
  var room: RoomID?
  /// Whether the other side still lives; from the greeting on.
  var keepalive: LinkKeepalive
  /// Starts to connect.
  ///
  /// - Throws: `NetworkError` when the attempt cannot even start.
  init(
    number: UInt64, origin: Contact.Origin, peer: SocketAddress, now: LocalInstant
  ) throws(NetworkError) {
    self.number = number
    self.origin = origin
    self.peer = peer
    began = now
    keepalive = LinkKeepalive(at: now)
    stream = try TCPStream(connectingTo: peer)
    link = ControlLink(stream: stream)
  }

  /// The descriptor to watch.
  var descriptor: Int32 { stream.descriptor }

  /// What the loop has to watch for, when that has changed.
  func changedInterest() -> Poller.Interest? {
    let wantsToWrite = !isConnected || link.wantsToWrite
    guard wantsToWrite != isWatchedForWriting else { return nil }
    isWatchedForWriting = wantsToWrite
    return wantsToWrite ? [.readable, .writable] : .readable
  }

  /// Takes in what happened on the socket.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - hello: What to say first, once connected.
  ///   - now: This host's clock.
  /// - Returns: The messages that came.
  /// - Throws: When the link is broken, in words.
  func handle(
    _ event: Poller.Event, hello: @autoclosure () -> Hello, now: LocalInstant
  ) throws -> [ControlMessage] {
    if !isConnected {
      guard event.isWritable else { return [] }
      try stream.finishConnecting()
      isConnected = true
      try link.send(.hello(hello()))
    }
    if event.isWritable { try link.writable() }
    guard event.isReadable else { return [] }
    let messages = try link.readable()
    if !messages.isEmpty { keepalive.heard(at: now) }
    return messages
  }

  /// Sends a message.
  ///
  /// - Throws: When the link is broken or the other side has stopped reading.
  func send(_ message: ControlMessage) throws {
    try link.send(message)
  }
}
