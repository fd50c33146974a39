// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DecoderProtocol
internal import House

extension Coordinator {
  /// So long before its first sample is heard a track's disk is woken: spinning up takes about ten seconds.
  static var wakingLead: Nanoseconds { .seconds(20) }

  /// Each second: wakes the disk of the track that will follow, once, when the current one nears its end. Of a
  /// track of unknown length the end may always be near.
  func wakeNextDisk() {
    guard transport.state == .playing, let current = transport.queue.currentItem,
      let next = transport.queue.successor(of: current.id, skipping: failedItems),
      next != current.id, next != wokenFor, let item = transport.queue.item(next)
    else { return }
    if let duration = durationFrames(of: current), let frame = currentFrame() {
      guard duration - frame <= Int64(Self.wakingLead.inSeconds) * MediaFrame.rate else { return }
    }
    wokenFor = next
    guard let source = source(of: item), case .media(let location) = source,
      case .file(let path) = location
    else { return }
    parts.waker.wake(path)
  }

  private var failedItems: Set<ItemID> { Set(transport.failures.map(\.item)) }
}
