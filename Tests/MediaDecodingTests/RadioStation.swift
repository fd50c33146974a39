// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import Testing

/// `tools/lab/station.py`: a radio station of one test; its help says what it can do.
final class RadioStation {
  private let process: pid_t
  /// It says every request there, which nobody reads: less than a pipe holds.
  private let output: CInt
  let port: Int
  private var isRunning = true

  /// Starts a station and waits until it is on the air.
  ///
  /// - Parameters:
  ///   - files: What it plays, round and round.
  ///   - options: More options of the program.
  /// - Throws: When it cannot be started.
  init(_ files: [String], _ options: [String] = []) throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    let program = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let words = ["python3", "\(program)/tools/lab/station.py"] + options + files
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawnp(&process, "python3", &actions, nil, &arguments, environ) == 0)
    self.process = process
    close(ends[1])
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != 10 { line.append(byte) }
    port = Int(String(decoding: line, as: UTF8.self)) ?? 0
    try #require(port > 0)
  }

  deinit {
    kill()
    close(output)
  }

  /// Ends it as a crash does.
  func kill() {
    guard isRunning else { return }
    isRunning = false
    Glibc.kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func location(_ path: String) -> MediaLocation { .url("http://127.0.0.1:\(port)\(path)") }
}
