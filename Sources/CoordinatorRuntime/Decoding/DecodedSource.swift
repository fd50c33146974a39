// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DecoderProtocol
import Glibc
import Synchronization

/// A piece of music that a decoder process is decoding.
///
/// Back-pressure is the socket's: the decoder blocks while nobody calls `next`. Whatever happens to
/// the process is one failure; `cancel` kills it.
final class DecodedSource: PCMSource {
  let info: MediaInfo
  private let process: DecoderProcess
  private let patience: CInt
  private let isCancelled = Atomic(false)
  /// Locked by `next` alone, also while it waits; `cancel` does not need it.
  private let stream: Mutex<Stream>

  private struct Stream {
    var replies: DecoderReplyReader
    /// The source frame after the last one given.
    var position: Int64
    /// What `next` says from now on, once it is over.
    var outcome: PCMRead?
  }

  /// How long a decoder may give nothing, in milliseconds. From a file 10 s of nothing is a hang
  /// (or a dead network disk, no different to a listener); a server may take its time, and
  /// libavformat itself gives up on it after 15 s.
  static func patience(with location: MediaLocation) -> CInt {
    switch location {
    case .file: 10_000
    case .url: 30_000
    }
  }

  /// Asks `process` for a source and waits for its description.
  ///
  /// - Throws: Why it cannot be played.
  init(
    _ location: MediaLocation, startFrame: Int64, process: DecoderProcess, patience: CInt? = nil
  ) throws(DecoderFailure) {
    self.process = process
    self.patience = patience ?? Self.patience(with: location)
    var replies = DecoderReplyReader()
    info = try Self.readInfo(&replies, process, self.patience)
    stream = Mutex(Stream(replies: replies, position: startFrame))
  }

  func next() -> PCMRead {
    stream.withLock { stream in
      if let outcome = stream.outcome { return outcome }
      let read = readSamples(&stream)
      switch read {
      case .samples(let samples): stream.position += Int64(samples.count / 2)
      case .title, .connection: break
      case .end, .failure:
        stream.outcome = read
        process.end()
      }
      return read
    }
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    process.kill()
  }

  private func readSamples(_ stream: inout Stream) -> PCMRead {
    do throws(DecoderFailure) {
      switch try Self.readReply(&stream.replies, process, patience) {
      case .samples(let samples): return .samples(samples)
      case .title(let title): return .title(title)
      case .connection(let connection): return .connection(connection)
      case .end(let end): return .end(end)
      case .failure(let failure): throw failure
      case .info, .tags, .image: throw Self.notOurs
      }
    } catch {
      // What comes after the kill is no failure of the source.
      guard isCancelled.load(ordering: .acquiring) else { return .failure(error) }
      return .end(DecoderEnd(sourceFrames: stream.position, ending: .stopped))
    }
  }
}

// MARK: - Replies of a process

extension DecodedSource {
  private static func readInfo(
    _ replies: inout DecoderReplyReader, _ process: DecoderProcess, _ patience: CInt
  ) throws(DecoderFailure) -> MediaInfo {
    switch try readReply(&replies, process, patience) {
    case .info(let info): return info
    case .failure(let failure): throw failure
    case .samples, .end, .tags, .image, .title, .connection: throw notOurs
    }
  }

  /// Waits for the next reply.
  ///
  /// - Throws: `DecoderFailure` when the process dies, hangs, or talks nonsense.
  private static func readReply(
    _ replies: inout DecoderReplyReader, _ process: DecoderProcess, _ patience: CInt
  ) throws(DecoderFailure) -> DecoderReply {
    while true {
      do { if let reply = try replies.next() { return reply } } catch { throw notOurs }
      switch process.receive(into: &replies, timeoutMilliseconds: patience) {
      case .bytes: continue
      case .closed: throw death(of: process)
      case .nothing:
        throw DecoderFailure(
          .decoderHung, "it gave no sound for \(patience / 1_000) s; the decoder was stopped")
      }
    }
  }

  private static func death(of process: DecoderProcess) -> DecoderFailure {
    guard let signal = process.end() else {
      return DecoderFailure(.decoderDied, "the decoder gave up on it")
    }
    let name = signal == SIGKILL ? "was killed" : "crashed (\(String(cString: strsignal(signal))))"
    return DecoderFailure(.decoderDied, "the decoder \(name) on it")
  }

  private static var notOurs: DecoderFailure {
    DecoderFailure(
      .decoderUnavailable,
      "what runs as tutti-decoder is another program or another version")
  }
}
