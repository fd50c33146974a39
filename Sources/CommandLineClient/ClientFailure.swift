// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Why a command failed, with the exit code that says so to scripts.
enum ClientFailure: Error, CustomStringConvertible {
  /// It was understood and could not be done.
  case failed(String)
  /// The words on the command line do not fit.
  case usage(String)
  /// No coordinator answered.
  case unreachable(String)
  /// The coordinator does not let this caller do it.
  case notPermitted(String)
  /// It was done, and what was found is bad; that has been said already.
  case said

  var exitCode: Int32 {
    switch self {
    case .failed, .said: 1
    case .usage: 2
    case .unreachable: 3
    case .notPermitted: 4
    }
  }

  var description: String {
    switch self {
    case .said: ""
    case .failed(let text), .usage(let text), .unreachable(let text), .notPermitted(let text): text
    }
  }
}
