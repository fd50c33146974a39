// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import LinuxNetworking
internal import SecureLink

/// The control thread: what it is made of, and its loop.
struct ControlThread: Sendable {
  let listener: TCPListener
  let identity: NodeIdentity
  let reporter: RoomReporter
  let network: NetworkDesk
  let audio: AudioDesk
  let control: ControlDesk
  let state: StateDirectory
  let announcer: RoomAnnouncer?
  let log: Log

  /// Starts the thread.
  func start() throws(ProcessError) -> NamedThread {
    do throws(NetworkError) {
      try control.poller.add(
        listener.descriptor, for: .readable, token: ControlServer.listenerToken)
    } catch {
      throw ProcessError("\(error)")
    }
    return try NamedThread("tutti-control", log: log) { run() }
  }

  private func run() {
    let port = listener.localAddress.port
    announcer?.publish(name: reporter.settings.name, id: identity.id, port: port)
    let room = RoomControl(
      identity: identity.id, port: port, reporter: reporter, network: network, audio: audio,
      state: state, log: log
    ) { [announcer, identity] name in
      announcer?.publish(name: name, id: identity.id, port: port)
    }
    let server = ControlServer(listener: listener, poller: control.poller, room: room, log: log)
    while control.goesOn { server.round() }
    server.shutDown()
    room.shutDown()
    announcer?.withdraw()
  }
}
