// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import Playout
internal import RealtimeAudio
internal import Synchronization

/// The audio thread: opens the device when it is wanted, feeds it, recovers, closes it.
struct AudioThread: ~Copyable {
  /// Waits between attempts to open a device that failed, then the last one again and again: a card
  /// that is plugged in again is to be heard soon, and an attempt costs some 3 ms of a processor.
  static let backOff: [Nanoseconds] = [.milliseconds(250), .milliseconds(500), .seconds(1)]
  /// A device that has run for so many rounds (2 s) is well again; one that fails sooner was not, and
  /// is not to be opened four times a second for ever.
  static let provenRounds = 200
  /// So many dry runs within `dryWindow` mean that the device needs a pause.
  static let dryLimit = 5
  static let dryWindow = Nanoseconds.seconds(2)

  private let desk: AudioDesk
  private let log: Log
  private let changed: @Sendable () -> Void
  private var device: OutputDevice
  private var prior: PartsPerMillion?
  private var attempts = 0
  private var underruns: UInt64 = 0
  private var resyncs: UInt64 = 0
  private var history = SyncErrorHistory()

  /// A thread's work; `changed` is called when something happened that a person should see.
  init(
    device: consuming OutputDevice, desk: AudioDesk, prior: PartsPerMillion?, log: Log,
    changed: @escaping @Sendable () -> Void
  ) {
    self.device = device
    self.desk = desk
    self.prior = prior
    self.log = log
    self.changed = changed
  }

  /// Works until the desk says quit.
  mutating func run() {
    while desk.goesOn {
      guard desk.wantsDevice else {
        publish(AudioReport(phase: .closed))
        desk.waitForRequest(until: nil)
        continue
      }
      do throws(OutputFailure) {
        try playOnce()
      } catch {
        failed(error)
      }
    }
  }

  private mutating func playOnce() throws(OutputFailure) {
    publish(AudioReport(phase: attempts == 0 ? .opening : .trouble))
    try device.open()
    var run = DeviceRun(device, desk: desk, prior: prior)
    run.exchange(&history)
    do throws(OutputFailure) {
      try run.begin(&device)
      started()
      try feed(&run)
      finish(&run)
    } catch {
      finish(&run)
      throw error
    }
  }

  private mutating func started() {
    log.info("opened \(device.selection) at \(device.rate) Hz, \(device.format)")
    if let start = device.recordingStart {
      log.debug("the recording began at \(start.nanoseconds) ns of CLOCK_MONOTONIC_RAW")
    }
  }

  /// The device does what it should: nothing is held against it any more.
  private mutating func proven() {
    attempts = 0
    guard !desk.trouble.isEmpty else { return }
    log.notice("the output \(device.selection) plays again")
    desk.trouble = ""
    changed()
  }

  private mutating func feed(_ run: inout DeviceRun) throws(OutputFailure) {
    var rounds = 0
    var wasReady = false
    var dryRuns = 0
    var firstDry = LocalInstant(nanoseconds: 0)
    while desk.wantsDevice {
      let wake = run.nextWake(after: LocalClock.now())
      do throws(OutputFailure) {
        try run.round(&device)
        announce(run.pump.isReady, &wasReady, at: rounds, &run)
        try run.rest(until: wake, &device)
      } catch .stopped {
        let now = LocalClock.now()
        if now - firstDry > Self.dryWindow { (firstDry, dryRuns) = (now, 0) }
        dryRuns += 1
        guard dryRuns < Self.dryLimit else {
          throw .lost("the output \(device.selection) keeps running dry: is this host overloaded?")
        }
        log.warning("the output \(device.selection) ran dry; starting it again", kind: "dry")
        try run.recover(&device)
      }
      rounds += 1
      if rounds == Self.provenRounds { proven() }
    }
  }

  private mutating func announce(
    _ isReady: Bool, _ wasReady: inout Bool, at round: Int, _ run: inout DeviceRun
  ) {
    if round % DeviceRun.reportInterval == 0 || isReady != wasReady {
      publish(run.report(at: LocalClock.now()), run)
    }
    // Somebody waits for the room to be ready: a report follows at once.
    if isReady != wasReady { changed() }
    wasReady = isReady
  }

  private mutating func finish(_ run: inout DeviceRun) {
    if run.report(at: LocalClock.now()).isFrequencyLearnt { prior = run.pump.dac.frequency }
    underruns += run.underruns
    resyncs += run.pump.resyncs
    run.exchange(&history)
    device.close()
    log.info("closed \(device.selection)")
  }

  private mutating func failed(_ failure: OutputFailure) {
    let words =
      switch failure {
      case .lost(let words): words
      case .stopped: "the output \(device.selection) stopped"
      }
    if desk.trouble != words { log.error(words) }
    desk.trouble = words
    publish(AudioReport(phase: .trouble))
    let pause = Self.backOff[min(attempts, Self.backOff.count - 1)]
    attempts += 1
    desk.waitForRequest(until: LocalClock.now() + pause)
  }

  private func publish(_ report: AudioReport) {
    var total = report
    total.underruns = underruns
    total.resyncs = resyncs
    total.cardFrequency = prior
    total.isFrequencyLearnt = prior != nil
    desk.reports.store(total)
    changed()
  }

  private func publish(_ report: AudioReport, _ run: borrowing DeviceRun) {
    var total = report
    total.underruns = underruns + run.underruns
    total.resyncs = resyncs + run.pump.resyncs
    desk.reports.store(total)
  }
}

/// Carries an `AudioThread` to its thread.
final class AudioThreadBox: Sendable {
  private let work: Mutex<AudioThread>

  /// Takes the work over.
  init(_ work: consuming sending AudioThread) { self.work = Mutex(work) }

  /// Does the work; the lock is held to its end and nobody else asks for it.
  func run() { work.withLock { $0.run() } }
}
