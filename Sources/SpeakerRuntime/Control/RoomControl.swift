// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CommandLineOptions
internal import DaemonProcess
internal import LinuxNetworking
internal import Playout
internal import RealtimeAudio
internal import SecureLink
internal import WireProtocol

/// What the control link may ask of the room, and what the room tells it.
///
/// Owns the settings; lives on the control thread.
final class RoomControl {
  /// Settings go to disk this long after a change: a dragged volume slider is one write.
  static let saveDelay = Nanoseconds.seconds(1)
  /// Learnt frequencies are noted this often.
  static let priorInterval = Nanoseconds.seconds(300)

  private let identity: [UInt8]
  private let runID: UInt64
  private let port: UInt16
  private let network: NetworkDesk
  private let audio: AudioDesk
  private let state: StateDirectory
  private let log: Log
  private let renamed: (String) -> Void
  private var reporter: RoomReporter
  private var lastReport: StateReport?
  private var saveDue: LocalInstant?
  private var nextPriors: LocalInstant
  private var coordinator: String?

  /// A room with these settings; `renamed` is called when a coordinator gives it another name.
  init(
    identity: [UInt8], port: UInt16, reporter: RoomReporter, network: NetworkDesk,
    audio: AudioDesk, state: StateDirectory, log: Log, renamed: @escaping (String) -> Void
  ) {
    self.identity = identity
    self.port = port
    self.reporter = reporter
    self.network = network
    self.audio = audio
    self.state = state
    self.log = log
    self.renamed = renamed
    runID = Environment.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    nextPriors = LocalClock.now() + Self.priorInterval
    applyVolume()
    network.send(.lateness(-reporter.settings.latency))
  }

  /// The room's greeting.
  func hello() -> Hello {
    Hello(
      nodeID: identity, name: reporter.settings.name, role: .speaker,
      softwareVersion: tuttiVersion, udpPort: port, volume: reporter.settings.volume,
      muted: reporter.settings.muted, volumeSerial: reporter.volumeSerial,
      latencySetting: reporter.settings.latency, output: "\(reporter.output)", runID: runID)
  }

  /// A coordinator is in charge from now on.
  func coordinatorArrived(_ hello: Hello, peer: SocketAddress) {
    let key = NodeIdentity.digits(hello.nodeID.prefix(8))
    coordinator = key
    lastReport = nil
    network.send(
      .coordinator(
        clock: peer.with(port: hello.udpPort),
        priorFrequency: reporter.settings.hostFrequency(coordinator: key)))
  }

  /// The link is gone; the music is not.
  func coordinatorLeft() {
    log.info("no coordinator is connected; what was sent plays on")
  }

  /// Does what a message asks.
  func take(_ message: ControlMessage, from peer: SocketAddress) {
    switch message {
    case .streamAnnounce(let announce): network.send(.announce(announce, peer: peer))
    case .streamEnd(let end): network.send(.streamEnd(end))
    case .flush(let flush): network.send(.flush(flush))
    case .arm(let arm): network.send(.arm(arm.hold))
    case .setVolume(let order):
      reporter.settings.volume = order.volume
      reporter.settings.muted = order.muted
      reporter.volumeSerial = order.serial
      applyVolume()
      settingsChanged()
    case .setName(let order):
      reporter.settings.name = order.name
      renamed(order.name)
      settingsChanged()
    case .setLatency(let order):
      reporter.settings.latency = order.latency
      network.send(.lateness(-order.latency))
      settingsChanged()
    default: break
    }
  }

  /// The report to send now: when it is due, or when something a person sees has changed.
  func report(isDue: Bool) -> StateReport? {
    var device = AudioReport()
    _ = audio.reports.load(into: &device)
    var report = reporter.report(
      network: network.status, audio: device, trouble: audio.trouble)
    let isNews = lastReport.map { !report.looksLike($0) } ?? true
    guard isDue || isNews else { return nil }
    let delivery = network.takeDelivery()
    (report.lateness, report.repairTime) = (delivery.lateness, delivery.repairTime)
    lastReport = report
    return report
  }

  /// Saves what is due to be saved.
  func keepTime(at now: LocalInstant) {
    if now >= nextPriors {
      nextPriors = now + Self.priorInterval
      learnFrequencies()
      saveDue = saveDue ?? now
    }
    guard let due = saveDue, now >= due else { return }
    save()
  }

  /// Fades the room out and keeps what was learnt.
  func shutDown() {
    network.send(.gain(0))
    learnFrequencies()
    save()
  }

  private func applyVolume() {
    let settings = reporter.settings
    network.send(.gain(amplitude(volume: settings.volume, muted: settings.muted)))
  }

  private func settingsChanged() { saveDue = saveDue ?? LocalClock.now() + Self.saveDelay }

  private func learnFrequencies() {
    let status = network.status
    if let coordinator, status.isFrequencyLearnt, let frequency = status.hostFrequency {
      reporter.settings.setHostFrequency(frequency, coordinator: coordinator)
    }
    var device = AudioReport()
    if audio.reports.load(into: &device), device.isFrequencyLearnt,
      let frequency = device.cardFrequency
    {
      reporter.settings.setCardFrequency(frequency, output: "\(reporter.output)")
    }
  }

  private func save() {
    saveDue = nil
    do throws(ProcessError) {
      try state.write(settingsFile, reporter.settings.encode())
    } catch {
      log.warning("settings are not saved: \(error)", kind: "save")
    }
  }
}

/// The settings' name in the state directory.
let settingsFile = "settings"

extension StateReport {
  /// Whether a person who watches would see no difference; counters and estimates can wait a second.
  func looksLike(_ other: StateReport) -> Bool {
    state == other.state && detail == other.detail && volume == other.volume
      && muted == other.muted && volumeSerial == other.volumeSerial && ssrc == other.ssrc
      && underruns == other.underruns && resyncs == other.resyncs
      && latencySetting == other.latencySetting
      && (clockBound == nil) == (other.clockBound == nil)
      && (readyIn == .zero) == (other.readyIn == .zero)
  }
}
