// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DecoderProtocol
internal import House

// A live stream differs from a file in three things here: what it plays changes under way, which is
// told when it is *heard*; it comes in real time, so that what is in hand at its start is all there
// will ever be to bridge an outage; and it has no end.

/// A title of a live stream, and when it is heard.
struct LaidOutTitle: Sendable, Hashable {
  var itemID: ItemID
  /// The stamp of the first frame under this title.
  var frame: MediaFrame
  var title: StreamTitle
}

extension StreamProducer {
  /// What a live stream begins with, in frames: 1 s. A server that sends something ahead, as nearly
  /// all do, has sent more than this before the first packet is decoded; with one that does not, the
  /// music begins a second later, and then survives stalls of a second.
  static var liveReserve: Int64 { MediaFrame.rate }

  /// What must have been read before `start` may begin, beyond what it asks for itself.
  func reserve(of start: PendingStart) -> Int64 {
    start.line.history.mark(at: start.content)?.info.isLive == true ? Self.liveReserve : 0
  }

  /// Lays out the titles that are in force at the beginning of `content` or change in it.
  func layOutTitles(in content: Range<Int64>) {
    guard let current = generation else { return }
    for mark in current.history.titles(in: content) {
      let laidOut = LaidOutTitle(
        itemID: mark.itemID, frame: current.stamp(of: max(mark.content, content.lowerBound)),
        title: mark.title)
      if let last = unheardTitles.last ?? heardTitle,
        last.itemID == laidOut.itemID, last.title == laidOut.title
      {
        continue
      }
      unheardTitles.append(laidOut)
    }
  }

  /// Forgets what is to begin at or after `frame`.
  func forgetUnheard(from frame: MediaFrame) {
    unheard.removeAll { $0.firstFrame >= frame }
    unheardTitles.removeAll { $0.frame >= frame }
  }

  /// Reports the titles whose first frame is heard by now.
  func tellHeardTitles(at heard: MediaFrame) {
    while let next = unheardTitles.first, next.frame <= heard {
      unheardTitles.removeFirst()
      heardTitle = next
      emit(.titleHeard(next.itemID, next.title))
    }
  }
}
