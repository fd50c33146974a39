// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc

/// The program that decodes, and what it is started with.
struct DecoderProgram: Sendable, Hashable {
  /// The path of the executable.
  let path: String
  /// What it is started with; nothing, except where a test has a shell play the decoder.
  let arguments: [String]

  /// The program at `path`.
  init(path: String, arguments: [String] = []) {
    (self.path, self.arguments) = (path, arguments)
  }

  /// `$TUTTI_DECODER`, else `tutti-decoder` in the directory of the running executable.
  init() {
    arguments = []
    if let chosen = getenv("TUTTI_DECODER") {
      path = String(cString: chosen)
      return
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(length, 0)).map { UInt8($0) }, as: UTF8.self)
    path = own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/tutti-decoder"
  }

  /// The variables that a decoder gets of our environment. Nothing else of it: tokens and sockets
  /// are not for a process that reads strangers' files.
  static let inheritedVariables = [
    "http_proxy", "https_proxy", "no_proxy", "LANG", "LD_LIBRARY_PATH", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "TZ",
  ]

  /// Starts the program with `socket` as its standard input and output.
  ///
  /// - Returns: Its process id.
  /// - Throws: `DecoderFailure` with `.decoderUnavailable`.
  func start(socket: CInt) throws(DecoderFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    // Our other descriptors are closed on exec; the program closes what a library forgot to mark.

    var attributes = Self.attributes()
    defer { posix_spawnattr_destroy(&attributes) }
    let arguments = CStrings(["tutti-decoder"] + arguments)
    let environment = CStrings(Self.environment())
    var process: pid_t = 0
    let result = posix_spawn(
      &process, path, &actions, &attributes, arguments.pointers, environment.pointers)
    guard result == 0 else {
      throw DecoderFailure(
        .decoderUnavailable,
        "the decoder \(path) cannot be started (\(String(cString: strerror(result)))); "
          + "it belongs beside tutti-coordinator, or set TUTTI_DECODER")
    }
    return process
  }

  /// Signals as a new program expects them (we block and ignore some), and a process group of its
  /// own: Ctrl-C is for the coordinator, which then ends its decoders in its own time.
  private static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, CShort(flags))
    return attributes
  }

  private static func environment() -> [String] {
    inheritedVariables.compactMap { name in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
  }
}

/// A NULL-terminated array of C strings, as exec takes it.
private final class CStrings {
  private(set) var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit { pointers.forEach { free($0) } }
}
