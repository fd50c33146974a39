// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import DaemonProcess
import Foundation
import LinuxNetworking
import Playout
import RealtimeAudio

@testable import SpeakerRuntime

/// A room's audio thread on a card, with a lane that plays a constant level.
final class TroubledRoom {
  let desk: AudioDesk
  private let thread: NamedThread
  private let poller: Poller
  private var level: [Float] = []

  /// Starts the thread and asks for the device.
  init(_ card: String) throws {
    desk = try AudioDesk()
    poller = try Poller()
    let device = try OutputDevice(.alsa(card), simulated: PartsPerMillion(0))
    let work = AudioThreadBox(
      AudioThread(device: device, desk: desk, prior: nil, log: .discarding, changed: {}))
    thread = try NamedThread("trouble-audio", log: .discarding) { work.run() }
    desk.setWanted(true)
  }

  /// Ends the thread.
  func stop() {
    desk.quit()
    thread.join()
  }

  /// A lane at half of full scale, due 0.3 s from now.
  func playLevel() throws {
    let map = ClockMap(
      anchorLocal: LocalClock.now(),
      anchorMedia: MediaInstant(nanosecondsSince1900: 4_000_000_000_000_000_000),
      clockID: ClockID(rawValue: 1))
    let first = MediaFrame(map.media(at: LocalClock.now() + .milliseconds(300)))
    var schedule = LaneSchedule()
    schedule.append(LaneCue(serial: 1, lane: 0, start: first, fadeFrames: 480))
    desk.bank[0].open(from: first, firstAudible: first)
    level = [Float](repeating: 0.5, count: 2 * 960)
    desk.snapshots.store(PlayoutSnapshot(clockMap: map, gain: 1, schedule: schedule))
  }

  /// Keeps the lane filled for a while.
  func feed(for time: Nanoseconds) {
    let end = LocalClock.now() + time
    while LocalClock.now() < end {
      fill()
      poller.wait(until: LocalClock.now() + .milliseconds(5)) { _ in }
    }
  }

  /// Waits, feeding, until a report is as wished; at most `limit`.
  func isEventually(
    within limit: Nanoseconds = .seconds(5), _ isTrue: (AudioReport) -> Bool
  ) -> Bool {
    let end = LocalClock.now() + limit
    while LocalClock.now() < end {
      if isTrue(report) { return true }
      feed(for: .milliseconds(5))
    }
    return isTrue(report)
  }

  var report: AudioReport {
    var report = AudioReport()
    _ = desk.reports.load(into: &report)
    return report
  }

  /// Processor time of the audio thread so far, in ticks of 10 ms.
  var processorTicks: Int {
    let tasks = "/proc/self/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    for task in names {
      guard let stat = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8),
        stat.contains("(trouble-audio)"), let end = stat.lastIndex(of: ")")
      else { continue }
      let fields = stat[end...].split(separator: " ")
      return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
    }
    return 0
  }

  private func fill() {
    guard !level.isEmpty else { return }
    let (lane, level) = (desk.bank[0], self.level)
    while lane.room >= 960 {
      if lane.append(level.span) == 0 { return }
    }
  }
}

extension VirtualCardFolder {
  /// Places in `struct control` of tools/lab/card/control.h.
  enum Field: Int {
    case unplugged = 0
    case busy = 1
    case xrun = 4
  }

  /// Does something to the card.
  func control(_ field: Field, _ value: Int64) {
    guard let file = FileHandle(forUpdatingAtPath: controlPath) else { return }
    defer { try? file.close() }
    try? file.seek(toOffset: UInt64(8 * field.rawValue))
    withUnsafeBytes(of: value.littleEndian) { try? file.write(contentsOf: Data($0)) }
  }

  /// The first frame of each run.
  var runs: [Int] {
    logged.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first == "start" && words.count > 2 ? Int(words[2]) : nil
    }
  }

  /// How often it was opened.
  var openings: Int { logged.split(separator: "\n").filter { $0.hasPrefix("format") }.count }

  /// The left channel from a frame on; the card takes float samples.
  func samples(from frame: Int) -> [Float] {
    guard let data = FileManager.default.contents(atPath: recordingPath) else { return [] }
    return data.withUnsafeBytes { raw in
      stride(from: 8 * frame, to: raw.count - 7, by: 8).map {
        raw.loadUnaligned(fromByteOffset: $0, as: Float.self)
      }
    }
  }
}
