// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing

/// The completion scripts, run by the shells themselves on the real program and a real house.
@Suite(.serialized) struct ShellCompletionTests {
  /// Keys that a person presses, and the command line that they make.
  static let lines: [(keys: String, line: String)] = [
    ("tutti vol\t", "tutti volume"),
    ("tutti --json pau\t", "tutti --json pause"),
    ("tutti volume liv\t40", "tutti volume Living\\ room 40"),
    ("tutti rooms --verb\t", "tutti rooms --verbose"),
    ("tutti rooms --log=kit\t", "tutti rooms --log=Kitchen"),
    ("tutti play musi\tsol\t", "tutti play music/solo.flac"),
    ("tutti-speaker --log-format j\t", "tutti-speaker --log-format json"),
    ("tutti-speaker --log-format=t\t", "tutti-speaker --log-format=text"),
  ]

  private let house: TestHouse

  init() throws {
    house = try TestHouse(rooms: ["Kitchen", "Living room"])
    let music = house.place.path("music/solo.flac")
    #expect(FileManager.default.createFile(atPath: music, contents: Data()))
    #expect(house.untilRoomsAppear(2))
  }

  @Test func `bash completes as one types`() throws {
    let start = """
      PS1='$ '; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'
      source <(tutti completion bash); source <(tutti-speaker --help-completion bash)
      """
    try type(in: "bash --norc --noprofile -i", after: start)
  }

  @Test func `zsh completes as one types`() throws {
    let start = """
      PS1='$ '; unsetopt beep zle_bracketed_paste prompt_cr; bindkey -e; autoload -U compinit; compinit -u -D
      source <(tutti completion zsh); source <(tutti-speaker --help-completion zsh)
      """
    try type(in: "zsh -f -i", after: start)
  }

  @Test func `fish offers what fits`() throws {
    let expected = [
      ("tutti vol", "volume"), ("tutti volume liv", "Living room"), ("tutti --json pau", "pause"),
      ("tutti rooms --log=kit", "--log=Kitchen"), ("tutti play music/so", "music/solo.flac"),
      ("tutti-speaker --log-format j", "json"),
    ]
    let script =
      "tutti completion fish | source; tutti-speaker --help-completion fish | source\n"
      + expected.map { "complete -C '\($0.0)'" }.joined(separator: "\n")
    let run = try shell("fish --no-config -c \"$SCRIPT\"", ["SCRIPT": script])
    #expect(run.exitCode(within: 60) == 0)
    let words = run.lines.map { $0.split(separator: "\t").first.map(String.init) ?? "" }
    for (_, word) in expected { #expect(words.contains(word), "\(word) in \(run.text)") }
  }

  @Test func `without a coordinator nothing is said and nothing is wrong`() throws {
    let run = try RunningProgram(
      "tutti", ["--server", "unix:/nowhere", "completion", "--words", "--", "volume", "k"])
    #expect(run.exitCode() == 0)
    #expect(run.text == "")
  }

  /// Types the lines in a shell on a terminal of its own, turns each into text and compares.
  private func type(in command: String, after start: String) throws {
    // Ctrl-A and Ctrl-E are the line's ends in both shells.
    let typed = Self.lines.map { $0.keys + "\u{1}echo 'LINE<\u{5}>'\n" }.joined()
    // A key at a time, as people do; a shell that got them all at once would not see the tabs.
    let run = try shell(
      "printf '%s' \"$KEYS\" | { while IFS= read -r -N1 key; do printf '%s' \"$key\"; done; sleep 1; } "
        + "| script -qec '\(command)' /dev/null", ["KEYS": start + "\n" + typed + "exit\n"])
    #expect(run.exitCode(within: 60) != nil, "\(run.text)")
    let found = run.lines.compactMap { text -> String? in
      guard let at = text.range(of: "LINE<"), !text.contains("echo") else { return nil }
      return text[at.upperBound...].prefix { $0 != ">" }.trimmingCharacters(in: .whitespaces)
    }
    for (_, line) in Self.lines { #expect(found.contains(line), "\(line) in \(run.text)") }
  }

  private func shell(_ command: String, _ more: [String: String]) throws -> RunningProgram {
    let path =
      RunningProgram.folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let server = "unix:" + house.place.path("coordinator/control.sock")
    let settings = [
      "PATH": path, "TUTTI_SERVER": server, "HOME": house.place.url.path, "TERM": "dumb",
      "LANG": "C.UTF-8", "INPUTRC": "/dev/null",
    ]
    return try RunningProgram(
      at: "/bin/bash", ["-c", "cd \"$HOME\"; " + command],
      environment: settings.merging(more) { $1 })
  }
}
