// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import Synchronization

/// One running `tutti-decoder` and the socket to it. Killed when the last reference goes.
///
/// `send` and `receive` belong to one thread at a time; `kill` may come from any.
final class DecoderProcess: Sendable {
  let identifier: pid_t
  /// Readable when a reply has come, or the process is gone.
  let socket: CInt
  /// The wait status once the process has been reaped; its id is not ours from then on.
  private let waitStatus = Mutex<CInt?>(nil)

  /// What `receive` brought.
  enum Received {
    case bytes
    /// The process has closed its end: it is gone, or going.
    case closed
    case nothing
  }

  /// Bytes per read: two full blocks of samples.
  private static let readSize = 65_536

  /// Starts the program.
  init(_ program: DecoderProgram) throws(DecoderFailure) {
    // A socket pair, not two pipes: sending to a dead decoder is an error there, no SIGPIPE.
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw DecoderFailure(
        .decoderUnavailable,
        "there is no socket left for the decoder (\(String(cString: strerror(errno))))")
    }
    defer { close(ends[1]) }
    do throws(DecoderFailure) { identifier = try program.start(socket: ends[1]) } catch {
      close(ends[0])
      throw error
    }
    socket = ends[0]
  }

  deinit {
    end()
    close(socket)
  }

  /// Sends a request. False when the process is gone.
  func send(_ request: DecoderRequest) -> Bool {
    var bytes: [UInt8] = []
    request.append(to: &bytes)
    // Requests are far smaller than the socket's buffer: one call takes them whole.
    return Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  /// Sends what the socket takes at once of some requests.
  ///
  /// - Returns: How many bytes it took; nil when the process is gone.
  func sendNow(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes {
      Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Waits for bytes of a reply.
  func receive(into replies: inout DecoderReplyReader, timeoutMilliseconds: CInt) -> Received {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    var ready: CInt
    repeat { ready = poll(&descriptor, 1, timeoutMilliseconds) } while ready < 0 && errno == EINTR
    guard ready > 0 else { return .nothing }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, filled in
      repeat {
        count = read(socket, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      filled = max(count, 0)
    }
    guard count > 0 else { return .closed }
    replies.append(bytes.span)
    return .bytes
  }

  /// Kills the process, if it lives; a blocked `receive` then finds the socket closed.
  func kill() {
    waitStatus.withLock { status in
      if status == nil { _ = Glibc.kill(identifier, SIGKILL) }
    }
  }

  /// Kills the process, if it lives, and waits until it is gone.
  ///
  /// - Returns: The signal that had killed it before, or nil.
  @discardableResult func end() -> CInt? {
    waitStatus.withLock { status in
      if status == nil {
        // No effect on a process that is already ending: its status is then settled.
        _ = Glibc.kill(identifier, SIGKILL)
        var found: CInt = 0
        while waitpid(identifier, &found, 0) < 0 && errno == EINTR {}
        status = found
      }
      // The low seven bits are the signal (WTERMSIG, a macro).
      let signal = (status ?? 0) & 0x7F
      return signal == 0 ? nil : signal
    }
  }
}
