// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import DaemonProcess
internal import House

/// The command line of `tutti-coordinator` (others script it: names stay).
enum CoordinatorOptions {
  enum Pairing: String, CaseIterable, Sendable { case confirm, automatic }

  static let stateDirectory = Option(
    "state-dir", value: "DIR", parse: .text, completing: .folders,
    help: "Where queue, rooms, clock and identity are kept; one coordinator per directory.")
  static let music = Option(
    "music", value: "DIR", repeatable: true, parse: .text, completing: .folders,
    help: "A folder of the library, whose files may be played; may be given several times.")
  static let rescanInterval = DefaultedOption(
    "rescan-interval", value: "MINUTES", default: 15, parse: .integer(in: 0...10_080),
    help: "How often folders on network drives are scanned; others are watched. 0: never.")
  static let name = Option(
    "name", value: "NAME", parse: .text, help: "The house's name; this host's name by default.")
  static let listen = DefaultedOption(
    "listen", value: "ADDR", default: "::", shown: "every address", parse: .text,
    help: "The address that speakers reach this host at, for the stream and the clock.")
  static let port = DefaultedOption(
    "port", value: "PORT", default: 7_700, parse: .integer(in: 1...65_535),
    help: "The UDP port of stream and clock, and the TCP port of the API on this host.")
  static let speaker = Option(
    "speaker", value: "HOST[:PORT]", repeatable: true, parse: .text,
    help: "A speaker to call, for networks without multicast; may be given several times.")
  static let input = Option(
    "input", value: "NAME=pipe:PATH[,delay=D][,rate=HZ]", repeatable: true, parse: .text,
    help: "A live input, played by 'tutti play input:NAME': raw 16 bit little-endian stereo from a "
      + "named pipe, which is made if it is not there. delay: adaptive (200 ms to 2 s, the default), "
      + "low (about 60 ms, wired rooms only), or milliseconds; rate: 48000 by default.")
  static let playoutDelay = DefaultedOption(
    "playout-delay", value: "MS", default: 6_000, parse: .integer(in: 200...30_000),
    help: "How much music the rooms hold against outages; buttons do not wait for it. When it is "
      + "given, it holds for live inputs too.")
  static let pairing = Option<Pairing>(
    "pairing", value: "HOW", parse: .choice,
    help: "How speakers are taken in: confirm or automatic.")
  static let replayGain = DefaultedOption(
    "replay-gain", value: "MODE", default: LoudnessMode.off, shown: "off", parse: .choice,
    help: "Play tracks equally loud by the ReplayGain in their tags: off, track, album or auto.")
  static let noZeroconf = Flag(
    "no-zeroconf", help: "Neither look for speakers nor announce the house by multicast.")
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
    name: "tutti-coordinator", version: tuttiVersion,
    summary: "Keeps the house's queue and clock, and sends the music to every room.",
    environmentPrefix: "TUTTI_COORDINATOR",
    options: [
      stateDirectory, music, rescanInterval, name, listen, port, speaker, input, playoutDelay,
      pairing,
      replayGain, noZeroconf,
      logLevel, logFormat,
    ],
    footer: """
      Examples:
        tutti-coordinator --music /srv/music
        tutti-coordinator --music ~/Music --speaker kitchen.local --no-zeroconf
      """,
    manual: Manual(
      section: 8,
      description: [
        "It finds the rooms' speakers by zeroconf, decodes the queue's music and sends it to all of "
          + "them with the time at which each sample is due. Its clock is the house's clock. Queue, "
          + "place and volumes outlive it.",
        "Stream and clock use one UDP port; the HTTP API and the page for a browser listen on a Unix "
          + "socket and on this host's loopback, at the TCP port of the same number.",
      ],
      files: [
        .init("STATE_DIR/control.sock", "The API, for whoever may open the socket."),
        .init("STATE_DIR/state.sqlite", "Queue, place, rooms and volumes."),
        .init("STATE_DIR/spool", "Files that tutti(1) has sent along."),
        .init(
          "STATE_DIR",
          "--state-dir; else $STATE_DIRECTORY, else $XDG_STATE_HOME/tutti-coordinator, else "
            + "~/.local/state/tutti-coordinator."),
      ],
      exitCodes: [
        .init("0", "Stopped in good order (SIGTERM, SIGINT)."),
        .init("1", "Failed; the log says why."),
        .init("2", "The command line cannot be obeyed."),
      ], seeAlso: ["tutti(1)", "tutti-speaker(8)", "tutti-decoder(8)", "avahi-daemon(8)"]))
}
