// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CAvahi

/// Avahi's event loop on its own thread, with timers and descriptors for ourselves.
///
/// `@unchecked Sendable`: `raw` is made here and freed in deinit; between `start` and `stop` all
/// other methods are called on Avahi's thread only, which holds Avahi's lock.
final class EventLoop: @unchecked Sendable {
  private let raw: OpaquePointer
  private var isRunning = false
  private var watched: [Watched] = []

  /// What Avahi's own objects are made with.
  var api: UnsafePointer<AvahiPoll> { avahi_threaded_poll_get(raw) }

  init() throws(DiscoveryError) {
    guard let raw = avahi_threaded_poll_new() else {
      throw DiscoveryError(description: "cannot make Avahi's event loop: out of memory")
    }
    self.raw = raw
  }

  deinit {
    stop()
    watched = []
    avahi_threaded_poll_free(raw)
  }

  func start() throws(DiscoveryError) {
    guard avahi_threaded_poll_start(raw) == 0 else {
      throw DiscoveryError(description: "cannot start Avahi's thread: the system has no more")
    }
    isRunning = true
  }

  /// Waits for the thread to end; not to be called on it.
  func stop() {
    if isRunning { avahi_threaded_poll_stop(raw) }
    isRunning = false
  }

  /// Calls `body` whenever `descriptor` is readable, as long as the loop lives.
  func watch(_ descriptor: Int32, _ body: @escaping () -> Void) {
    watched.append(Watched(api: api, descriptor: descriptor, body: body))
  }

  /// Calls `body` once; letting go of the timer cancels it.
  func timer(afterMilliseconds delay: Int, _ body: @escaping () -> Void) -> Timer {
    Timer(api: api, milliseconds: delay, body: body)
  }

  /// A descriptor that is watched while this lives.
  private final class Watched {
    private let api: UnsafePointer<AvahiPoll>
    private var raw: OpaquePointer?
    let body: () -> Void

    init(api: UnsafePointer<AvahiPoll>, descriptor: Int32, body: @escaping () -> Void) {
      self.api = api
      self.body = body
      raw = api.pointee.watch_new?(
        api, descriptor, AVAHI_WATCH_IN, descriptorReady, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { if let raw { api.pointee.watch_free?(raw) } }
  }

  /// A timeout that is pending while this lives.
  final class Timer {
    private let api: UnsafePointer<AvahiPoll>
    private var raw: OpaquePointer?
    let body: () -> Void

    init(api: UnsafePointer<AvahiPoll>, milliseconds: Int, body: @escaping () -> Void) {
      self.api = api
      self.body = body
      var moment = timeval()
      avahi_elapse_time(&moment, UInt32(milliseconds), 0)
      raw = api.pointee.timeout_new?(
        api, &moment, timeIsUp, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { if let raw { api.pointee.timeout_free?(raw) } }

    fileprivate func fire() { body() }
  }

  fileprivate static func ready(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Watched>.fromOpaque(context).takeUnretainedValue().body()
  }
}

private func descriptorReady(
  _: OpaquePointer?, _: Int32, _: AvahiWatchEvent, context: UnsafeMutableRawPointer?
) {
  if let context { EventLoop.ready(context) }
}

private func timeIsUp(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  // Retained for the call: the body may well let go of its own timer.
  Unmanaged<EventLoop.Timer>.fromOpaque(context).takeUnretainedValue().fire()
}
