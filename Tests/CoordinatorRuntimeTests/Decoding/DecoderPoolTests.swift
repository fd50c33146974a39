// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import Testing

@testable import CoordinatorRuntime

@Suite struct DecoderPoolTests {
  @Test func `a file is decoded from its first frame to its last`() throws {
    let file = try TonesFile(frames: 30_000)
    let source = try DecoderPool().open(file.location, startFrame: 0)
    #expect(source.info.durationFrames == 30_000)
    let (samples, outcome) = readAll(source)
    #expect(samples == file.samples)
    #expect(outcome == .end(DecoderEnd(sourceFrames: 30_000)))
  }

  @Test func `a file is decoded from a frame in the middle`() throws {
    let file = try TonesFile(frames: 30_000)
    let (samples, _) = readAll(try DecoderPool().open(file.location, startFrame: 12_345))
    #expect(samples == Array(file.samples[(12_345 * 2)...]))
  }

  @Test func `two sources at once do not disturb each other`() throws {
    let pool = DecoderPool()
    let (first, second) = (try TonesFile(frames: 20_000), try TonesFile(frames: 10_000))
    let one = try pool.open(first.location, startFrame: 0)
    let two = try pool.open(second.location, startFrame: 0)
    #expect(readAll(two).samples == second.samples)
    #expect(readAll(one).samples == first.samples)
  }

  @Test func `a file that is not there is refused by name of the reason`() throws {
    let error = #expect(throws: DecoderFailure.self) {
      _ = try DecoderPool().open(.file(path: "/nowhere/at all.wav"), startFrame: 0)
    }
    #expect(error == DecoderFailure(.missing, "there is no such file"))
  }

  @Test func `a waiting decoder that was killed is replaced`() throws {
    let file = try TonesFile(frames: 100)
    let pool = DecoderPool()
    let waiting = try #require(pool.spareIdentifier)
    #expect(kill(waiting, SIGKILL) == 0)
    // The kill has happened when the process is a zombie: only then is the socket closed.
    var information = siginfo_t()
    #expect(waitid(P_PID, id_t(waiting), &information, WEXITED | WNOWAIT) == 0)
    #expect(readAll(try pool.open(file.location, startFrame: 0)).samples == file.samples)
  }

  @Test func `cancelling ends a source without a failure`() throws {
    let file = try TonesFile(frames: 500_000)
    let source = try DecoderPool().open(file.location, startFrame: 0)
    guard case .samples = source.next() else {
      Issue.record("no samples")
      return
    }
    source.cancel()
    guard case .end(let end) = readAll(source).outcome else {
      Issue.record("not an end")
      return
    }
    #expect(end.ending == .stopped)
    source.cancel()
  }
}

@Suite struct TroubledDecoderTests {
  /// Shell scripts in the place of the decoder, and what has to be said about them.
  static let troubles: [(String, DecoderFailure.Reason)] = [
    ("head -c 8 >/dev/null; kill -SEGV $$", .decoderDied),
    ("head -c 8 >/dev/null; kill -KILL $$", .decoderDied),
    ("head -c 8 >/dev/null; exit 3", .decoderDied),
    ("echo Hello, world; read x", .decoderUnavailable),
    (#"printf '\022\0\0\0\011\0\0\0\0\0\0\0\0\0\0\0\0'; read x"#, .decoderUnavailable),
  ]

  @Test(arguments: troubles)
  func `a decoder in trouble is one failure`(
    script: String, reason: DecoderFailure.Reason
  ) throws {
    let error = #expect(throws: DecoderFailure.self) {
      _ = try DecoderPool(decoder(playedBy: script)).open(.file(path: "/a.wav"), startFrame: 0)
    }
    #expect(error?.reason == reason)
  }

  @Test func `a decoder that hangs is given up`() throws {
    let process = try DecoderProcess(decoder(playedBy: "exec sleep 100"))
    let error = #expect(throws: DecoderFailure.self) {
      _ = try DecodedSource(.file(path: "/a.wav"), startFrame: 0, process: process, patience: 50)
    }
    #expect(error?.reason == .decoderHung)
  }

  @Test func `a decoder that crashes in the middle is one failure after its samples`() throws {
    // An info without texts, one stereo frame, then the crash.
    let info = #"printf '\020\0\0\0\041\0\0\0'; head -c 33 /dev/zero; "#
    let frame = #"printf '\021\0\0\0\010\0\0\0'; head -c 8 /dev/zero; "#
    let pool = DecoderPool(decoder(playedBy: info + frame + "kill -SEGV $$"))
    let source = try pool.open(.file(path: "/a.wav"), startFrame: 0)
    let (samples, outcome) = readAll(source)
    #expect(samples == [0, 0])
    guard case .failure(let failure) = outcome else {
      Issue.record("no failure")
      return
    }
    #expect(failure.reason == .decoderDied)
    #expect(failure.text.contains("Segmentation fault"))
  }

  @Test func `a missing decoder is said with what to do`() throws {
    let error = #expect(throws: DecoderFailure.self) {
      _ = try DecoderPool(path: "/nowhere/tutti-decoder")
        .open(.file(path: "/a.wav"), startFrame: 0)
    }
    #expect(error?.reason == .decoderUnavailable)
    #expect(error?.text.contains("TUTTI_DECODER") == true)
  }
}
