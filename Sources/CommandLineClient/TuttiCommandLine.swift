// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions

/// The words `tutti` understands.
enum TuttiCommandLine {
  static let server = Option(
    "server", value: "ADDRESS", parse: .text,
    completing: .words("unix:", "http://localhost:7700"),
    help: "The coordinator: unix:PATH, http://HOST:PORT or https://HOST:PORT.")
  static let group = Option(
    "group", value: "GROUP", parse: .text, completing: .asked(Subject.groups),
    help: "The group, by name or id; there is one for now.")
  static let json = Flag("json", help: "Print one stable JSON document.")
  static let watch = Flag("watch", short: "w", help: "Go on showing changes until Ctrl-C.")
  static let verbose = Flag("verbose", short: "v", help: "Show every measurement.")
  static let log = Option(
    "log", value: "ROOM", parse: .text, completing: .asked(Subject.rooms),
    help: "Show what happened to a room in the last hour.")
  static let at = Option("at", value: "TIME", parse: .text, help: "Start there: 90, 1:30, 1:02:03.")

  static let words = Flag(
    "words", help: "Print what fits at the end of the words that follow; for the scripts.")

  /// What only the coordinator knows the words of.
  enum Subject {
    static let rooms = "rooms"
    static let groups = "groups"
  }

  /// Commands whose turn comes later: they answer "not yet".
  static let later = [
    "shuffle", "repeat", "latency", "channel", "limit", "group", "ungroup", "rename", "identify",
    "pair", "forget", "link", "login", "library", "scene", "sleep", "announce", "devices",
    "doctor", "report", "backup", "restore",
  ]

  static let program = CommandLineProgram(
    name: "tutti", version: tuttiVersion, summary: "Plays music in every room, in time.",
    environmentPrefix: "TUTTI", options: [server, group, json],
    commands: now
      + later.map {
        var command = CommandDeclaration($0, summary: "Not yet.", operands: .any("..."))
        command.isPlanned = true
        return command
      },
    footer: """
      Without --server and TUTTI_SERVER the coordinator on this machine is asked.
      Exit codes: 0 ok, 1 failed, 2 usage, 3 cannot reach, 4 not permitted.
      """, manual: TuttiManual.manual)

  private static let now = [
    CommandDeclaration("status", summary: "What plays, where and how well.", options: [watch]),
    CommandDeclaration(
      "rooms", summary: "The rooms of the house, and how well they are in time.",
      options: [verbose, log]),
    CommandDeclaration(
      "play", summary: "Plays files, folders or URLs; without any, goes on.",
      operands: .any("[FILE|DIR|URL ...]", completing: .files), options: [at]),
    CommandDeclaration("pause", summary: "Silence, keeping the place."),
    CommandDeclaration("resume", summary: "Goes on at the very sample."),
    CommandDeclaration("toggle", summary: "Pauses or resumes."),
    CommandDeclaration("stop", summary: "Silence, and back to the start of the queue."),
    CommandDeclaration("next", summary: "The next track."),
    CommandDeclaration("previous", summary: "This track from its start, or the one before."),
    CommandDeclaration(
      "seek", summary: "Moves within the track.",
      operands: OperandDeclaration("[+|-]TIME", count: 1...1)),
    CommandDeclaration(
      "volume", summary: "Shows or sets a volume of 0 to 100.",
      operands: OperandDeclaration(
        "[ROOM|group] [N|+N|-N]", count: 0...2,
        completing: .asked(Subject.rooms).or(.words("group")),
        .nothing)),
    CommandDeclaration(
      "mute", summary: "Silences a room or all.",
      operands: OperandDeclaration("[ROOM]", count: 0...1, completing: .asked(Subject.rooms))),
    CommandDeclaration(
      "unmute", summary: "Ends that.",
      operands: OperandDeclaration("[ROOM]", count: 0...1, completing: .asked(Subject.rooms))),
    CommandDeclaration(
      "queue", summary: "Shows, lengthens or empties the queue.",
      operands: .any(
        "[list | add FILE ... | clear]", completing: .words("list", "add", "clear"), .files)),
    CommandDeclaration(
      "completion", summary: "Prints the script that lets a shell complete tutti's words.",
      operands: .any("bash|zsh|fish", completing: .words("bash", "zsh", "fish"), .nothing),
      options: [words],
      footer: """
        bash:  tutti completion bash > ~/.local/share/bash-completion/completions/tutti
        zsh:   tutti completion zsh > "${fpath[1]}/_tutti"
        fish:  tutti completion fish > ~/.config/fish/completions/tutti.fish
        """),
  ]
}
