// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DecoderProtocol
internal import House
internal import LinuxNetworking
internal import Synchronization

// A *line* is a chain of tracks read one after the other without a gap, numbered in content frames
// from 0. The reader thread writes it, the producer thread reads it; this is all they share.
//
//   content   0            m1                 m2           end
//             |- track A --|---- track B -----|- track C --|
//                    ^ heard         ^ encoded       ^ read
//             |<- D + 1 s kept behind ->|<- ahead ->|
//
// Kept behind what is encoded: enough to go on after a pause at the very sample that was heard last.
//
// A follower that was read already may be taken back. Whatever the reader still does for it carries
// an older *epoch* and is refused.

/// Where a track begins in a line.
struct TrackMark: Sendable {
  var itemID: ItemID
  /// The first content frame of the track.
  var content: Int64
  /// The frame of the track that this is.
  var sourceFrame: Int64
  var info: MediaInfo
}

/// Where the title of a live stream changes in a line.
struct TitleMark: Sendable {
  var itemID: ItemID
  /// The first content frame under this title.
  var content: Int64
  var title: StreamTitle
}

/// What follows the track that is being read.
enum Successor: Sendable {
  /// Nobody has said yet.
  case unknown
  /// Nothing does.
  case none
  case track(TrackRequest)

  init(_ track: TrackRequest?) { self = track.map { .track($0) } ?? .none }
}

/// The decoded music between reader and producer, with its recent past.
final class PCMHistory: Sendable {
  private struct State {
    var ring: FrameRing
    var marks: [TrackMark] = []
    /// What live streams play from where on, in order.
    var titles: [TitleMark] = []
    /// How far the reader may be ahead of the producer.
    var ahead: Int64
    /// The track that the reader took on last, opened or not.
    var taken: ItemID?
    /// What the producer has used up.
    var consumed: Int64 = 0
    var successor: Successor
    var epoch = 0
    var isFinished = false
    var isCancelled = false
    /// Whether the reader has reached the end of its track and waits for a successor.
    var isParked = false
    /// What the reader is blocked on, so that it can be freed.
    var source: (any PCMSource)?
  }

  /// How far the reader may be ahead of the producer in a live stream, in frames: what a server sends
  /// in one go when one connects is worth keeping, as it bridges the next outage. With the delay of
  /// 6 s that makes ten, more than Icecast's usual 64 KiB hold from 64 kbit/s up (8 s).
  static let liveAhead: Int64 = 4 * MediaFrame.rate
  /// Titles that are kept; a station that changes its title twice a second has other troubles.
  static let mostTitles = 32

  private let state: Mutex<State>
  private let readerPoller: Poller
  private let wakeProducer: @Sendable () -> Void

  /// An empty line.
  ///
  /// - Parameters:
  ///   - first: The track it begins with.
  ///   - behind: Frames kept behind the producer.
  ///   - ahead: Frames read ahead of it.
  ///   - wakeProducer: Called when there is something new.
  /// - Throws: `NetworkError` when the process is out of descriptors.
  init(
    first: TrackRequest, behind: Int64, ahead: Int64, wakeProducer: @escaping @Sendable () -> Void
  ) throws(NetworkError) {
    self.wakeProducer = wakeProducer
    readerPoller = try Poller()
    state = Mutex(
      State(
        ring: FrameRing(capacity: behind + ahead), ahead: ahead, successor: .track(first)))
  }

  // MARK: The reader's side

  /// What the reader does next.
  enum Instruction: Sendable {
    case read(TrackRequest, epoch: Int)
    case stop
  }

  /// Blocks until it is known what to read next. When nothing follows, the line is finished, and
  /// the reader stays here in case something comes after all.
  func nextInstruction() -> Instruction {
    while true {
      let (instruction, isNews) = state.withLock { state -> (Instruction?, Bool) in
        if state.isCancelled { return (.stop, false) }
        state.isParked = true
        switch state.successor {
        case .track(let track):
          state.successor = .unknown
          state.taken = track.itemID
          state.isParked = false
          return (.read(track, epoch: state.epoch), false)
        case .none:
          defer { state.isFinished = true }
          return (nil, !state.isFinished)
        case .unknown: return (nil, true)
        }
      }
      if let instruction { return instruction }
      if isNews { wakeProducer() }
      readerPoller.wait(until: nil) { _ in }
    }
  }

  /// A track has been opened; its frames follow.
  ///
  /// - Returns: Whether it is still wanted.
  func begin(_ source: any PCMSource, for track: TrackRequest, epoch: Int) -> Bool {
    state.withLock { state in
      guard epoch == state.epoch, !state.isCancelled else { return false }
      state.source = source
      state.marks.append(
        TrackMark(
          itemID: track.itemID, content: state.ring.end, sourceFrame: track.startFrame,
          info: source.info))
      if source.info.isLive, state.ahead < Self.liveAhead {
        state.ring.enlarge(to: state.ring.capacity + Self.liveAhead - state.ahead)
        state.ahead = Self.liveAhead
      }
      return true
    }
  }

  /// The track that is being read goes on with another source.
  ///
  /// - Returns: Whether it is still wanted.
  func adopt(_ source: any PCMSource, epoch: Int) -> Bool {
    state.withLock { state in
      guard epoch == state.epoch, !state.isCancelled else { return false }
      state.source = source
      return true
    }
  }

