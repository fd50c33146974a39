// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CommandLineOptions
import Testing

@Suite struct CommandLineOptionsTests {
  @Test func `nothing given leaves defaults`() throws {
    let given = try Sample.run(Sample.daemon)
    #expect(given[Sample.name] == nil)
    #expect(given[Sample.port] == 7700)
    #expect(given.values(of: Sample.music).isEmpty)
    #expect(!given[Sample.quiet])
    #expect(!given.isGiven(Sample.port))
  }

  @Test(arguments: [
    ["--port", "80"], ["--port=80"], ["-p", "80"], ["-p80"], ["-vp80"], ["-qvp", "80"],
    ["--port", "9", "--port", "80"],
  ])
  func `a value is accepted in every spelling`(words: [String]) throws {
    guard case .run(let given) = try Sample.daemon.parse(words) else { throw Sample.Unexpected() }
    #expect(given[Sample.port] == 80)
    #expect(given.isGiven(Sample.port))
  }

  @Test func `repeated options keep their order`() throws {
    let given = try Sample.run(Sample.daemon, "--music", "b", "--music=a", "--music", "c=d")
    #expect(given.values(of: Sample.music) == ["b", "a", "c=d"])
  }

  @Test func `clustered flags are separate flags`() throws {
    let given = try Sample.run(Sample.daemon, "-qv")
    #expect(given[Sample.quiet] && given[Sample.verbose])
  }

  @Test func `typed values are read`() throws {
    let given = try Sample.run(Sample.daemon, "--colour", "green", "--gain", "-6.5")
    #expect(given[Sample.colour] == .green)
    #expect(given[Sample.gain] == -6.5)
  }

  @Test func `a value may be empty only where text may be`() {
    #expect(throws: CommandLineError.self) { try Sample.daemon.parse(["--name="]) }
  }

  @Test func `a value that starts with a dash needs the equals sign`() throws {
    #expect(try Sample.run(Sample.daemon, "--name=-x")[Sample.name] == "-x")
    #expect(throws: CommandLineError.missingValue(option: "--name", valueName: "NAME")) {
      try Sample.daemon.parse(["--name", "--port", "80"])
    }
    #expect(throws: CommandLineError.missingValue(option: "-n", valueName: "NAME")) {
      try Sample.daemon.parse(["-n"])
    }
  }

  @Test func `a flag takes no value`() {
    #expect(throws: CommandLineError.unexpectedValue(option: "--verbose", value: "2")) {
      try Sample.daemon.parse(["--verbose=2"])
    }
  }

  @Test(arguments: ["0", "65536", "x", "", "8 0", "80.5"])
  func `a value out of range is named with its reason`(text: String) {
    let expected = CommandLineError.invalidValue(
      source: "--port", value: text, reason: "must be a whole number from 1 to 65535")
    #expect(throws: expected) { try Sample.daemon.parse(["--port", text]) }
  }

  @Test func `choices are listed`() {
    let expected = CommandLineError.invalidValue(
      source: "--colour", value: "blue", reason: "must be one of `red`, `green`")
    #expect(throws: expected) { try Sample.daemon.parse(["--colour", "blue"]) }
  }

  @Test(arguments: [
    ("--prot", "--port"), ("--musci", "--music"), ("--colur", "--colour"), ("--verb", "--verbose"),
    ("--hepl", "--help"), ("--zzzzzz", nil), ("--Port", "--port"),
  ])
  func `a slip is answered with a suggestion`(typed: String, meant: String?) {
    #expect(throws: CommandLineError.unknownOption(typed, suggestion: meant)) {
      try Sample.daemon.parse([typed])
    }
  }

  @Test func `operands are refused where none are taken`() {
    #expect(throws: CommandLineError.unexpectedOperand("x")) { try Sample.daemon.parse(["x"]) }
    #expect(throws: CommandLineError.unexpectedOperand("--port")) {
      try Sample.daemon.parse(["--", "--port"])
    }
  }

  @Test func `an unknown letter is named`() {
    #expect(throws: CommandLineError.unknownOption("-x", suggestion: nil)) {
      try Sample.daemon.parse(["-vx"])
    }
  }

  @Test func `random words never trap`() {
    var generator = SeededGenerator(state: 7)
    let pieces = ["-", "--", "=", "port", "p", "5", "é", "", "music", " ", "\n", "v", "help"]
    for _ in 0..<5_000 {
      let words = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          pieces.randomElement(using: &generator) ?? ""
        }.joined()
      }
      _ = try? Sample.daemon.parse(words)
      _ = try? Sample.client.parse(words)
    }
  }
}

/// SplitMix64, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
