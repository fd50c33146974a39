// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DaemonProcess

/// Serves a handler over HTTP/1.1 on a Unix socket and on this host's loopback, with libwebsockets.
///
/// libwebsockets is used by one thread, its own; the only call that others make is the one to wake
/// it. Handlers run as tasks elsewhere and see neither the thread nor the library.
///
/// Every connection carries one request and ends with its answer: libwebsockets 4.1 (Debian 12) runs
/// in a circle for ever when another request follows a body on the same connection. On a local
/// socket a new connection costs some tens of microseconds.
///
/// ```swift
/// let events = EventHub(boot: boot)
/// let service = try HTTPService(
///   configuration: HTTPConfiguration(
///     unixSocketPath: state.path(of: "control.sock"), loopbackPort: 7700,
///     uploadDirectory: state.path(of: "uploads"), uploadPaths: [APIRoute.uploads.path]),
///   handler: handler, events: events, log: log)
/// events.publish(name: "room", data: json)
/// service.stop()
/// ```
public final class HTTPService: Sendable {
  /// What event streams carry.
  public let events: EventHub
  /// The TCP port on loopback, if there is one.
  public let port: Int?
  private let loop: ServiceLoop
  private let thread: NamedThread

  /// Listens and serves from now on.
  ///
  /// - Parameters:
  ///   - configuration: Where to listen and what to accept.
  ///   - handler: Answers the requests.
  ///   - events: What event streams carry; one hub per service.
  ///   - log: Where the library's messages go, at `debug`.
  /// - Throws: ``HTTPServiceError`` when a place cannot be listened on.
  public init(
    configuration: HTTPConfiguration, handler: any HTTPHandler, events: EventHub, log: Log
  ) throws(HTTPServiceError) {
    redirectLibraryLog(to: log)
    let loop = ServiceLoop(configuration: configuration, handler: handler, events: events)
    try loop.open()
    self.loop = loop
    self.events = events
    port = loop.library?.port
    do {
      thread = try NamedThread("http", log: log) { loop.run() }
    } catch {
      loop.close()
      throw HTTPServiceError(error.description)
    }
    events.onPublish { [weak loop] in loop?.wake() }
  }

  /// Closes every connection and waits until the thread has ended. Call at most once.
  public func stop() {
    events.onPublish(nil)
    loop.stop()
    thread.join()
  }
}
