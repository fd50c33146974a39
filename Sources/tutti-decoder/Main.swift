// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Entry point of `tutti-decoder`.
@main
enum TuttiDecoderProgram {
  static func main() {}
}
