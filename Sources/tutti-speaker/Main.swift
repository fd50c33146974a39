// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc
internal import SpeakerRuntime

/// Entry point of `tutti-speaker`.
@main
enum TuttiSpeakerProgram {
  static func main() {
    exit(SpeakerProgram.run(Array(CommandLine.arguments.dropFirst())))
  }
}
