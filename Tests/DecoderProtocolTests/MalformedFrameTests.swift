// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

@Suite struct MalformedFrameTests {
  /// Bytes of a pipe and what the reader of replies must say to them.
  static let malformed: [(String, [UInt8], DecoderProtocolError)] = [
    ("unknown kind", [99, 0, 0, 0, 0, 0, 0, 0], .unknownMessage(kind: 99)),
    ("request where a reply belongs", [2, 0, 0, 0, 0, 0, 0, 0], .unknownMessage(kind: 2)),
    ("reserved byte set", [18, 0, 1, 0, 9, 0, 0, 0], .unknownMessage(kind: 18)),
    ("text of another program", Array("Segmentation fault".utf8), .unknownMessage(kind: 0x53)),
    ("far too long", [17, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], .tooLong(0xFFFF_FFFF)),
    ("one byte too long", [17, 0, 0, 0, 1, 0, 0x10, 0], .tooLong(1_048_577)),
    ("end without its frames", [18, 0, 0, 0, 1, 0, 0, 0, 0], .wrongLength),
    ("end with a byte more", frame(18, [0, 0, 0, 0, 0, 0, 0, 0, 0, 7]), .wrongLength),
    ("negative end", frame(18, [0, 0, 0, 0, 0, 0, 0, 0x80, 0]), .invalidField),
    ("unknown ending", frame(18, [0, 0, 0, 0, 0, 0, 0, 0, 9]), .invalidField),
    ("no samples", frame(17, []), .invalidField),
    ("half a stereo frame", frame(17, [0, 0, 0, 0]), .wrongLength),
    ("a text longer than its payload", frame(19, [1, 5, 0, 0x61]), .wrongLength),
    ("a text beyond the limit", frame(19, [1, 1, 0x10]), .invalidField),
    ("tags that end", frame(20, [0, 0, 0]), .wrongLength),
    ("a list too long", frame(20, [0, 0, 0, 0, 17]), .invalidField),
    ("a picture without width", frame(21, [0, 0, 1, 0, 0, 0, 0, 0]), .invalidField),
    ("a picture longer than its payload", frame(21, [1, 0, 1, 0, 2, 0, 0, 0, 9]), .wrongLength),
    ("a picture beyond the limit", frame(21, [1, 0, 1, 0, 0, 0, 0, 1]), .invalidField),
    ("a title without its artist", frame(22, [9]), .wrongLength),
    ("a title beyond the limit", frame(22, [1, 2]), .invalidField),
    ("a connection of another kind", frame(23, [2]), .invalidField),
    ("a lost connection without its time", frame(23, [1, 0, 0, 9]), .wrongLength),
  ]

  static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [kind, 0, 0, 0, UInt8(payload.count), 0, 0, 0] + payload
  }

  @Test(arguments: malformed)
  func `a malformed reply is refused`(
    name: String, bytes: [UInt8], error: DecoderProtocolError
  ) {
    var reader = DecoderReplyReader()
    reader.append(bytes.span)
    #expect(throws: error, "\(name)") { try reader.next() }
  }

  @Test func `a negative start frame is refused`() {
    var reader = DecoderRequestReader()
    reader.append(
      Self.frame(1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0]).span)
    #expect(throws: DecoderProtocolError.invalidField) { try reader.next() }
  }

  @Test(arguments: [0, 2_049])
  func `an edge out of range is refused`(edge: UInt16) {
    var reader = DecoderRequestReader()
    reader.append(Self.frame(5, [UInt8(edge & 255), UInt8(edge >> 8), 1, 0, 0x2F]).span)
    #expect(throws: DecoderProtocolError.invalidField) { try reader.next() }
  }

  @Test func `an unknown reason reads as other`() throws {
    var reader = DecoderReplyReader()
    reader.append(Self.frame(19, [200, 1, 0, 0x78]).span)
    #expect(try reader.next() == .failure(DecoderFailure(.other, "x")))
  }

  @Test(arguments: 0..<UInt64(40))
  func `random bytes never trap`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<500 {
      var replies = DecoderReplyReader()
      var requests = DecoderRequestReader()
      let bytes = plausibleBytes(&random)
      replies.append(bytes.span)
      requests.append(bytes.span)
      while let reply = try? replies.next() { #expect(encoded(reply).count <= 1_048_584) }
      while (try? requests.next()) != nil {}
    }
  }

  @Test(arguments: 0..<UInt64(20))
  func `a good stream with one byte changed never traps`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let good = DecoderMessageTests.replies.flatMap { encoded($0) }
    for _ in 0..<40 {
      var bytes = good
      // The first 200 bytes, or the last 800: those of the tags.
      let place = Int.random(in: 0..<1_000, using: &random)
      bytes[place < 200 ? place : bytes.count - 1_000 + place] = .random(
        in: 0...255, using: &random)
      var reader = DecoderReplyReader()
      reader.append(bytes.span)
      while (try? reader.next()) != nil {}
    }
  }

  /// A few frames of random payload, mostly with a known kind and a true length.
  private func plausibleBytes(_ random: inout SplitMix) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<3 {
      let payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let kinds: [UInt8] =
        Array(1...5) + Array(16...21) + [.random(in: 0...255, using: &random)]
      bytes += Self.frame(kinds[Int.random(in: kinds.indices, using: &random)], payload)
    }
    return bytes
  }
}

/// Steele and others' SplitMix64: small, seeded, the same everywhere.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
