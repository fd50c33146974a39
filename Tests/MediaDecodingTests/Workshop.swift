// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding
import Testing

/// A folder of files made for one test, removed after it.
final class Workshop {
  let path: String

  init() throws {
    MediaLibrary.quiet()
    var template = Array("/tmp/tutti-media-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? run(["rm", "-rf", path]) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func location(_ name: String) -> MediaLocation { .file(path: path(name)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let target = PathText.bytes(of: path(name)).map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      try #require(count > 0)
      done += count
    }
  }

  func read(_ name: String) throws -> [UInt8] {
    let descriptor = open(path(name), O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    try #require(Glibc.read(descriptor, &bytes, bytes.count) == bytes.count)
    return bytes
  }

  /// Encodes `source` with the ffmpeg command line tool.
  func encode(_ source: String, as target: String, _ options: String...) throws {
    try encode(source, as: target, options)
  }

  func encode(_ source: String, as target: String, _ options: [String]) throws {
    try run(
      ["ffmpeg", "-v", "error", "-y", "-i", path(source)] + options + [path(target)])
  }

  /// Runs a program and waits for it.
  func run(_ words: [String]) throws {
    var pid: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    try #require(posix_spawnp(&pid, words[0], nil, nil, &arguments, environ) == 0)
    var status: CInt = 0
    try #require(waitpid(pid, &status, 0) == pid)
    try #require(status == 0, "\(words.joined(separator: " "))")
  }
}

/// Everything that a decoder gives.
struct Decoded {
  var info: MediaInfo
  var samples: [Float] = []
  var end: DecoderEnd?

  init(_ location: MediaLocation, from startFrame: Int64 = 0) throws {
    let decoder = try MediaDecoder(location, startFrame: startFrame)
    info = decoder.info
    while let block = try decoder.next() { samples += block }
    end = decoder.end
  }

  var frames: Int { samples.count / 2 }
  var left: [Float] { stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
  var right: [Float] { stride(from: 1, to: samples.count, by: 2).map { samples[$0] } }
}
