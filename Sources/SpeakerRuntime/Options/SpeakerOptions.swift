// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import DaemonProcess

/// The command line of `tutti-speaker` (design.md section 3: others script it).
enum SpeakerOptions {
  enum Pairing: String, CaseIterable, Sendable { case window, confirm, secret, automatic }

  static let stateDirectory = Option(
    "state-dir", value: "DIR", parse: .text, completing: .folders,
    help: "Where name, volume and identity are kept; one speaker per directory.")
  static let name = Option(
    "name", value: "ROOM", parse: .text, help: "The room's name; the host's name at first.")
  static let output = DefaultedOption(
    "output", value: "OUTPUT", default: OutputSelection.alsa("default"),
    parse: ValueParser { (text) throws(ValueParser<OutputSelection>.Refusal) in
      guard let selection = OutputSelection(text) else {
        throw .init("must be `alsa:PCM`, `null`, `wav:FILE` or `wav-float:FILE`")
      }
      return selection
    }, completing: .words("alsa:default", "null", "wav:", "wav-float:"),
    help: "Where the sound goes: alsa:PCM, null, wav:FILE or wav-float:FILE.")
  static let mixer = DefaultedOption(
    "mixer", value: "MIXER", default: "software", parse: .text,
    help: "What sets the volume: software or alsa:CONTROL.")
  static let listen = DefaultedOption(
    "listen", value: "ADDR", default: "::", shown: "every address", parse: .text,
    help: "The address to listen on.")
  static let port = DefaultedOption(
    "port", value: "PORT", default: 7_701, parse: .integer(in: 1...65_535),
    help: "The TCP and UDP port.")
  static let pair = Option<Pairing>(
    "pair", value: "HOW", parse: .choice, help: "How to pair: window, confirm, secret, automatic.")
  static let pairSecretFile = Option(
    "pair-secret-file", value: "FILE", parse: .text, completing: .files,
    help: "The secret for --pair secret.")
  static let noZeroconf = Flag("no-zeroconf", help: "Do not announce the room on the network.")
  static let listOutputs = Flag("list-outputs", help: "List the outputs of this host and leave.")
  static let testTone = Flag("test-tone", help: "Play a tone left, then right, and leave.")
  static let resetPairing = Flag("reset-pairing", help: "Forget the coordinator.")
  static let logLevel = DefaultedOption(
    "log-level", value: "LEVEL", default: LogLevel.info, shown: "info",
    parse: ValueParser(words: LogLevel.words) { (text) throws(ValueParser<LogLevel>.Refusal) in
      guard let level = LogLevel(name: text) else {
        throw .init("must be error, warning, notice, info or debug")
      }
      return level
    }, help: "How much to log: error, warning, notice, info or debug.")
  static let logFormat = DefaultedOption(
    "log-format", value: "FORMAT", default: LogFormat.text, shown: "text", parse: .choice,
    help: "How to log: text or json.")

  static let program = CommandLineProgram(
    name: "tutti-speaker", version: tuttiVersion,
    summary: "Plays one room's share of the music, in time with every other room.",
    environmentPrefix: "TUTTI_SPEAKER",
    options: [
      stateDirectory, name, output, mixer, listen, port, pair, pairSecretFile, noZeroconf,
      listOutputs, testTone, resetPairing, logLevel, logFormat,
    ],
    footer: """
      Examples:
        tutti-speaker --name Kitchen --output alsa:default
        tutti-speaker --name Attic --output null --port 7702 --state-dir /tmp/attic
      """,
    manual: Manual(
      section: 8,
      description: [
        "It announces the room, is called by tutti-coordinator(8), holds some seconds of music against "
          + "outages of the network, and plays each sample when it is due, whatever the clocks of the "
          + "host and of the card do. Its first volume ever is at most 25.",
        "One port is used for TCP and UDP. Without the right to real-time scheduling it plays too, "
          + "only less safely on a busy host.",
      ],
      files: [
        .init(
          "STATE_DIR",
          "Name, volume and identity: --state-dir; else $STATE_DIRECTORY, else "
            + "$XDG_STATE_HOME/tutti-speaker, else ~/.local/state/tutti-speaker.")
      ],
      exitCodes: [
        .init("0", "Stopped in good order (SIGTERM, SIGINT)."),
        .init("1", "Failed; the log says why."),
        .init("2", "The command line cannot be obeyed."),
      ], seeAlso: ["tutti(1)", "tutti-coordinator(8)", "aplay(1)", "avahi-daemon(8)"]))
}
