// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions

/// What tutti(1) says beyond the option tables.
enum TuttiManual {
  static let manual = Manual(
    description: [
      "It talks to tutti-coordinator(8), by default over the Unix socket of the one on this machine.",
      "A room or group may be called by its name, by the start of its name where only one begins so, "
        + "or by its id; upper and lower case are the same. A number that starts with + or - changes a "
        + "volume or a place: `volume kitchen \u{2D}5`.",
      "Files that the coordinator cannot open are sent to it.",
    ],
    files: [
      .init(
        "~/.local/state/tutti-coordinator/control.sock, /var/lib/tutti-coordinator/control.sock",
        "Where a coordinator on this machine is looked for, after $STATE_DIRECTORY and "
          + "$XDG_STATE_HOME.")
    ],
    exitCodes: [
      .init("0", "Done."), .init("1", "Understood, and could not be done."),
      .init("2", "The command line does not fit, or one of several coordinators must be chosen."),
      .init("3", "No coordinator can be reached."),
      .init("4", "The coordinator does not let this user do it."),
    ], seeAlso: ["tutti-coordinator(8)", "tutti-speaker(8)"])
}
