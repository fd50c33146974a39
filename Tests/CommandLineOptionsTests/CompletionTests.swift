// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CommandLineOptions
import Testing

@Suite struct CompletionTests {
  private static let program = CommandLineProgram(
    name: "client", version: "1", summary: "Asks.", environmentPrefix: "CLIENT",
    options: [
      Option(
        "colour", short: "c", value: "COLOUR", parse: .choice as ValueParser<Sample.Colour>,
        help: "A colour."),
      Option(
        "music", value: "DIR", repeatable: true, parse: .text, completing: .folders, help: "F."),
      Flag("json", help: "JSON."),
    ],
    commands: [
      CommandDeclaration(
        "play", summary: "Plays.", operands: .any("[FILE ...]", completing: .files),
        options: [Option("at", value: "TIME", parse: .text, help: "Start.")]),
      CommandDeclaration("pause", summary: "Silence."),
      CommandDeclaration(
        "volume", summary: "Louder.",
        operands: OperandDeclaration(
          "[ROOM] [N]", count: 0...2, completing: .asked("rooms").or(.words("group")), .nothing)),
    ])

  private func words(_ line: String...) -> [String] { answer(line).candidates.map(\.word) }

  private func answer(_ line: [String]) -> CompletionAnswer {
    Self.program.completions(of: line) { subject in
      subject == "rooms" ? [.init("Kitchen"), .init("Living room"), .init("Loft")] : []
    }
  }

  @Test func `the first word is a command`() {
    #expect(words("") == ["play", "pause", "volume", "help"])
    #expect(words("pa") == ["pause"])
    #expect(words("--json", "vol") == ["volume"])
    #expect(words("help", "p") == ["play", "pause"])
  }

  @Test func `options are the program's and the command's, each once unless it may be repeated`() {
    #expect(words("-") == ["--colour", "--music", "--json", "--help", "--version"])
    #expect(
      words("--json", "--music", "/a", "play", "--") == [
        "--colour", "--music", "--at", "--help", "--version",
      ])
  }

  @Test func `a value is completed in each way of writing it`() {
    #expect(words("--colour", "") == ["red", "green"])
    #expect(words("-c", "gr") == ["green"])
    #expect(words("--colour=r") == ["--colour=red"])
    #expect(answer(["--music", ""]).files == .folders)
    #expect(answer(["--music=/s"]).files == .folders)
  }

  @Test func `an option behind another's missing value is an option`() {
    #expect(words("--colour", "--j") == ["--json"])
  }

  @Test func `operands come from the running program, whatever their case`() {
    #expect(words("volume", "l") == ["Living room", "Loft"])
    #expect(words("volume", "") == ["Kitchen", "Living room", "Loft", "group"])
    #expect(words("volume", "Loft", "") == [])
    #expect(words("volume", "Loft", "5", "") == [])
    #expect(answer(["play", "a", "b", ""]).files == .files)
  }

  @Test func `after two dashes nothing is an option`() {
    #expect(answer(["play", "--", "--a"]).files == .files)
    #expect(words("play", "--", "--a") == [])
  }

  @Test(arguments: [["nonsense", ""], ["--nonsense", ""], ["-", ""], ["--=", ""], [""], []])
  func `nothing that can be typed traps`(line: [String]) { _ = answer(line) }

  @Test func `what a script gets is a line a word`() {
    var answer = CompletionAnswer()
    answer.candidates = [.init("play", help: "Plays."), .init("Loft"), .init("a\nb")]
    answer.files = .folders
    #expect(answer.text == "play\tPlays.\nLoft\n\tfolders")
  }

  @Test func `every program answers the scripts and writes them`() throws {
    #expect(try Sample.text(Sample.daemon, "--help-words", "--colour", "g") == "green")
    for shell in CompletionShell.allCases {
      let script = try Sample.text(Sample.daemon, "--help-completion", shell.rawValue)
      #expect(script.contains("daemon --help-words"))
      #expect(!script.contains("@ASK@"))
    }
    #expect(try Sample.text(Sample.daemon, "--help-completion").contains("bash, zsh, fish"))
  }
}

@Suite struct ManualPageTests {
  @Test func `a page has what the tables have`() throws {
    let page = try Sample.text(Sample.daemon, "--help-man")
    let lines = page.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix(".TH DAEMON 1 ") == true)
    for line in [
      "daemon \\- Does things", ".SH OPTIONS", "\\fB\\-p\\fR, \\fB\\-\\-port\\fR \\fIPORT\\fR",
      "A port. Default: 7700.", "A folder. May be repeated.", "\\fBTUTTI_DAEMON_NO_NOISE\\fR",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func `commands come with their options and examples`() {
    let page = Sample.client.manualPage()
    #expect(page.contains("\\fBplay\\fR \\fI[FILE ...]\\fR\nPlays.\n.RS\n"))
    #expect(page.contains("\\fB\\-\\-at\\fR \\fITIME\\fR"))
  }

  @Test func `text cannot become a request or an escape`() {
    var program = Sample.daemon
    program.manual.description = [".so /etc/passwd", "'x", "a\\b \u{E9}\u{1F3B5}"]
    let page = program.manualPage()
    #expect(page.contains("\n\\&.so /etc/passwd\n"))
    #expect(page.contains("\n\\&'x\n"))
    #expect(page.contains("a\\eb \\[u00E9]\\[u1F3B5]"))
    #expect(page.unicodeScalars.allSatisfy { $0.isASCII })
  }
}
