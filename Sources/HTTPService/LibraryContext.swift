// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets
internal import DaemonProcess
internal import Glibc

/// The library's context with its listening sockets.
struct LibraryContext {
  let context: OpaquePointer
  /// The vhost of the Unix socket; all others are TCP on this host.
  private(set) var unixSocket: OpaquePointer?
  /// The TCP port, once there is one.
  private(set) var port: Int?
  /// Must stay until the context is gone: the library keeps the pointer.
  private let protocols: UnsafeMutablePointer<lws_protocols>
  /// The texts of the listening places, likewise.
  private var places: [UnsafeMutablePointer<CChar>] = []

  /// sockaddr_un's path with its final zero (unix(7)).
  private static let socketPathCapacity = 108

  /// Makes the context and listens.
  ///
  /// - Parameters:
  ///   - configuration: Where to listen.
  ///   - loop: Who gets the library's calls; must outlive the context.
  /// - Throws: When a place cannot be listened on.
  init(
    configuration: HTTPConfiguration, loop: ServiceLoop
  ) throws(HTTPServiceError) {
    protocols = Self.makeProtocols()
    var info = Self.makeInfo(configuration.bounds, loop: loop)
    guard let context = lws_create_context(&info) else {
      protocols.deallocate()
      throw HTTPServiceError("libwebsockets did not start; its messages are in the log at `debug`")
    }
    self.context = context
    do {
      try listen(configuration, &info)
    } catch {
      destroy()
      throw error
    }
  }

  /// Closes every socket and frees everything. On the service's thread, or before it runs.
  func destroy() {
    lws_context_destroy(context)
    protocols.deinitialize(count: 2)
    protocols.deallocate()
    for place in places { free(place) }
  }

  private mutating func listen(
    _ configuration: HTTPConfiguration, _ info: inout lws_context_creation_info
  ) throws(HTTPServiceError) {
    info.protocols = UnsafePointer(protocols)
    if let path = configuration.unixSocketPath { try listen(onUnixSocket: path, &info) }
    guard let port = configuration.loopbackPort else { return }
    guard let vhost = makeVhost("127.0.0.1", port: port, &info) else {
      throw HTTPServiceError(
        "cannot listen on TCP 127.0.0.1:\(port): another program has the port, or it is not "
          + "allowed; stop that program or choose another port with --port")
    }
    self.port = Int(lws_get_vhost_listen_port(vhost))
    // A host without IPv6 has no ::1, and nobody misses it.
    let loopbackPort = self.port ?? port
    guard canListenOnIPv6Loopback(port: loopbackPort) else { return }
    _ = makeVhost("::1", port: loopbackPort, &info)
  }

  private mutating func listen(
    onUnixSocket path: String, _ info: inout lws_context_creation_info
  ) throws(HTTPServiceError) {
    guard path.utf8.count < Self.socketPathCapacity else {
      throw HTTPServiceError(
        "the path `\(path)` is too long for a Unix socket (at most 107 octets); choose a shorter "
          + "one with --state-dir")
    }
    // What a killed run left behind. The state directory's lock says that nobody else serves it.
    unlink(path)
    info.options |= Self.option(14)  // LWS_SERVER_OPTION_UNIX_SOCK
    defer { info.options &= ~Self.option(14) }
    guard let vhost = makeVhost(path, port: 0, &info) else {
      throw HTTPServiceError(
        "cannot listen on the Unix socket `\(path)`; check that its directory exists and can be "
          + "written")
    }
    // Until here the umask keeps everybody else from writing, that is, from connecting.
    chmod(path, 0o660)
    unixSocket = vhost
  }

  private mutating func makeVhost(
    _ place: String, port: Int, _ info: inout lws_context_creation_info
  ) -> OpaquePointer? {
    // The library keeps the pointer to both texts.
    guard let text = strdup(place) else { return nil }
    places.append(text)
    info.iface = UnsafePointer(text)
    info.vhost_name = UnsafePointer(text)
    info.port = Int32(port)
    return lws_create_vhost(context, &info)
  }

  /// One protocol, `http`, and the terminator.
  private static func makeProtocols() -> UnsafeMutablePointer<lws_protocols> {
    let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = staticText("http")
    protocols[0].callback = takeLibraryEvent
    return protocols
  }

  private static func makeInfo(
    _ bounds: HTTPBounds, loop: ServiceLoop
  ) -> lws_context_creation_info {
    var info = lws_context_creation_info()
    // EXPLICIT_VHOSTS and FAIL_UPON_UNABLE_TO_BIND; the macros are casts and do not import.
    info.options = option(13) | option(30)
    info.user = Unmanaged.passUnretained(loop).toOpaque()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.gid = -1
    info.uid = -1
    info.server_string = staticText("tutti")
    info.max_http_header_data = UInt16(clamping: bounds.headerBytes)
    // One per connection, so that no connection waits for another's head to be done.
    info.max_http_header_pool = UInt16(clamping: bounds.connections)
    // The library itself needs a few: the listeners and its wake-up pipe.
    info.fd_limit_per_thread = UInt32(clamping: bounds.connections + 16)
    info.timeout_secs = UInt32(clamping: bounds.patienceSeconds)
    info.timeout_secs_ah_idle = UInt32(clamping: bounds.patienceSeconds)
    return info
  }

  private static func option(_ bit: UInt64) -> UInt64 { 1 << bit }

  /// A C string that lives as long as the process: the library keeps the pointer.
  private static func staticText(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