  /// Blocks for so long, or until the track that is being read is not wanted any more.
  ///
  /// - Returns: Whether it is still wanted.
  func rest(milliseconds: Int, epoch: Int) -> Bool {
    let end = LocalClock.now() + .milliseconds(Int64(milliseconds))
    while state.withLock({ epoch == $0.epoch && !$0.isCancelled }) {
      guard LocalClock.now() < end else { return true }
      readerPoller.wait(until: end) { _ in }
    }
    return false
  }

  /// Writes frames; blocks while the reader is far enough ahead.
  ///
  /// - Returns: Whether more of this track is wanted.
  func append(_ samples: [Float], epoch: Int) -> Bool {
    var rest = samples[...]
    while true {
      let isWanted = state.withLock { state -> Bool in
        guard epoch == state.epoch, !state.isCancelled else { return false }
        let room = max(0, state.consumed + state.ahead - state.ring.end)
        let count = min(Int(room) * 2, rest.count)
        state.ring.append(rest.prefix(count))
        rest = rest.dropFirst(count)
        return true
      }
      wakeProducer()
      if !isWanted || rest.isEmpty { return isWanted }
      readerPoller.wait(until: nil) { _ in }
    }
  }

  /// The title of a live stream has changed, from the next frames on.
  func note(_ title: StreamTitle, of item: ItemID, epoch: Int) {
    state.withLock { state in
      guard epoch == state.epoch, !state.isCancelled else { return }
      let content = state.ring.end
      state.titles.removeAll { $0.content == content }
      state.titles.append(TitleMark(itemID: item, content: content, title: title))
      // Of those that nobody can go back to, the last is in force.
      let past = state.titles.prefix { $0.content <= state.ring.start }.count
      state.titles.removeFirst(max(0, past - 1, state.titles.count - Self.mostTitles))
    }
  }

  // MARK: The producer's side

  /// How far the line has been read, and whether it ends there.
  var extent: (end: Int64, isFinished: Bool) {
    state.withLock { ($0.ring.end, $0.isFinished) }
  }

  /// Whether the reader is at the end of its track and waits to be told what follows.
  var awaitsSuccessor: Bool {
    state.withLock { if case .unknown = $0.successor { $0.isParked } else { false } }
  }

  /// Copies frames; see `FrameRing.read`.
  func read(_ frames: Int, from first: Int64, into block: inout [Float]) {
    state.withLock { $0.ring.read(frames, from: first, into: &block) }
  }

  /// Says that everything before `content` has been encoded: the reader may go on.
  func consume(to content: Int64) {
    let moved = state.withLock { state in
      defer { state.consumed = max(state.consumed, content) }
      return content > state.consumed
    }
    if moved { readerPoller.wake() }
  }

  /// The track that `content` belongs to.
  func mark(at content: Int64) -> TrackMark? {
    state.withLock { state in state.marks.last { $0.content <= content } ?? state.marks.first }
  }

  /// Where tracks begin in `range`; of several at one frame only the last, which is the one heard.
  func marks(in range: Range<Int64>) -> [TrackMark] {
    let found = state.withLock { $0.marks.filter { range.contains($0.content) } }
    return found.enumerated().filter { index, mark in
      index + 1 == found.count || found[index + 1].content > mark.content
    }.map(\.element)
  }

  /// The titles that change in `range`; at its beginning the one in force there.
  func titles(in range: Range<Int64>) -> [TitleMark] {
    state.withLock { state in
      var found = state.titles.filter { range.contains($0.content) }
      if found.first?.content != range.lowerBound,
        let before = state.titles.last(where: { $0.content < range.lowerBound }),
        state.marks.last(where: { $0.content <= range.lowerBound })?.itemID == before.itemID
      {
        found.insert(before, at: 0)
      }
      return found
    }
  }

  /// Where a track stands in the line.
  enum Place: Equatable {
    /// It is the one that the reader took on last.
    case last
    /// Another was taken on behind it, at this content frame or not opened yet.
    case followed(at: Int64)
    case unknown
  }

  /// Where `item` stands; of several with one name, the last.
  func place(of item: ItemID) -> Place {
    state.withLock { state in
      if state.taken == item { return .last }
      guard let index = state.marks.lastIndex(where: { $0.itemID == item }) else { return .unknown }
      let next = index + 1
      return .followed(at: next < state.marks.count ? state.marks[next].content : state.ring.end)
    }
  }

  /// Says what follows the track that is being read.
  func follow(with successor: Successor) {
    state.withLock { state in
      state.successor = successor
      if case .track = successor { state.isFinished = false }
    }
    readerPoller.wake()
  }

  /// Takes back everything from `content` on and lets `successor` follow there.
  func replace(from content: Int64, with successor: Successor) {
    let source = state.withLock { state in
      state.epoch += 1
      state.ring.truncate(at: content)
      state.marks.removeAll { $0.content >= content && $0.content > 0 }
      state.titles.removeAll { $0.content >= content }
      state.consumed = min(state.consumed, content)
      state.taken = nil
      state.successor = successor
      state.isFinished = false
      defer { state.source = nil }
      return state.source
    }
    source?.cancel()
    readerPoller.wake()
  }

  /// Frees the reader; the line is not read any further.
  func cancel() {
    let source = state.withLock { state in
      state.isCancelled = true
      defer { state.source = nil }
      return state.source
    }
    source?.cancel()
    readerPoller.wake()
  }
}
