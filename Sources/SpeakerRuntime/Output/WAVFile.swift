// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import Glibc
internal import RealtimeAudio

// RIFF/WAVE, 48 kHz stereo: 16-bit PCM or 32-bit float ("WAVE_FORMAT_EXTENSIBLE" is not needed for two
// channels; format tags 1 and 3 of the Microsoft RIFF specification are).
//
//   "RIFF" size "WAVE"   "fmt " 16 tag ch rate bytes/s block bits   "data" size   samples

/// Writes a WAV file whose sizes are right at every second, so that a killed speaker leaves a good one.
struct WAVFile: ~Copyable {
  /// Bytes before the samples.
  private static let headerBytes = 44
  /// Sizes are 32 bits: past 4 GiB (6 h of 16 bits) the samples go on and the sizes stay.
  private static let sizeLimit = Int64(UInt32.max) - 44
  /// Frames between two corrections of the sizes: one second.
  private static let patchInterval: Int64 = 48_000

  let format: SampleFormat
  private let descriptor: Int32
  private var dataBytes: Int64 = 0
  private var framesSincePatch: Int64 = 0

  /// Creates or empties the file.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - format: `.float` or `.s16`.
  /// - Throws: `ProcessError` when it cannot be written.
  init(path: String, format: SampleFormat) throws(ProcessError) {
    self.format = format
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ProcessError(
        "cannot write \(path)", code: errno, advice: "give a file in a folder you may write to")
    }
    patchHeader()
  }

  deinit {
    patchHeader()
    close(descriptor)
  }

  private var bytesPerFrame: Int { 2 * format.bytesPerSample }

  /// Appends frames in the file's format.
  mutating func append(_ samples: UnsafeRawPointer, frames: Int) {
    writeAll(samples, frames * bytesPerFrame)
    dataBytes += Int64(frames * bytesPerFrame)
    framesSincePatch += Int64(frames)
    if framesSincePatch >= Self.patchInterval {
      framesSincePatch = 0
      patchHeader()
    }
  }

  /// Appends silence.
  mutating func appendSilence(frames: Int64) {
    // At most a second at a time: a room that was idle for a day still needs little memory.
    let zeros = [UInt8](repeating: 0, count: Int(Self.patchInterval) * bytesPerFrame)
    var left = frames
    while left > 0 {
      let part = Int(min(left, Self.patchInterval))
      zeros.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { append(start, frames: part) }
      }
      left -= Int64(part)
    }
  }

  /// Takes back frames that were appended and never heard.
  mutating func removeLast(frames: Int64) {
    dataBytes = max(0, dataBytes - frames * Int64(bytesPerFrame))
    ftruncate(descriptor, off_t(Self.headerBytes) + off_t(dataBytes))
    lseek(descriptor, 0, SEEK_END)
  }

  private func writeAll(_ bytes: UnsafeRawPointer, _ count: Int) {
    var done = 0
    while done < count {
      let written = write(descriptor, bytes + done, count - done)
      // A full disk ends the recording, not the room.
      guard written > 0 || errno == EINTR else { return }
      done += max(0, written)
    }
  }

  private func patchHeader() {
    var header: [UInt8] = []
    func text(_ word: String) { header += Array(word.utf8) }
    func number(_ value: Int, bytes: Int) {
      for index in 0..<bytes { header.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    let size = Int(min(dataBytes, Self.sizeLimit))
    text("RIFF")
    number(Self.headerBytes - 8 + size, bytes: 4)
    text("WAVEfmt ")
    number(16, bytes: 4)
    number(format == .float ? 3 : 1, bytes: 2)
    number(2, bytes: 2)
    number(SimulatedCard.rate, bytes: 4)
    number(SimulatedCard.rate * bytesPerFrame, bytes: 4)
    number(bytesPerFrame, bytes: 2)
    number(8 * format.bytesPerSample, bytes: 2)
    text("data")
    number(size, bytes: 4)
    _ = header.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    if dataBytes == 0 { lseek(descriptor, off_t(Self.headerBytes), SEEK_SET) }
  }
}
