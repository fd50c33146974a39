// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
public import DaemonProcess
public import LinuxNetworking
internal import SecureLink
internal import WireProtocol

/// A room: its threads, its sockets, its device. One per process, or several in a test.
public final class Speaker: Sendable {
  /// Real-time priorities: the audio thread above the network thread above all else.
  private static let audioPriority: Int32 = 30
  private static let networkPriority: Int32 = 20
  /// The gain's 20 ms ramp and what a device holds: then the room is silent.
  private static let fadeOut = Nanoseconds.milliseconds(90)

  /// Where the room listens, TCP and UDP.
  public let address: SocketAddress
  /// The room's name at its start.
  public let name: String
  private let network: NetworkDesk
  private let audio: AudioDesk
  private let control: ControlDesk
  private let audioThread: NamedThread
  private let networkThread: NamedThread
  private let controlThread: NamedThread

  /// Starts a room; it plays as soon as a coordinator calls.
  ///
  /// - Parameters:
  ///   - configuration: What it is told.
  ///   - state: Its locked directory.
  ///   - log: Where it tells what happens.
  /// - Throws: `ProcessError` in words for the person who starts it.
  public init(
    _ configuration: SpeakerConfiguration, state: StateDirectory, log: Log
  ) throws(ProcessError) {
    let settings = try Self.settings(configuration, state)
    let sockets = try SpeakerSockets(listen: configuration.listen)
    let identity = try Self.identity(state)
    let desks = try Self.desks()
    (network, audio, control) = desks
    (address, name) = (sockets.address, settings.name)

    let reporter = RoomReporter(settings: settings, output: configuration.output)
    audioThread = try Self.startAudio(configuration, desks, settings, log.named("audio"))
    networkThread = try Self.startNetwork(sockets.datagrams, desks, log.named("network"))
    controlThread = try ControlThread(
      listener: sockets.listener, identity: identity, reporter: reporter, network: desks.network,
      audio: desks.audio, control: desks.control, state: state,
      announcer: configuration.usesZeroconf ? RoomAnnouncer(log: log.named("zeroconf")) : nil,
      log: log.named("control")
    ).start()
    log.notice("the room \"\(name)\" listens on \(address), output \(configuration.output)")
  }

  /// Fades out, says goodbye, saves, and ends the threads.
  public func stop() {
    network.send(.gain(0))
    LocalClock.sleep(until: LocalClock.now() + Self.fadeOut)
    control.quit()
    controlThread.join()
    audio.quit()
    network.quit()
    audioThread.join()
    networkThread.join()
  }
}

// MARK: - Parts of the start

extension Speaker {
  private typealias Desks = (network: NetworkDesk, audio: AudioDesk, control: ControlDesk)

  private static func desks() throws(ProcessError) -> Desks {
    do throws(NetworkError) {
      return (try NetworkDesk(), try AudioDesk(), try ControlDesk())
    } catch {
      throw ProcessError("\(error)")
    }
  }

  private static func settings(
    _ configuration: SpeakerConfiguration, _ state: StateDirectory
  ) throws(ProcessError) -> SpeakerSettings {
    var settings = SpeakerSettings(decoding: try state.read(settingsFile) ?? [])
    if let name = configuration.name { settings.name = name }
    if settings.name.isEmpty { settings.name = Environment.hostName }
    try state.write(settingsFile, settings.encode())
    return settings
  }

  private static func identity(_ state: StateDirectory) throws(ProcessError) -> NodeIdentity {
    do {
      return try NodeIdentity.loadOrCreate(in: state.path)
    } catch {
      throw ProcessError("\(error)")
    }
  }

  private static func startAudio(
    _ configuration: SpeakerConfiguration, _ desks: Desks, _ settings: SpeakerSettings, _ log: Log
  ) throws(ProcessError) -> NamedThread {
    let (audio, control) = (desks.audio, desks.control)
    let device = try OutputDevice(
      configuration.output, simulated: .init(configuration.simulatedCardPPM))
    let work = AudioThreadBox(
      AudioThread(
        device: device, desk: audio,
        prior: settings.cardFrequency(output: "\(configuration.output)"), log: log,
        changed: { control.wake() }))
    return try NamedThread(
      "tutti-audio", urgency: .realTime(priority: audioPriority), log: log
    ) { work.run() }
  }

  private static func startNetwork(
    _ socket: UDPSocket, _ desks: Desks, _ log: Log
  ) throws(ProcessError) -> NamedThread {
    let (network, audio, control) = desks
    do throws(NetworkError) {
      try network.poller.add(socket.descriptor, for: .readable, token: 0)
    } catch {
      throw ProcessError("\(error)")
    }
    return try NamedThread(
      "tutti-network", urgency: .realTime(priority: networkPriority), log: log
    ) {
      let work = NetworkThread(
        socket: socket, desk: network, audio: audio, log: log, changed: { control.wake() })
      work.run()
    }
  }
}

/// One port number, TCP and UDP: what a firewall has to be told.
private struct SpeakerSockets {
  let listener: TCPListener
  let datagrams: UDPSocket

  var address: SocketAddress { listener.localAddress }

  /// Binds both. Port 0 takes one that is free for both, for tests.
  init(listen: SocketAddress) throws(ProcessError) {
    do throws(NetworkError) {
      listener = try TCPListener(binding: listen)
      datagrams = try UDPSocket(binding: listener.localAddress)
    } catch {
      throw ProcessError(error.operation, code: error.code, advice: error.advice)
    }
  }
}
