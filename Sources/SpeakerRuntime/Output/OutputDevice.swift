// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ALSAOutput
internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import Playout
internal import RealtimeAudio

/// Why an output does not play.
enum OutputFailure: Error, Sendable {
  /// It ran dry, or was suspended: start it again.
  case stopped
  /// It is gone, busy or broken: open it again later. In words for people.
  case lost(String)
}

/// The room's output while it is open: a sound card, or one that is simulated.
///
/// Owned by the audio thread.
struct OutputDevice: ~Copyable {
  /// What it is opened as.
  let selection: OutputSelection
  /// Frames per second it claims.
  private(set) var rate = SimulatedCard.rate
  /// Frames its ring holds.
  private(set) var bufferFrames = SimulatedCard.bufferFrames
  /// The samples it takes.
  private(set) var format = SampleFormat.float
  /// When frame 0 of a recording was heard.
  private(set) var recordingStart: LocalInstant?
  private var alsa: ALSADevice?
  private var timed: TimedOutput?

  /// An output that is closed. A WAV file is created at once, so that a bad path is found at start.
  init(_ selection: OutputSelection, simulated frequency: PartsPerMillion) throws(ProcessError) {
    self.selection = selection
    switch selection {
    case .alsa: break
    case .null: timed = TimedOutput(frequency: frequency, format: format, file: nil)
    case .wav(let path, let isFloat):
      format = isFloat ? .float : .s16
      let file = try WAVFile(path: path, format: format)
      timed = TimedOutput(frequency: frequency, format: format, file: file)
    }
  }

  /// Opens the output, stopped.
  mutating func open() throws(OutputFailure) {
    guard case .alsa(let name) = selection else { return }
    do throws(ALSAError) {
      let opened = try ALSADevice(name: name)
      rate = opened.configuration.rate
      bufferFrames = opened.configuration.bufferFrames
      format = Self.format(opened.configuration.format)
      alsa = consume opened
    } catch {
      throw .lost("\(error)")
    }
  }

  /// Starts to play what was written.
  mutating func start() throws(OutputFailure) {
    let now = LocalClock.now()
    timed?.start(at: now)
    if case .wav = selection, recordingStart == nil { recordingStart = now }
    do throws(ALSAError) {
      try alsa?.start()
    } catch {
      throw Self.failure(error)
    }
  }

  /// Drops what it holds, to be filled and started again.
  mutating func restart() throws(OutputFailure) {
    timed?.stop(at: LocalClock.now())
    do throws(ALSAError) {
      try alsa?.restart()
    } catch {
      throw .lost("\(error)")
    }
  }

  /// Closes it; what it holds is not heard.
  mutating func close() {
    timed?.stop(at: LocalClock.now())
    alsa = nil
  }

  /// Writes frames in `format`; how many were taken.
  mutating func write(_ samples: UnsafeRawPointer, frames: Int) throws(OutputFailure) -> Int {
    if alsa == nil {
      return timed?.write(samples, frames: frames, at: LocalClock.now()) ?? 0
    }
    do throws(ALSAError) {
      return try alsa?.write(samples, frames: frames) ?? 0
    } catch {
      throw Self.failure(error)
    }
  }

  /// How much it holds, and when; nil when the reading was disturbed.
  mutating func status(framesWritten: Int64) throws(OutputFailure) -> DeviceStatus? {
    guard alsa != nil else {
      let now = LocalClock.now()
      return DeviceStatus(
        framesWritten: framesWritten, delayFrames: timed?.delay(at: now) ?? 0, stamp: now,
        uncertainty: .zero)
    }
    do throws(ALSAError) {
      guard let status = try alsa?.status() else { return nil }
      guard !status.isStopped else { throw ALSAError(code: -32, operation: "status", device: "") }
      return DeviceStatus(
        framesWritten: framesWritten, delayFrames: status.delayFrames, stamp: status.stamp,
        uncertainty: status.uncertainty)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func format(_ format: ALSASampleFormat) -> SampleFormat {
    switch format {
    case .float32: .float
    case .signed32: .s32
    case .signed24: .s24
    case .signed24Packed: .s24Packed
    case .signed16: .s16
    }
  }

  private static func failure(_ error: ALSAError) -> OutputFailure {
    error.isUnderrun || error.isSuspended ? .stopped : .lost("\(error)")
  }
}
