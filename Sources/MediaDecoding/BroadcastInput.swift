// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import Catalogue
import DecoderProtocol
import Glibc

/// A live stream being received: bytes without end for libavformat, whatever the server does.
///
/// When it ends, breaks off or falls silent, reading waits until the server is back, for ever; who
/// has enough of it kills the process. One thread.
final class BroadcastInput {
  /// The server has come back with something of another kind: a decoder has to begin anew.
  private(set) var hasChanged = false
  private let contentType: String
  /// What the station says about itself.
  let station: StationHeaders
  /// What it is, by libavformat's name; nil when that has to look itself.
  private(set) var format: String?
  /// Called when the server has gone or is back, and every few seconds in between, so that nobody
  /// takes this process for dead.
  var report: (StreamConnection) -> Void = { _ in }

  private let address: NetworkAddress
  private var connection: NetworkConnection?
  private var since = SteadyClock.milliseconds()
  private var backoff = ReconnectBackoff()
  private var seam = StreamSeam()
  /// Received after a gap, not given on yet.
  private var waiting: [UInt8] = []
  /// Bytes given on.
  private var given: Int64 = 0
  /// Titles, and the bytes given on before each.
  private var titles: [(place: Int64, title: StreamTitle)] = []
  private var lastMetadata: [UInt8] = []
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  /// The wait is told of this often, in milliseconds.
  private static let reportInterval = 5_000
  /// So much of what comes after a gap is searched for the place where the gap began: bytes, and
  /// milliseconds from the first of them. Icecast sends 64 KiB at once, others up to four times that.
  private static let burst = (bytes: 262_144, milliseconds: 500)
  /// So many bytes without one frame are no MP3 and no AAC: a second of the most that these have.
  private static let beginning = 40_000
  /// Titles kept for packets that have not been read yet.
  private static let mostTitles = 64

  /// Takes over the server's answer.
  ///
  /// - Parameters:
  ///   - connection: The answer, of which nothing has been read.
  ///   - address: Where to ask again: the one that the listener gave, which may lead elsewhere then.
  /// - Throws: `DecoderFailure` when no sound comes.
  init(_ connection: NetworkConnection, address: NetworkAddress) throws(DecoderFailure) {
    (self.connection, self.address) = (connection, address)
    contentType = connection.contentType
    station = StationHeaders(connection.stationHeaders)
    let size = NetworkInput.bufferSize
    context = avio_alloc_context(
      av_malloc(size)?.assumingMemoryBound(to: UInt8.self), CInt(size), 0,
      Unmanaged.passUnretained(self).toOpaque(), readBroadcast, nil, nil)
    try gather(from: connection)
  }

  deinit {
    if let context {
      av_free(context.pointee.buffer)
      avio_context_free(&self.context)
    }
  }

  /// What plays from the packet at `place` on, if that has changed.
  ///
  /// - Parameter place: Bytes of the stream before the packet; negative when libavformat does not say.
  /// - Returns: The title; nil when it is still the one before.
  func title(at place: Int64) -> StreamTitle? {
    var found: StreamTitle?
    while let next = titles.first, place < 0 || next.place <= place {
      found = next.title
      titles.removeFirst()
    }
    return found
  }

  fileprivate func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    while true {
      if !waiting.isEmpty { return give(from: &waiting, to: buffer, count) }
      let got = connection?.read(buffer, CInt(count)) ?? FFmpegError.endOfFile.rawValue
      guard got > 0 else {
        reconnect(because: FFmpegError(rawValue: got))
        if hasChanged { return Int(FFmpegError.endOfFile.rawValue) }
        continue
      }
      takeTitle(at: given)
      given += Int64(got)
      seam.append(UnsafeRawBufferPointer(start: buffer, count: Int(got)))
      return Int(got)
    }
  }

  private func give(
    from bytes: inout [UInt8], to buffer: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> Int {
    let count = min(count, bytes.count)
    bytes.withUnsafeBytes { source in
      let portion = UnsafeRawBufferPointer(rebasing: source[..<count])
      UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(from: portion)
      seam.append(portion)
    }
    bytes.removeFirst(count)
    given += Int64(count)
    return count
  }

  private func takeTitle(at place: Int64) {
    guard let metadata = connection?.metadata, metadata != lastMetadata else { return }
    lastMetadata = metadata
    guard let title = ICYMetadata.title(in: metadata) else { return }
    titles.append((place, title))
    if titles.count > Self.mostTitles { titles.removeFirst() }
  }
}

