// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import Testing

@testable import CoordinatorRuntime

/// What a source gave after its samples.
enum Outcome: Equatable {
  case end(DecoderEnd)
  case failure(DecoderFailure)
}

/// Reads a source to its end or failure.
func readAll(_ source: any PCMSource) -> (samples: [Float], outcome: Outcome) {
  var samples: [Float] = []
  while true {
    switch source.next() {
    case .samples(let more): samples += more
    case .title, .connection: continue
    case .end(let end): return (samples, .end(end))
    case .failure(let failure): return (samples, .failure(failure))
    }
  }
}

/// A file under /tmp for one test, removed after it.
class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    var template = Array("/tmp/tutti-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { close(descriptor) }
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  deinit { unlink(path) }

  var location: MediaLocation { .file(path: path) }
}

/// A WAV file at 48 kHz whose every frame differs from its neighbours.
final class TonesFile: TemporaryFile {
  let samples: [Float]

  init(frames: Int) throws {
    let values = (0..<frames * 2).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    samples = values.map { Float($0) / 32_768 }
    let length = values.count * 2
    var bytes = Array("RIFF".utf8) + Self.little(36 + length) + Array("WAVEfmt ".utf8)
    bytes += Self.little(16) + [1, 0, 2, 0] + Self.little(48_000) + Self.little(192_000)
    bytes += [4, 0, 16, 0] + Array("data".utf8) + Self.little(length)
    for value in values { bytes += Self.little(Int(value)).prefix(2) }
    try super.init(bytes)
  }

  private static func little(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// A shell that plays the decoder.
func decoder(playedBy script: String) -> DecoderProgram {
  DecoderProgram(path: "/bin/sh", arguments: ["-c", script])
}
