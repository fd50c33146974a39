// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// `tutti-decoder`: reads requests on its standard input, writes replies to its standard output
// (DecoderProtocol), and does nothing else. The coordinator starts one for every track, so that
// a file that crashes it, or makes it hang, stops one track and not the house.

internal import CommandLineOptions
internal import Glibc

/// Entry point of `tutti-decoder`.
@main
enum TuttiDecoderProgram {
  static func main() { start(Array(CommandLine.arguments.dropFirst())) }
}

/// It takes no options: whoever runs it by hand wants `--help` or `--version`.
private let program = CommandLineProgram(
  name: "tutti-decoder", version: tuttiVersion,
  summary: "Decodes one file for tutti-coordinator, which starts it; not for use by hand.",
  environmentPrefix: "TUTTI_DECODER", options: [],
  manual: Manual(
    section: 8,
    description: [
      "It reads requests on its standard input and writes sound, tags and pictures to its standard "
        + "output. It is a program of its own so that an odd file can end it, and not the house."
    ],
    exitCodes: [
      .init("0", "Its standard input was closed."),
      .init("2", "It was given words it does not take."),
    ], seeAlso: ["tutti-coordinator(8)"]))

private func start(_ arguments: [String]) {
  do throws(CommandLineError) {
    switch try program.parse(arguments) {
    case .print(let text): print(text)
    case .run: runDecoder()
    }
  } catch {
    complain("tutti-decoder: \(error)\n")
    exit(2)
  }
}
