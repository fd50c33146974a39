// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Foundation
import Glibc

@testable import CoordinatorRuntime

/// A folder of music for one test, removed after it. Names are bytes or texts.
final class MusicTree: Sendable {
  let scratch: String
  /// The music folder.
  var root: String { scratch + "/music" }

  init() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/tutti-tree-\(UUID().uuidString)"
    guard let real = realpath("/tmp", nil) else { throw TreeError.system(errno) }
    free(real)
    scratch = folder
    try FileManager.default.createDirectory(
      atPath: folder + "/music", withIntermediateDirectories: true)
  }

  deinit {
    // Folders that a test has made unreadable are made readable again.
    _ = Self.run("chmod -R u+rwx '\(scratch)'; rm -rf '\(scratch)'")
  }

  enum TreeError: Error { case system(Int32) }

  func path(_ name: String) -> String { root + "/" + name }

  func folder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  /// Writes a file, with the folders that it needs.
  func write(_ name: String, _ bytes: [UInt8] = Array("sound".utf8)) throws {
    try write(PathText.bytes(of: path(name)), bytes)
  }

  func write(_ path: [UInt8], _ bytes: [UInt8]) throws {
    for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      mkdir(path[..<index].map { CChar(bitPattern: $0) } + [0], 0o755)
    }
    let descriptor = open(
      path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw TreeError.system(errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TreeError.system(errno)
    }
  }

  /// A WAV file of silence with a title and an artist, as RIFF INFO.
  func song(_ name: String, title: String, artist: String = "", frames: Int = 480) throws {
    try write(name, Self.wave(title: title, artist: artist, frames: frames))
  }

  static func wave(title: String, artist: String, frames: Int) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(body.count) + body + (body.count % 2 == 1 ? [0] : [])
    }
    let info =
      Array("INFO".utf8) + chunk("INAM", Array(title.utf8) + [0])
      + (artist.isEmpty ? [] : chunk("IART", Array(artist.utf8) + [0]))
    let body =
      Array("WAVE".utf8)
      + chunk("fmt ", [1, 0, 1, 0] + little(48_000) + little(96_000) + [2, 0, 16, 0])
      + chunk("data", Array(repeating: 0, count: frames * 2)) + chunk("LIST", info)
    return chunk("RIFF", body)
  }

  /// Runs a line of shell in the music folder.
  @discardableResult func shell(_ line: String) -> Int32 { Self.run("cd '\(root)' && \(line)") }

  private static func run(_ line: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    do { try process.run() } catch { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
