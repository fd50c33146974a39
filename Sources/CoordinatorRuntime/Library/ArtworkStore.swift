// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import DecoderProtocol
internal import Glibc
internal import MusicLibrary
internal import Synchronization

// Pictures are made small by `tutti-decoder`, once for each size, and kept as files: a page of albums
// asks for a hundred at a time. Only files that are asked for are decoded, one after the other, by one
// process that ends when nobody asks any more.

/// Makes small pictures and keeps them.
///
/// Safe to use from any thread; a picture that has to be made keeps only its own caller waiting.
final class ArtworkStore: Sendable {
  /// The sizes there are.
  enum Size: String, Sendable, CaseIterable {
    /// For lists.
    case small
    /// For the whole screen of a phone, and to look at.
    case large

    /// The longest edge in pixels: 96 points of a phone with three pixels each, and its width.
    var edge: Int { self == .small ? 320 : 1_024 }
  }

  /// What all kept pictures may take, in bytes: 5,000 small ones, or a few hundred large.
  static let capacity = 128 << 20
  /// How long one picture may take, in milliseconds: a disk that sleeps takes ten seconds to wake, a dead
  /// network drive takes for ever.
  static let patience: CInt = 20_000

  private let folder: PictureFolder
  private let program: DecoderProgram
  private let thread: ChoreThread
  private let patience: CInt
  private let worker: Worker

  /// What belongs to the thread alone.
  private final class Worker: Sendable {
    // Only the chore thread touches it; a chore never runs beside another.
    nonisolated(unsafe) var process: DecoderProcess?
    /// Pictures that were asked for and are not made yet.
    let waiting = Atomic(0)
  }

  /// Opens the folder, and makes it.
  ///
  /// - Parameters:
  ///   - path: Where pictures are kept.
  ///   - program: Makes them.
  ///   - log: For the thread's own trouble.
  ///   - capacity: What they may take, in bytes.
  ///   - patience: How long one may take, in milliseconds.
  /// - Throws: `ProcessError` or `NetworkError`.
  init(
    at path: String, program: DecoderProgram, log: Log, capacity: Int = ArtworkStore.capacity,
    patience: CInt = ArtworkStore.patience
  ) throws {
    self.patience = patience
    folder = try PictureFolder(path, capacity: capacity)
    self.program = program
    worker = Worker()
    thread = try ChoreThread("artwork", log: log)
  }

  /// Lets the thread end.
  func stop() { thread.stop() }

  /// What tells a picture in this size from all others: a strong entity tag without its quotes.
  static func tag(_ source: ArtworkSource, _ size: Size) -> String {
    let digits = String(source.key, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-\(size.edge)"
  }

  /// A picture as JPEG.
  ///
  /// - Returns: Nil when there is none that can be shown.
  func picture(_ source: ArtworkSource, _ size: Size) async -> [UInt8]? {
    let name = Self.tag(source, size) + ".jpg"
    if let kept = folder.read(name) { return kept.isEmpty ? nil : kept }
    worker.waiting.add(1, ordering: .relaxed)
    return await withCheckedContinuation { continuation in
      thread.run { [self] in
        defer {
          // Nobody else waits: the process has done its work.
          let left = worker.waiting.subtract(1, ordering: .relaxed).newValue
          if left == 0 { worker.process = nil }
        }
        // Somebody else may have asked for the same one before.
        if let kept = folder.read(name) {
          return continuation.resume(returning: kept.isEmpty ? nil : kept)
        }
        let made = make(source, size)
        switch made {
        case .made(let bytes): folder.write(bytes, as: name)
        // An empty file says that trying again is of no use.
        case .impossible: folder.write([], as: name)
        case .failed: break
        }
        if case .made(let bytes) = made {
          continuation.resume(returning: bytes)
        } else {
          continuation.resume(returning: nil)
        }
      }
    }
  }

  private enum Outcome {
    case made([UInt8])
    case impossible
    case failed
  }

  private func make(_ source: ArtworkSource, _ size: Size) -> Outcome {
    guard let process = worker.process ?? (try? DecoderProcess(program)) else { return .failed }
    worker.process = process
    var replies = DecoderReplyReader()
    guard process.send(.artwork(path: source.path, edge: size.edge)) else { return lose(.failed) }
    while true {
      switch process.receive(into: &replies, timeoutMilliseconds: patience) {
      case .bytes: break
      // The disk may answer the next time.
      case .nothing: return lose(.failed)
      // It died of the picture, and would again.
      case .closed: return lose(.impossible)
      }
      do throws(DecoderProtocolError) {
        switch try replies.next() {
        case nil: continue
        case .image(let image): return .made(image.bytes)
        case .failure(let failure):
          // What is away may come back; what is broken stays so until the file changes.
          return [.missing, .notPermitted, .readError].contains(failure.reason)
            ? .failed : .impossible
        default: return lose(.impossible)
        }
      } catch {
        return lose(.impossible)
      }
    }
  }

  /// A process that died, hangs or talks nonsense: another begins anew.
  private func lose(_ outcome: Outcome) -> Outcome {
    worker.process = nil
    return outcome
  }
}