// MARK: - Reconnecting

extension BroadcastInput {
  /// Returns when bytes come again.
  private func reconnect(because error: FFmpegError) {
    backoff.lost(afterMilliseconds: SteadyClock.milliseconds() - since)
    connection = nil
    var reason = error.whenLost
    while connection == nil, !hasChanged {
      wait(backoff.next(chance: Double.random(in: 0...1)), because: reason)
      do throws(DecoderFailure) {
        let fresh = try AddressResolver.connect(to: address).connection
        hasChanged = fresh.contentType != contentType && !fresh.sendsText
        guard !hasChanged else { return }
        try gather(from: fresh)
        connection = fresh
      } catch { reason = error.text }
    }
    since = SteadyClock.milliseconds()
    report(.connected)
  }

  private func wait(_ milliseconds: Int, because reason: String) {
    var rest = milliseconds
    while rest > 0 {
      report(.lost(reason: reason, nextTryMilliseconds: rest))
      let portion = min(rest, Self.reportInterval)
      SteadyClock.sleep(portion)
      rest -= portion
    }
    report(.lost(reason: reason, nextTryMilliseconds: 0))
  }

  /// Receives what the server sends ahead, and drops what was given on before a gap, or the rest of
  /// a frame.
  ///
  /// - Throws: What the server says or does instead of playing.
  private func gather(from fresh: NetworkConnection) throws(DecoderFailure) {
    guard !fresh.sendsText else {
      throw DecoderFailure(.notAudio, "the server sends a text instead of sound")
    }
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: NetworkInput.bufferSize)
    var changes: [(place: Int, title: StreamTitle)] = []
    var began: Int?
    while bytes.count < Self.burst.bytes {
      let got = fresh.read(&portion, CInt(portion.count))
      guard got > 0 else {
        throw DecoderFailure(.network, FFmpegError(rawValue: got).whenLost)
      }
      let metadata = fresh.metadata
      if metadata != lastMetadata, let title = ICYMetadata.title(in: metadata) {
        changes.append((bytes.count, title))
      }
      lastMetadata = metadata
      let searched = bytes.count
      bytes += portion.prefix(Int(got))
      if let end = seam.end(in: bytes, searched: searched) {
        return goOn(with: bytes, from: end, changes)
      }
      // At the beginning there is no gap to find the end of.
      if given == 0, knowsBeginning(of: bytes) { break }
      let now = SteadyClock.milliseconds()
      if given > 0, now - (began ?? now) > Self.burst.milliseconds { break }
      began = began ?? now
    }
    let sync = Self.hasMagic(bytes) ? nil : FrameSync.find(in: bytes)
    if given == 0 { format = sync?.kind.rawValue }
    goOn(with: bytes, from: sync?.offset ?? 0, changes)
  }

  /// Whether it can be said what the stream is, or never will.
  private func knowsBeginning(of bytes: [UInt8]) -> Bool {
    Self.hasMagic(bytes) || bytes.count >= Self.beginning || FrameSync.find(in: bytes) != nil
  }

  /// Whether a container begins here, whose beginning every listener is sent.
  private static func hasMagic(_ bytes: [UInt8]) -> Bool {
    ["OggS", "fLaC"].contains { bytes.starts(with: $0.utf8) }
  }

  private func goOn(
    with bytes: [UInt8], from start: Int, _ changes: [(place: Int, title: StreamTitle)]
  ) {
    waiting = Array(bytes[start...])
    for change in changes {
      titles.append((given + Int64(max(0, change.place - start)), change.title))
    }
  }
}

/// Time for waiting.
private enum SteadyClock {
  static func milliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
  }

  static func sleep(_ milliseconds: Int) {
    var wanted = timespec(
      tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
    var rest = timespec()
    while nanosleep(&wanted, &rest) != 0, errno == EINTR { wanted = rest }
  }
}

// libavformat calls it on the thread that reads, while the OpenContainer that owns the
// BroadcastInput is alive.
private func readBroadcast(
  _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ size: CInt
) -> CInt {
  guard let opaque, let buffer, size > 0 else { return FFmpegError.endOfFile.rawValue }
  let input = Unmanaged<BroadcastInput>.fromOpaque(opaque).takeUnretainedValue()
  return CInt(input.read(buffer, Int(size)))
}
