// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import Playout
internal import WireProtocol

/// What the network thread tells about itself: read by the control thread for reports.
struct NetworkStatus: Sendable {
  /// Where the stream is on its way to the loudspeaker.
  enum StreamPhase: Sendable, Hashable {
    /// There is none.
    case none
    /// It is there, the media clock is not known.
    case waitingForClock
    /// It is there, its first frame is not due or not at hand.
    case buffering
    /// It sounds.
    case playing
    /// It fades out.
    case stopping
  }

  var stream = StreamPhase.none
  var ssrc: SSRC?
  var playedFrame: MediaFrame?
  var buffered = Nanoseconds.zero
  var jitter = Nanoseconds.zero
  var received: UInt64 = 0
  var late: UInt64 = 0
  var lost: UInt64 = 0
  var repaired: UInt64 = 0
  var concealed: UInt64 = 0
  var discarded: UInt64 = 0
  var requested: UInt64 = 0
  var superfluous: UInt64 = 0
  /// Since the last report.
  var delivery = DeliveryPeaks()
  var clockSigma: Nanoseconds?
  var clockBound: Nanoseconds?
  var hostFrequency: PartsPerMillion?
  var clockRepliesRefused: UInt64 = 0
  /// Whether the clock is known well enough to play by.
  var isClockSettled = false
  /// Whether the clock was watched for long enough for its frequency to be remembered.
  var isFrequencyLearnt = false
}
