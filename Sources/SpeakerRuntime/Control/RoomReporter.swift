// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import Playout
internal import WireProtocol

/// Puts together what a room says about itself.
struct RoomReporter: Sendable {
  /// Opening a device and learning its phase, cold: what the first sound has to wait for.
  static let coldStart = Nanoseconds.milliseconds(350)
  /// Learning an open device's phase.
  static let settling = Nanoseconds.milliseconds(150)

  var settings: SpeakerSettings
  var volumeSerial: UInt64 = 0
  var output: OutputSelection

  /// The report for these readings of the other threads.
  func report(network: NetworkStatus, audio: AudioReport, trouble: String) -> StateReport {
    var report = StateReport()
    report.state = Self.state(network, audio)
    report.detail = trouble
    report.volume = settings.volume
    report.muted = settings.muted
    report.volumeSerial = volumeSerial
    report.output = "\(output)"
    report.latencySetting = settings.latency
    takeStream(network, into: &report)
    takeClock(network, into: &report)
    takeDevice(audio, into: &report)
    return report
  }

  static func state(_ network: NetworkStatus, _ audio: AudioReport) -> RoomState {
    guard audio.phase != .trouble else { return .trouble }
    let isReady = audio.phase == .running && audio.isReady
    return switch network.stream {
    case .none: audio.phase == .running ? .armed : .idle
    case .waitingForClock: .waitingForClock
    case .buffering: .buffering
    case .playing: isReady ? .playing : .buffering
    case .stopping: .stopping
    }
  }

  private func takeStream(_ network: NetworkStatus, into report: inout StateReport) {
    report.buffered = network.buffered
    report.jitter = network.jitter
    report.received = network.received
    report.late = network.late
    report.lost = network.lost
    report.repaired = network.repaired
    report.concealed = network.concealed
    report.discarded = network.discarded
    report.requested = network.requested
    report.superfluous = network.superfluous
    report.ssrc = network.ssrc
    report.playedFrame = network.playedFrame
  }

  private func takeClock(_ network: NetworkStatus, into report: inout StateReport) {
    report.clockSigma = network.clockSigma
    report.clockBound = network.clockBound
    report.hostFrequency = network.hostFrequency
    report.clockRepliesRefused = network.clockRepliesRefused
  }

  private func takeDevice(_ audio: AudioReport, into report: inout StateReport) {
    report.cardFrequency = audio.cardFrequency
    report.outputLatency = audio.outputLatency
    report.underruns = audio.underruns
    report.resyncs = audio.resyncs
    takeSyncError(audio.syncError, into: &report)
    switch audio.phase {
    case .running: report.readyIn = audio.isReady ? .zero : Self.settling
    case .closed, .opening: report.readyIn = Self.coldStart
    case .trouble: report.readyIn = nil
    }
  }

  /// What did not sound has no error: it is absent, not zero.
  private func takeSyncError(_ error: SyncErrorReport, into report: inout StateReport) {
    if error.lastSecond.blocks > 0 {
      report.syncErrorP50 = error.lastSecond.p50
      report.syncErrorP99 = error.lastSecond.p99
      report.syncErrorMax = error.lastSecond.max
    }
    report.syncErrorTenSeconds = SyncErrorWindow(error.tenSeconds)
    report.syncErrorFiveMinutes = SyncErrorWindow(error.fiveMinutes)
  }
}

extension SyncErrorWindow {
  /// A window as it is reported; nil when nothing sounded in it.
  init?(_ summary: SyncErrorSummary) {
    guard summary.blocks > 0 else { return nil }
    self.init()
    p50 = summary.p50
    p99 = summary.p99
    max = summary.max
    mean = summary.mean
    sounding = summary.sounding
  }
}
