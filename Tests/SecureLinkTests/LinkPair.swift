// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import SecureLink

/// Two ends of a control link over loopback, and the raw stream below one of them.
struct LinkPair {
  let near: ControlLink
  let far: ControlLink
  let farStream: TCPStream

  init() throws {
    let listener = try TCPListener(binding: .loopback(port: 0))
    let client = try TCPStream(connectingTo: listener.localAddress)
    try Self.wait(listener.descriptor, for: .readable)
    guard let (server, _) = listener.accept() else {
      throw NetworkError(operation: "cannot accept", code: 0)
    }
    try client.finishConnecting()
    near = ControlLink(stream: client)
    farStream = server
    far = ControlLink(stream: server)
  }

  static func wait(_ descriptor: Int32, for interest: Poller.Interest) throws {
    let poller = try Poller()
    try poller.add(descriptor, for: interest, token: 1)
    poller.wait(until: LocalClock.now() + .seconds(5)) { _ in }
  }

  /// Waits until `link` has something to read.
  static func wait(for link: ControlLink) throws { try wait(link.descriptor, for: .readable) }
}
