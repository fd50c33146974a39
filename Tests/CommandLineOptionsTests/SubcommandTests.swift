// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CommandLineOptions
import Testing

@Suite struct SubcommandCommandLineOptionsTests {
  @Test func `options of the program stand before or after the command`() throws {
    for words in [["-v", "play", "a"], ["play", "-v", "a"], ["play", "a", "-v"]] {
      guard case .run(let given) = try Sample.client.parse(words) else {
        throw Sample.Unexpected()
      }
      #expect(given.command == "play")
      #expect(given.operands == ["a"])
      #expect(given[Sample.verbose])
    }
  }

  @Test func `options of a command belong to it alone`() throws {
    #expect(try Sample.run(Sample.client, "play", "--at", "1:30")[Sample.at] == "1:30")
    #expect(throws: CommandLineError.unknownOption("--at", suggestion: nil)) {
      try Sample.client.parse(["volume", "--at", "1:30"])
    }
  }

  @Test(arguments: ["-5", "-1:30", "-.5", "-0"])
  func `a negative number is an operand`(text: String) throws {
    #expect(try Sample.run(Sample.client, "volume", "kitchen", text).operands == ["kitchen", text])
    #expect(try Sample.run(Sample.client, "seek", text).operands == [text])
  }

  @Test func `a single dash is an operand`() throws {
    #expect(try Sample.run(Sample.client, "play", "-").operands == ["-"])
  }

  @Test func `two dashes end the options`() throws {
    let given = try Sample.run(Sample.client, "play", "--", "-v", "--at", "--")
    #expect(given.operands == ["-v", "--at", "--"])
    #expect(!given[Sample.verbose])
  }

  @Test func `a missing command is said`() {
    #expect(throws: CommandLineError.missingCommand) { try Sample.client.parse(["-v"]) }
  }

  @Test func `an unknown command is answered with a suggestion`() {
    #expect(throws: CommandLineError.unknownCommand("paly", suggestion: "play")) {
      try Sample.client.parse(["paly"])
    }
    #expect(throws: CommandLineError.unknownCommand("vol", suggestion: "volume")) {
      try Sample.client.parse(["vol"])
    }
  }

  @Test func `operands are counted`() {
    #expect(
      throws: CommandLineError.missingOperand(usage: "client [OPTIONS] seek [+|-]TIME")
    ) { try Sample.client.parse(["seek"]) }
    #expect(throws: CommandLineError.unexpectedOperand("6")) {
      try Sample.client.parse(["volume", "living", "room", "6"])
    }
  }
}

@Suite struct EnvironmentCommandLineOptionsTests {
  @Test func `the environment stands in for the command line`() throws {
    let environment = [
      "TUTTI_DAEMON_PORT": "81", "TUTTI_DAEMON_MUSIC": "a,b", "TUTTI_DAEMON_NO_NOISE": "yes",
      "TUTTI_DAEMON_VERBOSE": "0", "TUTTI_DAEMON_NAME": "",
    ]
    let given = try Sample.run(Sample.daemon, environment: environment)
    #expect(given[Sample.port] == 81)
    #expect(given.values(of: Sample.music) == ["a", "b"])
    #expect(given[Sample.quiet] && !given[Sample.verbose])
    #expect(!given.isGiven(Sample.name))
  }

  @Test func `the command line wins`() throws {
    let environment = ["TUTTI_DAEMON_PORT": "nonsense", "TUTTI_DAEMON_MUSIC": "a,b"]
    let given = try Sample.run(
      Sample.daemon, "--port", "82", "--music", "c", environment: environment)
    #expect(given[Sample.port] == 82)
    #expect(given.values(of: Sample.music) == ["c"])
  }

  @Test func `a mistake in the environment is named by its variable`() {
    #expect(
      throws: CommandLineError.invalidValue(
        source: "TUTTI_DAEMON_NO_NOISE", value: "maybe", reason: "must be 1 (yes) or 0 (no)")
    ) { try Sample.daemon.parse([], environment: ["TUTTI_DAEMON_NO_NOISE": "maybe"]) }
  }
}

@Suite struct HelpCommandLineOptionsTests {
  @Test func `help shows every option with its default`() throws {
    let text = try Sample.text(Sample.daemon, "--help")
    #expect(text.contains("Usage: daemon [OPTIONS]\n"))
    #expect(text.contains("\n  -p, --port PORT             A port. Default: 7700.\n"))
    #expect(text.contains("\n      --music DIR             A folder. May be repeated.\n"))
    #expect(text.contains("TUTTI_DAEMON_NAME=NAME"))
    #expect(text.hasSuffix("\n\nThe end."))
  }

  @Test func `long help is broken between words`() {
    let option = Flag("x", help: Array(repeating: "seven77", count: 20).joined(separator: " "))
    let program = CommandLineProgram(
      name: "p", version: "1", summary: "S.", environmentPrefix: "P", options: [option])
    let lines = program.helpText().split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    let indented = lines.filter { $0.hasPrefix(String(repeating: " ", count: 30) + "seven77") }
    #expect(indented.count == 3)
  }

  @Test func `help of a command is reached three ways`() throws {
    let text = try Sample.text(Sample.client, "help", "play")
    #expect(try text == Sample.text(Sample.client, "play", "--help"))
    #expect(try text == Sample.text(Sample.client, "-h", "play"))
    #expect(text.hasPrefix("Plays.\n\nUsage: client [OPTIONS] play [FILE ...]\n"))
    #expect(text.contains("Options of play:\n      --at TIME"))
    #expect(text.hasSuffix("Loud."))
  }

  @Test func `help of the program lists its commands`() throws {
    let text = try Sample.text(Sample.client, "help")
    #expect(text.contains("Usage: client [OPTIONS] COMMAND\n"))
    #expect(text.contains("\n  volume                      Louder or softer.\n"))
  }

  @Test func `the version is one line`() throws {
    #expect(try Sample.text(Sample.daemon, "--version") == "daemon 1.2")
  }

  @Test func `errors say what to try`() {
    #expect(
      CommandLineError.unknownOption("--prot", suggestion: "--port").description
        == "unknown option `--prot`; did you mean `--port`?")
    #expect(
      CommandLineError.invalidValue(source: "--port", value: "x", reason: "must be a number")
        .description == "`--port` is `x`, but must be a number")
  }
}
