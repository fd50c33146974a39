// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import LinuxNetworking
internal import WireProtocol

/// What the control thread asks of the network thread.
enum NetworkCommand: Sendable {
  /// This node is the coordinator: its clock service is there, its clock's frequency was this.
  case coordinator(clock: SocketAddress, priorFrequency: PartsPerMillion?)
  /// A generation starts; `peer` is the coordinator's end of the link.
  case announce(StreamAnnounce, peer: SocketAddress)
  /// A generation has no more audio.
  case streamEnd(StreamEnd)
  /// A generation stops at a frame.
  case flush(FlushPacket)
  /// Be ready to sound.
  case arm(Nanoseconds)
  /// Amplitude 0...1, reached in 20 ms.
  case gain(Float)
  /// How much later than the group the device is fed: minus the room's latency setting.
  case lateness(Nanoseconds)
}

/// The cubic law: each step of the 100 sounds like one.
///
/// - Parameters:
///   - volume: 0...100.
///   - muted: Silent whatever the volume is.
/// - Returns: The amplitude, 0...1.
func amplitude(volume: Int, muted: Bool) -> Float {
  guard !muted else { return 0 }
  let level = Float(min(max(volume, 0), 100)) / 100
  return level * level * level
}
