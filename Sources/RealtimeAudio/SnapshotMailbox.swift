// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Synchronization

// The latest value wins: one thread publishes a snapshot, one or more threads read it.
//
// A plain sequence lock makes the reader spin while the writer is in the middle, and an audio thread
// that spins for a thread of lower priority never returns. So there are two slots: version v lies in
// slot v & 1, and the writer fills the other slot before it announces v + 1. A reader is disturbed only
// when two publications overtake it in one read; it tries a few times, then keeps what it had.
//
// Every word is an atomic, stored with release and loaded with acquire: whoever sees a word of version
// v + 2 also sees that v + 1 was announced, and throws the copy away. No fences, clean under TSan.

/// The concrete, allocation-free half: words in, words out. Owned by a `SnapshotMailbox`.
public struct WordMailbox: @unchecked Sendable, BitwiseCopyable {
  // @unchecked: pointers to atomics that the owner keeps alive.
  private let version: UnsafeMutablePointer<Atomic<UInt64>>
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let byteCount: Int
  private let wordCount: Int

  /// Tries before the reader keeps its old copy.
  private static var attempts: Int { @_noLocks get { 4 } }

  fileprivate init(byteCount: Int) {
    self.byteCount = byteCount
    wordCount = (byteCount + 7) / 8
    version = .allocate(capacity: 1)
    version.initialize(to: Atomic(0))
    words = .allocate(capacity: 2 * wordCount)
    for index in 0..<2 * wordCount { (words + index).initialize(to: Atomic(0)) }
  }

  /// Not real-time: runs when both threads have ended.
  fileprivate func free() {
    version.deinitialize(count: 1)
    version.deallocate()
    words.deinitialize(count: 2 * wordCount)
    words.deallocate()
  }

  /// Publishes the bytes at `source`. One writer thread.
  @_noLocks public func store(from source: UnsafeRawPointer) {
    let next = version.pointee.load(ordering: .relaxed) &+ 1
    let slot = words + Int(next & 1) * wordCount
    for index in 0..<wordCount {
      slot[index].store(word(at: 8 * index, of: source), ordering: .releasing)
    }
    version.pointee.store(next, ordering: .releasing)
  }

  /// Copies the latest snapshot to `target`.
  ///
  /// - Parameter target: Room for the payload; its content is undefined when the answer is false.
  /// - Returns: Whether the copy is whole. False before the first `store` too.
  @_noLocks public func load(into target: UnsafeMutableRawPointer) -> Bool {
    for _ in 0..<Self.attempts {
      let before = version.pointee.load(ordering: .acquiring)
      if before == 0 { return false }
      let slot = words + Int(before & 1) * wordCount
      for index in 0..<wordCount {
        put(slot[index].load(ordering: .acquiring), at: 8 * index, of: target)
      }
      if version.pointee.load(ordering: .relaxed) == before { return true }
    }
    return false
  }

  /// The word at `offset`; the last one may be short, and nothing beyond the payload is touched.
  @_noLocks private func word(at offset: Int, of source: UnsafeRawPointer) -> UInt64 {
    if byteCount - offset >= 8 {
      return source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    var word: UInt64 = 0
    for byte in offset..<byteCount {
      let value = source.load(fromByteOffset: byte, as: UInt8.self)
      word |= UInt64(value) << UInt64(8 * (byte - offset))
    }
    return word
  }

  @_noLocks private func put(_ word: UInt64, at offset: Int, of target: UnsafeMutableRawPointer) {
    if byteCount - offset >= 8 {
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      return
    }
    for byte in offset..<byteCount {
      target.storeBytes(
        of: UInt8(truncatingIfNeeded: word >> UInt64(8 * (byte - offset))), toByteOffset: byte,
        as: UInt8.self)
    }
  }

  /// Counts publications: unchanged means that nothing new is there.
  public var latestVersion: UInt64 {
    @_noLocks get { version.pointee.load(ordering: .acquiring) }
  }
}

/// Hands the latest `Payload` from one writer thread to the audio thread, without locks or waiting.
///
/// The payload is plain words: no references. Call from a concrete function, so that the optimiser
/// sees the payload's type.
public final class SnapshotMailbox<Payload: BitwiseCopyable & Sendable>: Sendable {
  /// The untyped half, for callers that must not touch a class reference.
  public let words: WordMailbox

  /// A mailbox that holds nothing yet.
  public init() { words = WordMailbox(byteCount: MemoryLayout<Payload>.size) }

  deinit { words.free() }

  /// Publishes `payload`. One writer thread.
  /// Not real-time: by its annotation alone, which generic code cannot carry; what it calls is checked.
  @inlinable public func store(_ payload: Payload) {
    withUnsafeBytes(of: payload) { bytes in
      if let base = bytes.baseAddress { words.store(from: base) }
    }
  }

  /// Replaces `payload` by the latest snapshot.
  ///
  /// - Parameter payload: Left alone when the answer is false.
  /// - Returns: False when nothing was stored yet, or the writer was too quick: keep the old one.
  /// Not real-time: by its annotation alone, which generic code cannot carry; what it calls is checked.
  @inlinable public func load(into payload: inout Payload) -> Bool {
    var copy = payload
    let isWhole = withUnsafeMutableBytes(of: &copy) { bytes in
      bytes.baseAddress.map { words.load(into: $0) } ?? false
    }
    if isWhole { payload = copy }
    return isWhole
  }
}
