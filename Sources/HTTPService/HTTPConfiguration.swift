// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Where the service listens and what it accepts.
public struct HTTPConfiguration: Sendable {
  /// The Unix socket's path (at most 107 octets), made with mode 0660; nil for none.
  public var unixSocketPath: String?
  /// A TCP port on 127.0.0.1 and, where there is one, ::1; 0 lets the kernel choose; nil for none.
  public var loopbackPort: Int?
  /// Where uploads are written; nil refuses them.
  public var uploadDirectory: String?
  /// The paths whose request bodies go to a file.
  public var uploadPaths: Set<String>
  /// What is too much.
  public var bounds: HTTPBounds

  /// A configuration.
  ///
  /// - Parameters:
  ///   - unixSocketPath: The Unix socket's path; nil for none.
  ///   - loopbackPort: A TCP port on this host; 0 lets the kernel choose; nil for none.
  ///   - uploadDirectory: Where uploads are written; nil refuses them.
  ///   - uploadPaths: The paths whose request bodies go to a file.
  ///   - bounds: What is too much.
  public init(
    unixSocketPath: String? = nil, loopbackPort: Int? = nil, uploadDirectory: String? = nil,
    uploadPaths: Set<String> = [], bounds: HTTPBounds = HTTPBounds()
  ) {
    self.unixSocketPath = unixSocketPath
    self.loopbackPort = loopbackPort
    self.uploadDirectory = uploadDirectory
    self.uploadPaths = uploadPaths
    self.bounds = bounds
  }
}

/// What is too much. Each bound is a choice: generous for a house, far from what hurts a host.
public struct HTTPBounds: Sendable {
  /// Octets of a request's head (request line and all headers).
  public var headerBytes = 8_192
  /// Octets of a body that is held in memory.
  public var bodyBytes = 1 << 20
  /// Octets of an upload: four hours of CD sound as WAV are 2.5 GB.
  public var uploadBytes: UInt64 = 4 << 30
  /// Connections at a time, event streams included; over TCP at most three quarters of them. Two hundred
  /// pages and command lines that watch leave room for commands.
  public var connections = 400
  /// How long a client may take for its head, or be silent within its body, in seconds.
  public var patienceSeconds = 10
  /// How long a body that is held in memory may take in all, in seconds.
  public var bodySeconds = 30
  /// How often a silent event stream shows that it is alive, in seconds.
  public var heartbeatSeconds = 15

  /// The bounds of a house.
  public init() {}
}
