// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Foundation
import Testing

@testable import ALSAOutput

/// Serialised: which cards there are is the process's environment.
@Suite(.serialized) struct ALSADeviceTests {
  @Test func `an unknown device is refused with its name and what to try`() {
    let error = #expect(throws: ALSAError.self) {
      _ = try ALSADevice(name: "no-such-pcm")
    }
    #expect(error?.isMissing == true)
    #expect(error?.description.contains("no-such-pcm") == true)
    #expect(error?.description.contains("--list-outputs") == true)
  }

  @Test func `the null device opens, takes frames and reports a delay`() throws {
    var device = try ALSADevice(name: "null")
    #expect(device.configuration.rate == 48_000)
    #expect(device.configuration.format == .float32)
    let silence = [Float](repeating: 0, count: 960)
    let written = try silence.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return try device.write(base, frames: 480)
    }
    #expect(written == 480)
    try device.start()
    _ = try device.status()
    try device.restart()
  }

  @Test(arguments: [44_100, 48_000, 88_200, 96_000, 192_000])
  func `a card of one rate is opened at that rate`(rate: Int) throws {
    let card = try VirtualCardFolder("rate \(rate)")
    let device = try ALSADevice(name: card.name)
    #expect(device.configuration.rate == rate)
    #expect(device.configuration.format == .float32)
    // Room for the 50 ms kept in it, and as much again for a late wake-up.
    #expect(device.configuration.bufferFrames >= rate / 10)
  }

  @Test(arguments: ALSASampleFormat.allCases)
  func `a card of one format is opened with it, takes a block and plays it`(
    format: ALSASampleFormat
  ) throws {
    let words: [ALSASampleFormat: String] = [
      .float32: "FLOAT_LE", .signed32: "S32_LE", .signed24: "S24_LE",
      .signed24Packed: "S24_3LE", .signed16: "S16_LE",
    ]
    let card = try VirtualCardFolder("format \(words[format] ?? "")")
    var device = try ALSADevice(name: card.name)
    #expect(device.configuration.format == format)
    let block = [UInt8](repeating: 0, count: 480 * 2 * format.bytesPerSample)
    let written = try block.withUnsafeBytes { bytes in
      try bytes.baseAddress.map { try device.write($0, frames: 480) } ?? 0
    }
    #expect(written == 480)
    try device.start()
    let status = try device.status()
    #expect((status?.delayFrames ?? 480) <= 480)
    #expect(card.logged.contains("format \(words[format] ?? "?") channels 2 rate 48000"))
  }
}
