// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ALSAOutput
internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import RealtimeAudio

/// What `--list-outputs` and errors about outputs tell.
enum OutputList {
  /// One output a line, with what the driver says it is.
  static func text() -> String {
    let cards = devices().map { "alsa:\($0.name)\n    \($0.summary)" }
    let built = [
      "null\n    nowhere, in time (for tests, and hosts without a sound card)",
      "wav:FILE\n    a WAV file of 16 bits, in time (wav-float:FILE for 32-bit float)",
    ]
    return (cards + built).joined(separator: "\n")
  }

  /// What alsa-lib names, without its `null`, which swallows at once and keeps no time.
  private static func devices() -> [ALSAOutputDescription] {
    ALSAOutputDescription.all().filter { $0.name != "null" }
  }

  /// Refuses an ALSA output that is not there, and tells what is.
  ///
  /// - Parameter selection: What the user asked for.
  /// - Throws: `ProcessError` when the device does not exist. One that is busy is waited for.
  static func check(_ selection: OutputSelection) throws(ProcessError) {
    guard case .alsa(let name) = selection else { return }
    do throws(ALSAError) {
      _ = try ALSADevice(name: name)
    } catch {
      guard error.isMissing else { return }
      let names = devices().map { "alsa:\($0.name)" }
      let list = names.isEmpty ? "this host has none" : "there is \(names.joined(separator: ", "))"
      throw ProcessError(
        "there is no ALSA device '\(name)'; \(list)",
        advice: "give one of them with --output, or --output null to play nowhere")
    }
  }
}

/// What `--test-tone` does: a second of 440 Hz left, one right, one both.
enum TestTone {
  /// -20 dBFS: heard, hurts nobody.
  static let level = 0.1
  static let pitch = 440.0

  /// Plays the tone and returns when it has been heard.
  ///
  /// - Parameter selection: Where to.
  /// - Throws: `ProcessError` when the output does not play.
  static func play(on selection: OutputSelection) throws(ProcessError) {
    try OutputList.check(selection)
    var device = try OutputDevice(selection, simulated: PartsPerMillion(0))
    do throws(OutputFailure) {
      try device.open()
      try feed(&device)
    } catch {
      guard case .lost(let words) = error else { throw ProcessError("the output stopped") }
      throw ProcessError(words)
    }
  }

  private static func feed(_ device: inout OutputDevice) throws(OutputFailure) {
    let rate = device.rate
    let block = rate / 100
    var converter = SampleConverter(format: device.format)
    var samples = [Float](repeating: 0, count: 2 * block)
    var bytes = [UInt8](repeating: 0, count: 8 * block)
    var phase = 0.0
    for index in 0..<310 {
      for frame in 0..<block {
        phase += pitch / Double(rate)
        let value = Float(level * triangleSine(phase))
        // The last tenth of a second is silence, so that nothing is cut.
        samples[2 * frame] = index < 300 && index / 100 != 1 ? value : 0
        samples[2 * frame + 1] = index < 300 && index / 100 != 0 ? value : 0
      }
      samples.withUnsafeBufferPointer { source in
        bytes.withUnsafeMutableBytes { target in
          guard let source = source.baseAddress, let target = target.baseAddress else { return }
          converter.convert(source, count: 2 * block, into: target)
        }
      }
      try write(bytes, frames: block, to: &device)
      if index == 3 { try device.start() }
    }
    LocalClock.sleep(until: LocalClock.now() + .milliseconds(50))
    device.close()
  }

  private static func write(
    _ bytes: [UInt8], frames: Int, to device: inout OutputDevice
  ) throws(OutputFailure) {
    let bytesPerFrame = 2 * device.format.bytesPerSample
    var done = 0
    while done < frames {
      let result = bytes.withUnsafeBytes { raw in
        raw.baseAddress.map { start in
          Result { () throws(OutputFailure) in
            try device.write(start + done * bytesPerFrame, frames: frames - done)
          }
        }
      }
      done += try result?.get() ?? 0
      if done < frames { LocalClock.sleep(until: LocalClock.now() + .milliseconds(5)) }
    }
  }

  /// The sine of `turns` of a circle, to 0.1 % (Bhaskara's formula): no libm for a test tone.
  private static func triangleSine(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    let half = part < 0.5 ? part : part - 0.5
    let product = 4 * half * (0.5 - half) * 4
    let sine = 4 * product / (5 - product)
    return part < 0.5 ? sine : -sine
  }
}
