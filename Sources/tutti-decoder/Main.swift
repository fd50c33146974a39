// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// `tutti-decoder`: reads requests on its standard input, writes replies to its standard output
// (DecoderProtocol), and does nothing else. The coordinator starts one for every track, so that
// a file that crashes it, or makes it hang, stops one track and not the house.

/// Entry point of `tutti-decoder`.
@main
enum TuttiDecoderProgram {
  static func main() { runDecoder() }
}
