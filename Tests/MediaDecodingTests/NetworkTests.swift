// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding
import Testing

@Suite struct NetworkTests {
  /// MP4 among them: its index is at the end, and this server cannot send a part of a file.
  @Test(arguments: ["a.wav", "a.flac", "a.mp3", "a.ogg", "a.m4a"])
  func `a file of a server plays as the file does`(name: String) throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(100_317, rate: 48_000)).bytes)
    if name != "a.wav" { try workshop.encode("a.wav", as: name) }
    let server = try FileServer(workshop.path)
    let fetched = try Decoded(server.location(name))
    let read = try Decoded(workshop.location(name))
    // Without the file itself the end of MP4 is known to a millisecond only.
    let length = min(fetched.samples.count, read.samples.count)
    #expect(read.frames - fetched.frames <= (name == "a.m4a" ? 48 : 0))
    #expect(fetched.samples[..<length] == read.samples[..<length])
  }

  @Test func `a frame in the middle is fetched`() throws {
    let workshop = try Workshop()
    let wav = WAVFile(Sound.frames(480_000, rate: 48_000))
    try workshop.write("a.wav", wav.bytes)
    let server = try FileServer(workshop.path)
    let decoded = try Decoded(server.location("a.wav"), from: 400_000)
    #expect(decoded.samples == wav.samples[800_000...].map { Float($0) / 32_768 })
  }

  @Test func `a name with spaces and umlauts is found`() throws {
    let workshop = try Workshop()
    try workshop.write("für Élise 1.wav", WAVFile(Sound.frames(100, rate: 48_000)).bytes)
    let server = try FileServer(workshop.path)
    #expect(try Decoded(server.location("für Élise 1.wav")).frames == 100)
  }

  @Test func `what a server does not have is said with its number`() throws {
    let workshop = try Workshop()
    let server = try FileServer(workshop.path)
    let error = #expect(throws: DecoderFailure.self) { try Decoded(server.location("no.mp3")) }
    #expect(error?.reason == .refusedByServer)
    #expect(error?.text.contains("404") == true)
  }

  @Test func `a server that is not there is said so`() {
    // Port 9, "discard", is not served by anything today.
    let error = #expect(throws: DecoderFailure.self) {
      try Decoded(.url("http://127.0.0.1:9/a.mp3"))
    }
    #expect(error?.reason == .network)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://example.org/a.mp3", "concat:/etc/passwd", "http:", "http://", "",
    "data:audio/wav;base64,AAAA", "/etc/passwd",
  ])
  func `other addresses are not opened`(address: String) {
    let error = #expect(throws: DecoderFailure.self) { try Decoded(.url(address)) }
    #expect(error?.reason == .unsupportedAddress)
  }
}

/// `python3 -m http.server` on a port of its choice.
private final class FileServer {
  private let process: pid_t
  private let port: Int

  init(_ folder: String) throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let words = ["python3", "-u", "-m", "http.server", "0", "-b", "127.0.0.1", "-d", folder]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawnp(&process, "python3", &actions, nil, &arguments, environ) == 0)
    self.process = process
    close(ends[1])
    // "Serving HTTP on 127.0.0.1 port 41234 (http://..."
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1, byte != 10 { line.append(byte) }
    let spoken = String(decoding: line, as: UTF8.self).split(separator: " ")
    port = spoken.indices.contains(5) ? Int(spoken[5]) ?? 0 : 0
    try #require(port > 0)
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func location(_ name: String) -> MediaLocation { .url("http://127.0.0.1:\(port)/\(name)") }
}
