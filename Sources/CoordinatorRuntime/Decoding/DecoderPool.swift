// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol
import Synchronization

/// Opens pieces of music in decoder processes, one process for each.
///
/// Loading FFmpeg's libraries takes longer than opening a file, so one decoder is always started
/// ahead and waits for work.
public final class DecoderPool: PCMSourceOpener {
  private let program: DecoderProgram
  private let spare = Mutex<DecoderProcess?>(nil)

  /// A pool of `tutti-decoder` processes, with the first one started.
  ///
  /// - Parameter path: The program; `$TUTTI_DECODER`, or `tutti-decoder` beside the running
  ///   executable, when nil. That it cannot be started is said by `open`.
  public convenience init(path: String? = nil) {
    self.init(path.map { DecoderProgram(path: $0) } ?? DecoderProgram())
  }

  init(_ program: DecoderProgram) {
    self.program = program
    prepareSpare()
  }

  /// Opens a source in a decoder of its own; blocks until it is described or refused.
  ///
  /// - Parameters:
  ///   - location: The file or address.
  ///   - startFrame: The first frame wanted, in 48 kHz frames of the source.
  /// - Returns: The open source.
  /// - Throws: Why it cannot be played.
  public func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    // The next spare is started last: until then it would compete with this opening.
    defer { prepareSpare() }
    let process = try decoder(for: .open(location, startFrame: startFrame))
    return try DecodedSource(location, startFrame: startFrame, process: process)
  }

  /// Ends the waiting decoder. Sources that are open stay open.
  public func shutDown() { spare.withLock { $0 = nil } }

  /// The process id of the waiting decoder.
  var spareIdentifier: Int32? { spare.withLock { $0?.identifier } }

  /// A process that has been sent `request`: the spare, unless it has died meanwhile.
  private func decoder(for request: DecoderRequest) throws(DecoderFailure) -> DecoderProcess {
    let waiting = spare.withLock { spare in
      defer { spare = nil }
      return spare
    }
    if let waiting, waiting.send(request) { return waiting }
    let fresh = try DecoderProcess(program)
    guard fresh.send(request) else {
      throw DecoderFailure(
        .decoderUnavailable, "\(program.path) ends as soon as it is started")
    }
    return fresh
  }

  private func prepareSpare() {
    spare.withLock { spare in
      // A failure shows, with its reason, when a source is opened.
      if spare == nil { spare = try? DecoderProcess(program) }
    }
  }
}
