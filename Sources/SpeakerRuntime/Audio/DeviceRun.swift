// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import Playout
internal import RealtimeAudio

// One run of the device, from its start on silence to its stop:
//
//   every 10 ms (+- 1 ms): status -> PlayoutPump.observe; newest snapshot; then blocks of 10 ms by
//   plan -> render -> convert -> write until the device holds 50 ms; the readings that the pump asks
//   for beside that; sleep
//
// Nothing in the loop allocates, locks or waits for another thread. The period is dithered because a
// device whose pointer moves in steps must be read at every phase of a step (timing.md, DAC model).

/// Feeds an open device until nobody wants it or it fails. Lives on the audio thread.
struct DeviceRun: ~Copyable {
  /// The device is filled up to this.
  static let fill = Nanoseconds.milliseconds(50)
  /// What it starts on.
  static let prefill = Nanoseconds.milliseconds(45)
  static let period = Nanoseconds.milliseconds(10)
  /// Where a stream leaves less time: two blocks and a half, looked after twice as often. At the next
  /// look 10 ms are left at least, and a thread that oversleeps by more is heard.
  static let shortestFill = Nanoseconds.milliseconds(25)
  static let shortPeriod = Nanoseconds.milliseconds(5)
  /// A pointer that has not moved for this long will not move: longer than any period in use.
  static let stallLimit = Nanoseconds.milliseconds(500)
  /// Rounds between two reports: 100 ms.
  static let reportInterval = 10

  private let desk: AudioDesk
  private let blockFrames: Int
  private let fillFrames: Int64
  private let shortestFrames: Int64
  private var renderer: Renderer
  private(set) var pump: PlayoutPump
  private var converter: SampleConverter
  private var snapshot = PlayoutSnapshot()
  private let samples: UnsafeMutablePointer<Float>
  private let converted: UnsafeMutableRawPointer
  private var framesWritten: Int64 = 0
  private var lastHeard: Int64 = .min
  private var lastMoved = LocalInstant(nanoseconds: 0)
  private var held: Int64 = 0
  private var heldAt = LocalInstant(nanoseconds: 0)
  private var dither: UInt64 = 0x2545_F491_4F6C_DD1D
  private(set) var underruns: UInt64 = 0

  /// Memory for one run of `device`.
  init(_ device: borrowing OutputDevice, desk: AudioDesk, prior: PartsPerMillion?) {
    self.desk = desk
    let rate = device.rate
    blockFrames = rate / 100
    // A small ring is filled to three quarters: the rest is for the reading's own coarseness.
    let wished = Int64(rate) * Self.fill.count / 1_000_000_000
    fillFrames = min(wished, Int64(device.bufferFrames) * 3 / 4)
    shortestFrames = min(fillFrames, Int64(rate) * Self.shortestFill.count / 1_000_000_000)
    renderer = Renderer(bank: desk.bank, deviceRate: rate)
    pump = PlayoutPump(deviceRate: rate, priorFrequency: prior)
    converter = SampleConverter(format: device.format)
    samples = .allocate(capacity: 2 * blockFrames)
    samples.initialize(repeating: 0, count: 2 * blockFrames)
    converted = .allocate(byteCount: 8 * blockFrames, alignment: 16)
  }

  deinit {
    samples.deallocate()
    converted.deallocate()
  }

  /// Fills the device with silence and starts it.
  mutating func begin(_ device: inout OutputDevice) throws(OutputFailure) {
    for index in 0..<2 * blockFrames { samples[index] = 0 }
    converter.convert(samples, count: 2 * blockFrames, into: converted)
    var left = min(fillFrames, Int64(device.rate) * Self.prefill.count / 1_000_000_000)
    var prefilled: Int64 = 0
    while left > 0 {
      let taken = try device.write(converted, frames: Int(min(left, Int64(blockFrames))))
      guard taken > 0 else { break }
      framesWritten += Int64(taken)
      prefilled += Int64(taken)
      left -= Int64(taken)
    }
    let startTime = LocalClock.now()
    try device.start()
    pump.deviceStarted(at: startTime, frame: framesWritten - prefilled)
    lastMoved = LocalClock.now()
    lastHeard = .min
    (held, heldAt) = (prefilled, lastMoved)
  }

