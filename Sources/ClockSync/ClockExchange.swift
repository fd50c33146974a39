// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// The four stamps of one question about the time (RFC 5905, section 8).
///
///     this host    sent ──────────────┐         ┌────────► returned
///     coordinator            received ▼─────────▲ transmitted
public struct ClockExchange: Sendable, Hashable, BitwiseCopyable {
  /// When the request left this host.
  public var sent: LocalInstant
  /// When the request reached the coordinator.
  public var received: MediaInstant
  /// When the reply left the coordinator.
  public var transmitted: MediaInstant
  /// When the reply reached this host.
  public var returned: LocalInstant

  /// An exchange with these stamps.
  public init(
    sent: LocalInstant, received: MediaInstant, transmitted: MediaInstant, returned: LocalInstant
  ) {
    self.sent = sent
    self.received = received
    self.transmitted = transmitted
    self.returned = returned
  }

  /// The time spent on the network, there and back.
  public var roundTrip: Nanoseconds { (returned - sent) - (transmitted - received) }

  /// The middle of the exchange, the moment that its offset belongs to.
  public var middle: LocalInstant { sent + (returned - sent) / 2 }

  /// Whether the stamps are in an order that time allows and young enough to be of use.
  ///
  /// Stamps of a peer are outside data: anything may stand in them. An instant reply on a fast
  /// host may measure a few microseconds less than no time, hence the slack.
  var isPossible: Bool {
    let waited = returned - sent
    let served = transmitted - received
    return waited > .zero && waited <= Self.longestWait
      && served >= .zero && served <= waited + Self.stampSlack
  }

  /// Media time less local time beyond `base` nanoseconds, assuming equally long ways; in seconds.
  ///
  /// Subtracted as integers first: the absolute values need 62 bits and a `Double` has 53.
  func offset(beyond base: Int64) -> Double {
    let there = received.nanosecondsSince1900 &- sent.nanoseconds &- base
    let back = transmitted.nanosecondsSince1900 &- returned.nanoseconds &- base
    return (Double(there) + Double(back)) * 0.5e-9
  }

  /// Delay there beyond `base` (media less local nanoseconds), in seconds: offset and way.
  func delayThere(beyond base: Int64) -> Double {
    Double(received.nanosecondsSince1900 &- sent.nanoseconds &- base) * 1e-9
  }

  /// Delay back beyond minus `base`, in seconds: way less offset.
  func delayBack(beyond base: Int64) -> Double {
    Double(returned.nanoseconds &- transmitted.nanosecondsSince1900 &+ base) * 1e-9
  }

  /// Replies that took longer say less than holdover does.
  static let longestWait = Nanoseconds.seconds(1)

  /// Kernel stamps converted by sandwich are good to well under this.
  static let stampSlack = Nanoseconds.microseconds(20)
}
