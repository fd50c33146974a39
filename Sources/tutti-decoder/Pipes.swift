// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc

/// Standard input, as requests in the order they came.
struct RequestPipe {
  private var reader = DecoderRequestReader()
  private var waiting: [DecoderRequest] = []

  /// The next request, or nil when nobody is there to ask any more.
  mutating func next() -> DecoderRequest? {
    while waiting.isEmpty {
      guard read() else { return nil }
    }
    return waiting.removeFirst()
  }

  /// Whether something was asked meanwhile; a closed pipe counts as asking to stop.
  mutating func hasRequest() -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0 else { return !waiting.isEmpty }
    if !read() { exit(EXIT_SUCCESS) }
    return !waiting.isEmpty
  }

  /// Blocks until bytes come. False at the end of the pipe, or when they are no requests.
  private mutating func read() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    reader.append(bytes.span.extracting(first: count))
    do throws(DecoderProtocolError) {
      while let request = try reader.next() { waiting.append(request) }
    } catch {
      complain("tutti-decoder: what came on standard input is no request of Tutti's coordinator\n")
      return false
    }
    return true
  }
}

/// Writes a reply on standard output at once: when a file kills this process, the coordinator must
/// know which one it was. Exits when nobody reads any more.
func answer(_ reply: DecoderReply) {
  var bytes: [UInt8] = []
  reply.append(to: &bytes)
  var done = 0
  while done < bytes.count {
    let count = bytes[done...].withUnsafeBytes {
      write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
    if count > 0 { done += count } else if errno != EINTR { exit(EXIT_FAILURE) }
  }
}

/// Says a line on standard error.
func complain(_ text: String) {
  _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
