// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import SecureLink
internal import WireProtocol

/// One TCP connection to the room, from its first octet on.
final class ControlConnection {
  /// Time to say hello in; a garbage client is gone after that.
  static let greetingLimit = Nanoseconds.seconds(3)
  /// Both sides ping each second; three missed ones are the end.
  static let silenceLimit = Nanoseconds.seconds(3)

  let link: ControlLink
  let peer: SocketAddress
  let token: UInt64
  let opened: LocalInstant
  var lastHeard: LocalInstant
  /// The other side's greeting, once it came.
  var hello: Hello?
  var isWatchedForWriting = false

  init(link: ControlLink, peer: SocketAddress, token: UInt64, at now: LocalInstant) {
    (self.link, self.peer, self.token, opened, lastHeard) = (link, peer, token, now, now)
  }

  /// When the connection is given up unless something comes.
  var deadline: LocalInstant {
    hello == nil ? opened + Self.greetingLimit : lastHeard + Self.silenceLimit
  }
}
