// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CoordinatorRuntime
import Glibc

/// Entry point of `tutti-coordinator`.
@main
enum TuttiCoordinatorProgram {
  static func main() {
    exit(runCoordinator(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