  /// Starts again after the device ran dry: its crystal is known, its phase is not.
  mutating func recover(_ device: inout OutputDevice) throws(OutputFailure) {
    underruns += 1
    // What comes first is heard after silence: at full level it would begin with a click.
    renderer.startGain(at: 0)
    try device.restart()
    pump.deviceRestarted()
    try begin(&device)
  }

  /// Reads the device and brings it up to its fill.
  mutating func round(_ device: inout OutputDevice) throws(OutputFailure) {
    try read(&device)
    _ = desk.snapshots.load(into: &snapshot)
    let elapsed = (LocalClock.now() - heldAt).inSeconds
    var present = held - Int64(elapsed * Double(device.rate))
    let wanted = fillWanted
    while present + Int64(blockFrames) <= wanted {
      let taken = try writeBlock(&device)
      guard taken > 0 else { break }
      present += Int64(taken)
    }
  }

  /// What the stream allows, as far as the device and this thread do.
  private var fillWanted: Int64 {
    guard let limit = desk.fillLimit else { return fillFrames }
    let frames = Int64(limit.inSeconds * Double(blockFrames * 100))
    return min(max(frames, shortestFrames), fillFrames)
  }

  /// Takes the readings that the pump wants before `wake`, and sleeps until then.
  mutating func rest(until wake: LocalInstant, _ device: inout OutputDevice) throws(OutputFailure) {
    while let order = pump.extraReadings(after: LocalClock.now(), before: wake) {
      LocalClock.sleep(until: order.from)
      repeat { try read(&device) } while pump.readsOn(at: LocalClock.now())
    }
    LocalClock.sleep(until: wake)
  }

  private mutating func read(_ device: inout OutputDevice) throws(OutputFailure) {
    guard let status = try device.status(framesWritten: framesWritten) else { return }
    guard status.delayFrames >= 0 else { throw .stopped }
    try watchForStall(status)
    pump.observe(status)
    (held, heldAt) = (status.delayFrames, status.stamp)
  }

  private mutating func watchForStall(_ status: DeviceStatus) throws(OutputFailure) {
    let heard = status.framesWritten - status.delayFrames
    guard heard == lastHeard else {
      (lastHeard, lastMoved) = (heard, status.stamp)
      return
    }
    guard status.stamp - lastMoved < Self.stallLimit else {
      throw .lost("the output has stopped taking sound; trying to open it again")
    }
  }

  private mutating func writeBlock(_ device: inout OutputDevice) throws(OutputFailure) -> Int {
    let order = pump.plan(
      snapshot, blockStart: framesWritten, frames: blockFrames, position: renderer.position)
    if let order {
      renderer.render(order, into: samples, frames: blockFrames)
    } else {
      for index in 0..<2 * blockFrames { samples[index] = 0 }
    }
    converter.convert(samples, count: 2 * blockFrames, into: converted)
    let bytesPerFrame = 2 * converter.format.bytesPerSample
    var done = 0
    // The ring has room by our own count; a device that disagrees twice is full after all.
    for _ in 0..<2 where done < blockFrames {
      done += try device.write(converted + done * bytesPerFrame, frames: blockFrames - done)
    }
    framesWritten += Int64(done)
    held += Int64(done)
    return done
  }

  /// When to look again: 10 ms on, give or take 1 ms; half of that where little is kept.
  mutating func nextWake(after now: LocalInstant) -> LocalInstant {
    // xorshift64: any sequence will do that is not periodic in 10 ms.
    dither ^= dither << 13
    dither ^= dither >> 7
    dither ^= dither << 17
    let jitter = Nanoseconds(Int64(dither % 2_000_001) - 1_000_000)
    guard fillWanted < fillFrames else { return now + Self.period + jitter }
    return now + Self.shortPeriod + Nanoseconds(jitter.count / 2)
  }

  /// Takes over the past of an earlier run, or gives it away at the end.
  mutating func exchange(_ history: inout SyncErrorHistory) { pump.exchange(&history) }

  /// What the run looks like now.
  mutating func report(at now: LocalInstant) -> AudioReport {
    var report = AudioReport(phase: .running)
    report.isReady = pump.isReady
    report.cardFrequency = pump.isReady ? pump.dac.frequency : nil
    report.isFrequencyLearnt = pump.isReady && pump.dac.isFrequencyKnown
    report.outputLatency = pump.outputLatency
    report.syncError = pump.syncError(at: now)
    return report
  }
}
