// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CAvahi

// Who owns what:
//
//   AvahiClient (ours; any thread) --owns--> AvahiSession (Avahi's thread) --owns--> C objects
//
// Callbacks know the session only, so the client can be let go on any thread: its deinit ends
// Avahi's thread first, and nothing calls the session after that.

/// Announces services and finds those of others, by the avahi-daemon of this host.
///
/// It can be made whether or not the daemon and D-Bus are there, and lives through their restarts.
/// Changing what is published or browsed never blocks.
///
/// - Thread: any. The handler is called on Avahi's own thread: it should hand the event on, and must
///   not let go of the last reference to the client.
public final class AvahiClient: Sendable {
  private let session: AvahiSession
  /// Called when no event will come any more.
  private let ended: @Sendable () -> Void

  /// Starts to work on Avahi's own thread.
  ///
  /// - Parameters:
  ///   - publishing: What to announce.
  ///   - browsing: Types to look for, such as `_tutti-speaker._tcp`.
  ///   - retry: How the wait between attempts grows while the daemon is not there.
  ///   - handler: Told of each change.
  /// - Throws: `DiscoveryError` when the thread cannot be started.
  public convenience init(
    publishing: [ServiceAnnouncement] = [], browsing: [String] = [], retry: RetryPace = RetryPace(),
    handler: @escaping @Sendable (DiscoveryEvent) -> Void
  ) throws(DiscoveryError) {
    try self.init(
      publishing: publishing, browsing: browsing, retry: retry, handler: handler, ended: {})
  }

  private init(
    publishing: [ServiceAnnouncement], browsing: [String], retry: RetryPace,
    handler: @escaping @Sendable (DiscoveryEvent) -> Void, ended: @escaping @Sendable () -> Void
  ) throws(DiscoveryError) {
    self.ended = ended
    session = try AvahiSession(
      wishes: Wishes(publishing: publishing, browsing: browsing), retry: retry, handler: handler)
    try session.start()
  }

  deinit {
    session.stop()
    ended()
  }

  /// Announces `services` from now on, and none else.
  public func publish(_ services: [ServiceAnnouncement]) {
    session.change { $0.publishing = services }
  }

  /// Looks for services of these `types` from now on, and none else.
  public func browse(_ types: [String]) {
    session.change { $0.browsing = types }
  }

  /// A client and its events as a sequence; the newest 1,024 wait for a slow reader.
  ///
  /// - Parameters:
  ///   - publishing: What to announce.
  ///   - browsing: Types to look for.
  /// - Returns: The client, which must be kept, and its events, which end with it.
  /// - Throws: `DiscoveryError` when Avahi's thread cannot be started.
  public static func withEvents(
    publishing: [ServiceAnnouncement] = [], browsing: [String] = []
  ) throws(DiscoveryError) -> (client: AvahiClient, events: AsyncStream<DiscoveryEvent>) {
    let (events, continuation) = AsyncStream.makeStream(
      of: DiscoveryEvent.self, bufferingPolicy: .bufferingNewest(1_024))
    let client = try AvahiClient(
      publishing: publishing, browsing: browsing, retry: RetryPace(),
      handler: { continuation.yield($0) }, ended: { continuation.finish() })
    return (client, events)
  }
}

/// What the owner of a client wants; the session makes it so whenever the daemon is there.
struct Wishes: Sendable, Hashable {
  var publishing: [ServiceAnnouncement]
  var browsing: [String]
}

/// How long to wait before the next attempt to reach the daemon.
public struct RetryPace: Sendable, Hashable {
  /// Before the first new attempt, in milliseconds.
  public var firstMilliseconds: Int
  /// The wait doubles up to this.
  public var maximumMilliseconds: Int

  /// The wait before the next attempt, and what it becomes afterwards.
  var current: Int

  /// A pace; by default from half a second to ten.
  public init(firstMilliseconds: Int = 500, maximumMilliseconds: Int = 10_000) {
    self.firstMilliseconds = firstMilliseconds
    self.maximumMilliseconds = maximumMilliseconds
    current = firstMilliseconds
  }

  mutating func next() -> Int {
    defer { current = min(current * 2, maximumMilliseconds) }
    return current
  }

  mutating func reset() { current = firstMilliseconds }
}

/// Why discovery cannot work at all.
public struct DiscoveryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence for a person.
  public var description: String
}
