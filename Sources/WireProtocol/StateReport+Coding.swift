// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

extension StateReport: ControlPayload {
  static var blank: StateReport {
    var report = StateReport()
    report.state = .trouble  // an absent state is an unknown one
    return report
  }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1...6, 27, 28: try readSettings(field, in: bytes)
    case 7...13, 23, 24, 31...35: try readCounters(field)
    case 29: syncErrorTenSeconds = try field.message(in: bytes)
    case 30: syncErrorFiveMinutes = try field.message(in: bytes)
    default: try readTiming(field)
    }
  }

  private mutating func readSettings(
    _ field: ProtoField, in bytes: Span<UInt8>
  ) throws(WireError) {
    switch field.number {
    case 1: state = RoomState(rawValue: try field.integer()) ?? .trouble
    case 2: detail = try field.string(in: bytes, limit: ControlLimits.detailBytes)
    case 3: volume = try field.volume()
    case 4: muted = try field.bool()
    case 5: volumeSerial = try field.unsigned()
    case 6: buffered = try field.duration()
    case 27: output = try field.string(in: bytes, limit: ControlLimits.nameBytes)
    case 28: latencySetting = try field.latency()
    default: break
    }
  }

  private mutating func readCounters(_ field: ProtoField) throws(WireError) {
    switch field.number {
    case 7: jitter = try field.duration()
    case 8: received = try field.unsigned()
    case 9: late = try field.unsigned()
    case 10: lost = try field.unsigned()
    case 11: repaired = try field.unsigned()
    case 12: concealed = try field.unsigned()
    case 13: discarded = try field.unsigned()
    case 23: underruns = try field.unsigned()
    case 24: resyncs = try field.unsigned()
    case 31: lateness = try field.duration()
    case 32: repairTime = try field.duration()
    case 33: requested = try field.unsigned()
    case 34: superfluous = try field.unsigned()
    case 35: clockRepliesRefused = try field.unsigned()
    default: break
    }
  }

  private mutating func readTiming(_ field: ProtoField) throws(WireError) {
    switch field.number {
    case 14: syncErrorP50 = try field.duration()
    case 15: syncErrorP99 = try field.duration()
    case 16: syncErrorMax = try field.duration()
    case 17: clockSigma = try field.duration()
    case 18: clockBound = try field.duration()
    case 19: hostFrequency = try field.partsPerMillion()
    case 20: cardFrequency = try field.partsPerMillion()
    case 21: outputLatency = try field.duration()
    case 22: readyIn = try field.duration()
    case 25: ssrc = SSRC(rawValue: try field.fixed32())
    case 26: playedFrame = try field.frame()
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.unsigned(1, UInt64(state.rawValue))
    writer.string(2, detail, limit: ControlLimits.detailBytes)
    writer.unsigned(3, UInt64(min(max(volume, 0), 100)))
    writer.bool(4, muted)
    writer.unsigned(5, volumeSerial)
    writer.duration(6, buffered)
    writer.duration(7, jitter)
    let counters = [received, late, lost, repaired, concealed, discarded]
    for (number, counter) in zip(8..., counters) { writer.unsigned(UInt32(number), counter) }
    writer.duration(14, present: syncErrorP50)
    writer.duration(15, present: syncErrorP99)
    writer.duration(16, present: syncErrorMax)
    writer.duration(17, present: clockSigma)
    writer.duration(18, present: clockBound)
    writer.double(19, present: hostFrequency?.value)
    writer.double(20, present: cardFrequency?.value)
    writer.duration(21, present: outputLatency)
    writer.duration(22, present: readyIn)
    writer.unsigned(23, underruns)
    writer.unsigned(24, resyncs)
    writer.fixed32(25, present: ssrc?.rawValue)
    writer.frame(26, present: playedFrame)
    writer.string(27, output, limit: ControlLimits.nameBytes)
    writer.duration(28, latencySetting)
    if let window = syncErrorTenSeconds { writer.message(29, window) }
    if let window = syncErrorFiveMinutes { writer.message(30, window) }
    writer.duration(31, present: lateness)
    writer.duration(32, present: repairTime)
    writer.unsigned(33, requested)
    writer.unsigned(34, superfluous)
    writer.unsigned(35, clockRepliesRefused)
  }
}
