// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CAvahi
internal import Glibc
internal import Synchronization

/// The part of a client that lives on Avahi's thread: it keeps a connection to the daemon, and has
/// a publisher and a browser work through it while it stands.
///
/// `@unchecked Sendable`: every `var` is touched by Avahi's thread only, from its callbacks, or
/// while that thread does not run (before `start` has started it, after `stop` has joined it).
/// `wishes` has its own lock; the pipe's ends are written and read by system calls.
final class AvahiSession: @unchecked Sendable {
  let poll: EventLoop
  private let wishes: Mutex<Wishes>
  private let handler: @Sendable (DiscoveryEvent) -> Void
  private let wakeup: WakeupPipe
  private var retry: RetryPace
  private var client: OpaquePointer?
  private var timer: EventLoop.Timer?
  private var publisher: Publisher?
  private var browser: Browser?
  /// What was last said about the daemon; nil before anything was.
  private var saidAvailable: Bool?

  init(
    wishes: Wishes, retry: RetryPace, handler: @escaping @Sendable (DiscoveryEvent) -> Void
  ) throws(DiscoveryError) {
    self.wishes = Mutex(wishes)
    self.retry = retry
    self.handler = handler
    poll = try EventLoop()
    wakeup = try WakeupPipe()
  }

  // A timer must go before the loop it belongs to.
  deinit { timer = nil }

  /// Starts Avahi's thread; the first connection is made on it.
  func start() throws(DiscoveryError) {
    poll.watch(wakeup.readEnd) { [unowned self] in
      wakeup.drain()
      applyWishes()
    }
    schedule(afterMilliseconds: 0)
    try poll.start()
  }

  /// Ends Avahi's thread and takes everything off the network.
  func stop() {
    poll.stop()
    disconnect()
    timer = nil
  }

  /// Changes what is wanted; any thread.
  func change(_ body: @Sendable (inout Wishes) -> Void) {
    wishes.withLock { body(&$0) }
    wakeup.signal()
  }

  func tell(_ event: DiscoveryEvent) { handler(event) }

  private func schedule(afterMilliseconds delay: Int) {
    timer = poll.timer(afterMilliseconds: delay) { [unowned self] in connect() }
  }

  /// Drops what is left of the old connection and makes a new one.
  private func connect() {
    timer = nil
    disconnect()
    var code: Int32 = 0
    // NO_FAIL: with D-Bus there but no daemon the client waits for it by itself.
    client = avahi_client_new(
      poll.api, AVAHI_CLIENT_NO_FAIL, clientStateChanged,
      Unmanaged.passUnretained(self).toOpaque(), &code)
    if client == nil { lose(reason: text(code)) }
  }

  private func disconnect() {
    // Avahi frees the browsers and groups of a client with it; ours go first, in order.
    publisher = nil
    browser = nil
    if let client { avahi_client_free(client) }
    client = nil
  }

  /// The daemon's state; the first call comes from within `avahi_client_new`.
  fileprivate func stateChanged(_ client: OpaquePointer, _ state: AvahiClientState) {
    self.client = client
    switch state {
    case AVAHI_CLIENT_S_RUNNING:
      retry.reset()
      say(available: true)
      applyWishes()
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION:
      // The host's own name is changing: services go with it and are announced anew when it runs.
      publisher = nil
    case AVAHI_CLIENT_CONNECTING:
      publisher = nil
      browser = nil
      say(available: false, reason: text(AVAHI_ERR_NO_DAEMON))
    default:
      lose(reason: text(avahi_client_errno(client)))
    }
  }

  /// A client must not be freed in its own callback, so a timer does it with the next attempt.
  private func lose(reason: String) {
    publisher?.abandon()
    say(available: false, reason: reason)
    browser?.loseAll()
    schedule(afterMilliseconds: retry.next())
  }

  private func say(available: Bool, reason: String = "") {
    guard available != saidAvailable else { return }
    saidAvailable = available
    tell(available ? .available : .unavailable(reason: reason))
  }

  /// Makes publisher and browser do what is wanted now.
  private func applyWishes() {
    guard let client, avahi_client_get_state(client) == AVAHI_CLIENT_S_RUNNING else { return }
    let wishes = wishes.withLock { $0 }
    if publisher == nil { publisher = Publisher(client: client, session: self) }
    if browser == nil { browser = Browser(client: client, session: self) }
    publisher?.publish(wishes.publishing)
    browser?.browse(wishes.browsing)
  }
}

/// Avahi's own words for one of its codes.
func text(_ code: some BinaryInteger) -> String {
  avahi_strerror(Int32(code)).map { String(cString: $0) } ?? "error \(code)"
}

private func clientStateChanged(
  client: OpaquePointer?, state: AvahiClientState, context: UnsafeMutableRawPointer?
) {
  guard let client, let context else { return }
  Unmanaged<AvahiSession>.fromOpaque(context).takeUnretainedValue().stateChanged(client, state)
}
