// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Entry point of `tutti-speaker`.
@main
enum TuttiSpeakerProgram {
  static func main() {}
}
