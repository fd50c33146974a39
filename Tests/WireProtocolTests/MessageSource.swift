// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import WireProtocol

/// The Swift value of each good message in proto/vectors/control.txt, by its name.
enum MessageSource {
  static let stream = SSRC(session: 0xBEEF, generation: 1)
  static let frame = MediaFrame(index: 191_234_567_890_123)
  static let nodeID = Array(0..<32) as [UInt8]

  static let byVector: [String: ControlMessage] = greetings.merging(streams) { a, _ in a }
    .merging(settings) { a, _ in a }.merging(reports) { a, _ in a }

  static let greetings: [String: ControlMessage] = [
    "speaker hello": .hello(
      Hello(
        nodeID: nodeID, name: "Living room", role: .speaker, softwareVersion: "0.1.0",
        protocolVersion: 1, udpPort: 7701, volume: 25, muted: true, volumeSerial: 3,
        latencySetting: .milliseconds(-40), output: "alsa:default", runID: 0x0123_4567_89AB_CDEF)),
    "hello with every optional field absent": .hello(
      Hello(nodeID: nodeID, name: "", role: .coordinator, softwareVersion: "", udpPort: 0)),
    "hello with a volume of zero": .hello(
      Hello(
        nodeID: nodeID, name: "", role: .speaker, softwareVersion: "", udpPort: .max, volume: 0)),
    "refusal": .refusal(Refusal(reason: .needsUpdate, detail: "update the speaker")),
    "empty refusal": .refusal(Refusal(reason: .other, detail: "")),
    "ping": .ping(0x0123_4567_89AB_CDEF),
    "pong of zero": .pong(0),
    "goodbye": .goodbye(Goodbye(reason: .shuttingDown, detail: "reboot")),
  ]

  static let streams: [String: ControlMessage] = [
    "announcement": .streamAnnounce(
      StreamAnnounce(
        groupID: "home", ssrc: stream, clockID: ClockID(rawValue: 0xC0FF_EE01_2345_6789),
        clockAddress: "10.0.0.2", clockPort: 7700, lookAheadFrames: 312, firstAudible: frame,
        delayRamp: DelayRamp(
          t0: frame - 123, d0: .seconds(6), d1: .milliseconds(400), slope: PartsPerMillion(500)),
        key: [0, 1, 255], rollOverCounter: 2, firstSequence: 32_767,
        retransmission: stream.retransmission, deviceFill: .milliseconds(25))),
    "announcement with every optional field absent": .streamAnnounce(
      StreamAnnounce(
        groupID: "", ssrc: SSRC(rawValue: 1), clockID: ClockID(rawValue: 1), clockPort: 0,
        payloadType: 0, lookAheadFrames: 0, firstAudible: MediaFrame(index: 0),
        delayRamp: DelayRamp(constant: .zero))),
    "stream end": .streamEnd(StreamEnd(ssrc: stream, endFrame: frame)),
    "stream end at frame zero": .streamEnd(
      StreamEnd(ssrc: SSRC(rawValue: 1), endFrame: MediaFrame(index: 0))),
    "stream end without frame": .streamEnd(StreamEnd(ssrc: SSRC(rawValue: 1))),
    "flush": .flush(
      FlushPacket(
        ssrc: stream, serial: .max, fromFrame: MediaFrame(index: -1), fadeMilliseconds: .max)),
    "acknowledgement": .flushAcknowledged(
      FlushAcknowledgement(ssrc: stream, serial: 7, sender: SSRC(rawValue: 0x0BAD_CAFE))),
  ]

  static let settings: [String: ControlMessage] = [
    "arm": .arm(Arm(hold: .seconds(30))),
    "disarm": .arm(Arm(hold: .zero)),
    "volume": .setVolume(SetVolume(volume: 100, muted: true, serial: .max)),
    "volume zero": .setVolume(SetVolume(volume: 0, muted: false, serial: 0)),
    "name": .setName(SetName(name: "Küche")),
    "latency": .setLatency(SetLatency(latency: .seconds(5))),
    "negative latency": .setLatency(SetLatency(latency: .seconds(-5))),
  ]

  static let reports: [String: ControlMessage] = [
    "report": .stateReport(fullReport),
    "report with windows": .stateReport(windowedReport),
    "report with every optional field absent": .stateReport(StateReport()),
  ]

  static let fullReport: StateReport = {
    var report = StateReport()
    (report.state, report.detail, report.volume, report.muted) = (.playing, "d", 40, true)
    (report.volumeSerial, report.buffered, report.jitter) = (
      9, .milliseconds(5_980), Nanoseconds(120_000)
    )
    (report.received, report.late, report.lost, report.repaired) = (300, 1, 2, 3)
    (report.concealed, report.discarded, report.underruns, report.resyncs) = (4, 5, 6, 7)
    report.syncErrorP50 = .microseconds(4)
    report.syncErrorP99 = .microseconds(20)
    report.syncErrorMax = .microseconds(31)
    report.clockSigma = Nanoseconds(1_500)
    report.clockBound = .microseconds(90)
    report.hostFrequency = PartsPerMillion(-12.5)
    report.cardFrequency = PartsPerMillion(40.25)
    report.outputLatency = .milliseconds(42)
    report.readyIn = .zero
    (report.ssrc, report.playedFrame) = (stream, frame)
    (report.output, report.latencySetting) = ("null", Nanoseconds(-1))
    return report
  }()

  static let windowedReport: StateReport = {
    var report = fullReport
    var window = SyncErrorWindow()
    (window.p50, window.p99, window.max) = (Nanoseconds(4_064), Nanoseconds(19_968), .seconds(1))
    (window.mean, window.sounding) = (Nanoseconds(-3_000), .seconds(10))
    report.syncErrorTenSeconds = window
    report.syncErrorFiveMinutes = SyncErrorWindow()
    (report.lateness, report.repairTime) = (.milliseconds(31), .zero)
    (report.requested, report.superfluous, report.clockRepliesRefused) = (8, 1, 300)
    return report
  }()
}
