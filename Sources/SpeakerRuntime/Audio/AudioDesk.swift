// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import LinuxNetworking
internal import Playout
internal import RealtimeAudio
internal import Synchronization

/// What the audio thread does.
enum DevicePhase: UInt8, Sendable, BitwiseCopyable {
  /// Closed: nobody wants sound.
  case closed
  /// Being opened.
  case opening
  /// Running, on music or silence.
  case running
  /// It failed; another attempt follows. The words are on the desk.
  case trouble
}

/// What the audio thread tells about itself, ten times a second.
struct AudioReport: Sendable, BitwiseCopyable {
  var phase = DevicePhase.closed
  /// Whether the card is known well enough for sound to start exactly.
  var isReady = false
  /// The card's crystal against this host's clock, once known.
  var cardFrequency: PartsPerMillion?
  /// Whether the crystal was watched for long enough to be remembered.
  var isFrequencyLearnt = false
  /// What the device holds.
  var outputLatency: Nanoseconds?
  var syncError = SyncErrorReport.nothing
  /// Times the device ran dry, since the program started.
  var underruns: UInt64 = 0
  /// Cross-faded jumps, since the program started.
  var resyncs: UInt64 = 0
}

/// Where the audio thread and the others meet: snapshots in, reports out, nobody waits.
///
/// `snapshots` is written by the network thread alone, `reports` by the audio thread alone.
final class AudioDesk: Sendable {
  let snapshots = SnapshotMailbox<PlayoutSnapshot>()
  let reports = SnapshotMailbox<AudioReport>()
  let bank = LaneBank()
  private let poller: Poller
  private let isWanted = Atomic(false)
  private let isQuitting = Atomic(false)
  /// Nanoseconds; zero: no limit.
  private let longestFill = Atomic<Int64>(0)
  private let troubleWords = Mutex("")

  init() throws(NetworkError) { poller = try Poller() }

  /// Asks for the device to be open, or not.
  func setWanted(_ wanted: Bool) {
    let before = isWanted.exchange(wanted, ordering: .acquiringAndReleasing)
    if before != wanted { poller.wake() }
  }

  /// Asks for no more than this to be kept in the device; nil: as much as the thread likes.
  func setFill(_ limit: Nanoseconds?) {
    longestFill.store(limit?.count ?? 0, ordering: .relaxed)
  }

  /// How much may be kept in the device; nil: as much as the thread likes.
  var fillLimit: Nanoseconds? {
    let limit = longestFill.load(ordering: .relaxed)
    return limit > 0 ? Nanoseconds(limit) : nil
  }

  /// Ends the audio thread.
  func quit() {
    isQuitting.store(true, ordering: .releasing)
    poller.wake()
  }

  /// Whether the device is to be open.
  var wantsDevice: Bool {
    isWanted.load(ordering: .acquiring) && !isQuitting.load(ordering: .acquiring)
  }

  /// Whether the thread is to go on.
  var goesOn: Bool { !isQuitting.load(ordering: .acquiring) }

  /// Waits until something was asked for, at most until `deadline`.
  func waitForRequest(until deadline: LocalInstant?) { poller.wait(until: deadline) { _ in } }

  /// What is wrong with the device, for people; empty when nothing is.
  var trouble: String {
    get { troubleWords.withLock { $0 } }
    set { troubleWords.withLock { $0 = newValue } }
  }
}
