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

  static let from = Option(
    "from", value: "N", parse: .integer(in: 1...100_000), help: "Begin with the Nth of the tracks.")
  static let next = Flag("next", help: "Put it behind the track that plays, which goes on.")
  static let last = Flag("last", help: "Put it at the end of the queue; what plays goes on.")
  static let before = Option(
    "before", value: "ITEM", parse: .text, help: "Put it in front of this item.")
  static let after = Option(
    "after", value: "ITEM", parse: .text, help: "Put it behind this item.")
  static let replace = Flag("replace", help: "Overwrite the playlist of this name.")

  static let full = Flag("full", help: "Read unchanged files again too.")
  static let words = Flag(
    "words", help: "Print what fits at the end of the words that follow; for the scripts.")

  static let output = Option(
    "output", short: "o", value: "FILE", parse: .text, completing: .files,
    help: "Where to write it; - is standard output.")

  /// What only the coordinator knows the words of.
  enum Subject {
    static let rooms = "rooms"
    static let groups = "groups"
    static let music = "music"
  }

  /// Commands whose turn comes later: they answer "not yet".
  static let later = [
    "latency", "channel", "limit", "group", "ungroup", "rename", "identify",
    "pair", "forget", "link", "login", "scene", "sleep", "announce", "devices",
    "backup", "restore",
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
      "play", summary: "Plays files, folders, URLs or music of the library; without any, goes on.",
      operands: .any(
        "[FILE|DIR|URL|album:NAME ...]", completing: .asked(Subject.music).or(.files)),
      options: [at, from, next, last],
      footer: """
        album:NAME, artist:, composer:, genre:, year:, playlist:, song:, station:NAME, songs: (all)
        name music of the library, in any case and without accents; a name that fits several
        things lists them, and album:id:N names one of them.
        """),
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
      "queue", summary: "Shows, lengthens, orders, saves or empties the queue.",
      operands: .any(
        "[list | add FILE ... | insert FILE ... | play ITEM | remove ITEM ... | ...]",
        completing: .words(
          "list", "add", "insert", "play", "remove", "move", "clear", "save", "load", "saved",
          "delete"), .files),
      options: [verbose, before, after, replace],
      footer: """
        queue [list]             The queue; -v shows identities too.
        queue add FILE ...       At the end, or --before or --after an ITEM.
        queue insert FILE ...    Behind the track that plays.
        queue play ITEM          Go to it.
        queue remove ITEM ...    Take it out.
        queue move ITEM ... PLACE
                                 PLACE: the number it shall have, next, or end; or --before, --after.
        queue clear              Empty it, and stop.
        queue save NAME          Keep it as a playlist; --replace overwrites one.
        queue load NAME          Replace it by a playlist.
        queue saved, queue delete NAME
                                 The playlists that were saved; forget one.
        ITEM: 3 or 3-5, numbers as listed; or id:17. When somebody else changes the queue in between,
        nothing is done.
        """),
    CommandDeclaration(
      "shuffle", summary: "Plays in a random order, or in the queue's own again.",
      operands: OperandDeclaration("[on|off]", count: 0...1, completing: .words("on", "off"))),
    CommandDeclaration(
      "repeat", summary: "What happens at the end: nothing, the queue again, the track again.",
      operands: OperandDeclaration(
        "[off|all|one]", count: 0...1, completing: .words("off", "all", "one"))),
    CommandDeclaration(
      "doctor",
      summary:
        "Looks at network, clocks, rights and disks, and says what to do; 1 if there is a problem."),
    CommandDeclaration(
      "report",
      summary: "Writes a file for a bug report, without names of music, hosts and folders.",
      options: [output]),
    CommandDeclaration(
      "library", summary: "What music the coordinator has.",
      operands: .any(
        "[songs | albums | album NAME | artists | search TEXT | ...]",
        completing: .words(
          "songs", "albums", "album", "artists", "composers", "genres", "years", "playlists",
          "playlist", "audiobooks", "podcasts", "stations", "search", "song", "rate", "scan",
          "failures"), .nothing),
      options: [full],
      footer: """
        library                  How much there is.
        library songs, albums [artist:NAME]
                                 All, or those of one artist:, composer:, genre: or year:; songs also
                                 of one album: or playlist:.
        library album NAME, song NAME, playlist NAME
                                 One of them opened; id:17 as listed where several have the name.
        library artists, composers, genres, years, playlists, audiobooks, podcasts, stations
        library search TEXT      In everything; the beginnings of words will do.
        library rate SONG STARS  1 to 5, or none.
        library scan             Look for new, changed and deleted music now, and follow it; Ctrl-C
                                 leaves the scan running. --full reads unchanged files again.
        library failures         The files that cannot be played, with reasons.
        """),
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
