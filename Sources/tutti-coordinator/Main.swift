// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Entry point of `tutti-coordinator`.
@main
enum TuttiCoordinatorProgram {
  static func main() {}
}
