// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding
import Testing

@Suite struct OddFileTests {
  static let all = OddFile.damaged + OddFile.tagged + OddFile.complete + OddFile.named

  /// No file may hold up a scan: far beyond what any of them takes, on a loaded machine.
  static let bound = Duration.seconds(5)

  @Test(arguments: all)
  func `an odd file is described and played, or refused in words`(file: OddFile) throws {
    let samples = try SampleFiles.made.get()
    let workshop = try Workshop()
    try workshop.write(file.name, try file.contents(samples))
    let path = workshop.path(file.name)

    let began = ContinuousClock.now
    let described = Result { () throws(DecoderFailure) in try MediaDescriber.describe(path: path) }
    #expect(ContinuousClock.now - began < Self.bound)
    let played = Result { try Decoded(.file(path: path)) }

    switch file.outcome {
    case .refused(let reason):
      #expect(throws: DecoderFailure.self) { try played.get() }
      guard case .failure(let failure) = described else {
        Issue.record("described as \(described)")
        return
      }
      #expect(failure.reason == reason, "\(failure)")
      #expect(!failure.text.isEmpty)
    case .plays(let frames, let ending):
      let tags = try described.get()
      #expect(file.check(tags), "\(tags)")
      let decoded = try played.get()
      #expect(frames.contains(decoded.frames), "\(decoded.frames) frames")
      #expect(decoded.end?.ending == ending)
    }
  }

  @Test func `two copies of a file say the same`() throws {
    let samples = try SampleFiles.made.get()
    let workshop = try Workshop()
    for name in ["A.flac", "B.flac"] { try workshop.write(name, samples["flac"]) }
    let tags = try ["A.flac", "B.flac"].map { try MediaDescriber.describe(path: workshop.path($0)) }
    #expect(tags[0] == tags[1])
  }

  @Test func `the artwork of 40 MB is made small like any other`() throws {
    let samples = try SampleFiles.made.get()
    let workshop = try Workshop()
    let file = try #require(OddFile.tagged.first { $0.name.hasPrefix("40 MB") })
    try workshop.write("a.mp3", try file.contents(samples))
    let image = try ArtworkMaker.make(path: workshop.path("a.mp3"), edge: 32)
    #expect((image.width, image.height) == (32, 32))
  }

  @Test func `what is no file is refused without waiting`() throws {
    let workshop = try Workshop()
    #expect(mkfifo(workshop.path("fifo.mp3"), 0o600) == 0)
    #expect(symlink("loop", workshop.path("loop")) == 0)
    #expect(symlink("nowhere", workshop.path("dangling")) == 0)
    let outcomes: [(String, DecoderFailure.Reason)] = [
      (workshop.path("fifo.mp3"), .notAFile), (workshop.path, .notAFile),
      ("/dev/zero", .notAFile), ("/dev/tty", .notAFile), (workshop.path("dangling"), .missing),
      (workshop.path("loop"), .readError), (workshop.path("none.mp3"), .missing),
      ("/" + String(repeating: "x", count: 300), .readError), ("", .missing),
    ]
    for (path, reason) in outcomes {
      let began = ContinuousClock.now
      let described = Result { () throws(DecoderFailure) in try MediaDescriber.describe(path: path)
      }
      guard case .failure(let failure) = described else {
        Issue.record("\(path) was described")
        continue
      }
      #expect(failure.reason == reason, "\(path): \(failure)")
      #expect(ContinuousClock.now - began < Self.bound)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file that may not be read is not described`() throws {
    let workshop = try Workshop()
    try workshop.write("a.flac", try SampleFiles.made.get()["flac"])
    #expect(chmod(workshop.path("a.flac"), 0) == 0)
    #expect(throws: DecoderFailure.self) {
      try MediaDescriber.describe(path: workshop.path("a.flac"))
    }
  }

  @Test(arguments: ["flac", "mp3", "ogg", "opus", "m4a", "wav", "aiff", "m4b"])
  func `damaged bytes are described or refused, never more`(format: String) throws {
    let good = try SampleFiles.made.get()[format]
    let workshop = try Workshop()
    for seed in 0..<UInt64(30) {
      var random = SplitMix(seed: seed)
      var bytes = good
      // Where tags are: at both ends.
      for _ in 0..<30 {
        let place = Int.random(in: 0..<min(4_000, bytes.count / 2), using: &random)
        let index = random.next() % 4 == 0 ? bytes.count - 1 - place : place
        bytes[index] = .random(in: 0...255, using: &random)
      }
      try workshop.write("a", bytes)
      if let tags = try? MediaDescriber.describe(path: workshop.path("a")) {
        #expect(tags.title.utf8.count <= DecoderFraming.maximumText)
      }
    }
  }
}
