// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Catalogue
import DecoderProtocol
import LinuxNetworking
import Testing

@testable import CoordinatorRuntime

/// The real decoder behind a doorkeeper that dies or hangs at certain names.
func moodyDecoder() -> DecoderProgram {
  let script = """
    import os, signal, struct, subprocess, sys, time
    real = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    def take(stream):
        head = stream.read(8)
        if len(head) < 8: sys.exit(0)
        return head + stream.read(struct.unpack('<I', head[4:])[0])
    while True:
        request = take(sys.stdin.buffer)
        if b'crash' in request: os.kill(os.getpid(), signal.SIGSEGV)
        if b'hang' in request: time.sleep(1000)
        real.stdin.write(request); real.stdin.flush()
        sys.stdout.buffer.write(take(real.stdout)); sys.stdout.buffer.flush()
    """
  return DecoderProgram(
    path: "/usr/bin/python3", arguments: ["-c", script, DecoderProgram().path])
}

@Suite(.serialized) struct TagReadersTests {
  private let stamp = FileStamp(size: 1, modified: 2, device: 3, inode: 4)

  private func read(
    _ names: [String], in tree: MusicTree, with program: DecoderProgram,
    patience: Nanoseconds = TagReaders.patience
  ) -> (answers: [String: Result<TrackTags, DecoderFailure>], trouble: DecoderFailure?) {
    let readers = TagReaders(program, count: 2, patience: patience)
    for name in names {
      readers.read(.init(path: tree.path(name), root: tree.root, stamp: stamp))
    }
    var answers: [String: Result<TrackTags, DecoderFailure>] = [:]
    let deadline = LocalClock.now() + .seconds(60)
    while !readers.isIdle, readers.trouble == nil, LocalClock.now() < deadline {
      for answer in readers.work(timeout: .milliseconds(20)) {
        #expect(answers[answer.work.path] == nil, "answered twice")
        answers[answer.work.path] = answer.result
      }
    }
    return (answers, readers.trouble)
  }

  @Test func `every file is answered, whatever there is between`() throws {
    let tree = try MusicTree()
    var names: [String] = []
    for index in 0..<300 {
      let name = index % 50 == 7 ? "text\(index).mp3" : "song\(index).wav"
      names.append(name)
      if name.hasPrefix("text") {
        try tree.write(name)
      } else {
        try tree.song(name, title: "Title \(index)")
      }
    }
    let (answers, trouble) = read(names, in: tree, with: DecoderProgram())
    #expect(trouble == nil && answers.count == 300)
    for (index, name) in names.enumerated() {
      let answer = try #require(answers[tree.path(name)])
      if name.hasPrefix("text") {
        #expect(throws: DecoderFailure.self) { try answer.get() }
      } else {
        #expect(try answer.get().title == "Title \(index)")
      }
    }
  }

  @Test func `a crash costs the file it happened at`() throws {
    let tree = try MusicTree()
    let names = (0..<40).map { $0 % 20 == 5 ? "crash\($0).wav" : "song\($0).wav" }
    for name in names { try tree.song(name, title: name) }
    let (answers, trouble) = read(names, in: tree, with: moodyDecoder())
    #expect(trouble == nil && answers.count == 40)
    for name in names {
      switch try #require(answers[tree.path(name)]) {
      case .success(let tags): #expect(tags.title == name && !name.hasPrefix("crash"))
      case .failure(let failure):
        #expect(name.hasPrefix("crash") && failure.reason == .decoderDied)
        #expect(failure.text == "the decoder crashed on it (Segmentation fault)")
      }
    }
  }

  @Test func `a hang costs the file it happened at`() throws {
    let tree = try MusicTree()
    let names = (0..<20).map { $0 == 5 ? "hang.wav" : "song\($0).wav" }
    for name in names { try tree.song(name, title: name) }
    let (answers, trouble) = read(
      names, in: tree, with: moodyDecoder(), patience: .milliseconds(1_500))
    #expect(trouble == nil && answers.count == 20)
    let failures = answers.filter { if case .failure = $0.value { true } else { false } }
    #expect(failures.keys.map { $0 } == [tree.path("hang.wav")])
  }

  @Test func `a program that is no decoder is said to be none`() throws {
    let tree = try MusicTree()
    try tree.song("a.wav", title: "a")
    let missing = read(["a.wav"], in: tree, with: DecoderProgram(path: "/nonexistent"))
    #expect(missing.trouble?.reason == .decoderUnavailable)
    let other = read(["a.wav"], in: tree, with: decoder(playedBy: "echo hello there, friend"))
    #expect(other.trouble?.reason == .decoderUnavailable)
  }
}

@Suite struct ReaderLedgerTests {
  private let start = LocalInstant(nanoseconds: 0)

  @Test func `the oldest question is to blame, the others are asked again`() {
    var ledger = ReaderLedger<Int>()
    for ticket in 1...4 { ledger.asked(ticket, at: start) }
    #expect(ledger.answered(at: start) == 1)
    let remains = ledger.died(at: start)
    #expect(remains.blamed == 2 && remains.unanswered == [3, 4])
    #expect(ledger.outstanding.isEmpty && ledger.restartAt == nil)
  }

  @Test func `who dies again and again waits longer and longer`() {
    var ledger = ReaderLedger<Int>()
    let delays = (0..<6).map { _ -> Double in
      _ = ledger.died(at: start)
      return ledger.restartAt.map { ($0 - start).inSeconds } ?? 0
    }
    #expect(delays == [0, 0.5, 1, 2, 4, 5])
    ledger.asked(1, at: start)
    _ = ledger.answered(at: start)
    _ = ledger.died(at: start)
    #expect(ledger.restartAt == nil)
  }

  @Test func `patience begins with a question, and anew with each answer`() {
    var ledger = ReaderLedger<Int>()
    #expect(ledger.deadline(.seconds(10)) == nil)
    ledger.asked(1, at: start)
    ledger.asked(2, at: start + .seconds(9))
    #expect(ledger.deadline(.seconds(10)) == start + .seconds(10))
    _ = ledger.answered(at: start + .seconds(9))
    #expect(ledger.deadline(.seconds(10)) == start + .seconds(19))
    #expect(ledger.answered(at: start) == 2 && ledger.answered(at: start) == nil)
  }
}
