// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding

/// Serves requests until the coordinator closes the pipe.
func runDecoder() {
  MediaLibrary.quiet()
  Confinement.enter()
  var service = Service()
  while let request = service.waitForRequest() {
    switch request {
    case .open(let location, let startFrame): service.play(location, from: startFrame)
    case .stop: continue
    case .describe, .artwork: write(.failure(DecoderFailure(.other, "not yet")))
    case .quit: return
    }
  }
}

/// The two pipes, and the one source that is being decoded.
private struct Service {
  private var requests = DecoderRequestReader()
  /// Requests that came while a source was being decoded.
  private var waiting: [DecoderRequest] = []

  /// The next request, or nil when nobody is there to ask any more.
  mutating func waitForRequest() -> DecoderRequest? {
    while waiting.isEmpty {
      guard readRequests() else { return nil }
    }
    return waiting.removeFirst()
  }

  /// Decodes a source and writes what it gives, until the end or the next request.
  mutating func play(_ location: MediaLocation, from startFrame: Int64) {
    do throws(DecoderFailure) {
      let decoder = try MediaDecoder(location, startFrame: startFrame)
      write(.info(decoder.info))
      var reached = startFrame
      while let samples = try decoder.next() {
        write(.samples(samples))
        reached += Int64(samples.count / 2)
        Confinement.noteProgress()
        if hasRequest() {
          write(.end(DecoderEnd(sourceFrames: reached, ending: .stopped)))
          return
        }
      }
      write(.end(decoder.end ?? DecoderEnd(sourceFrames: reached)))
    } catch {
      write(.failure(error))
    }
  }

  /// Whether something was asked meanwhile; a closed pipe counts as asking to stop.
  private mutating func hasRequest() -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 0) > 0 else { return !waiting.isEmpty }
    if !readRequests() { exit(EXIT_SUCCESS) }
    return !waiting.isEmpty
  }

  /// Blocks until bytes come. False at the end of the pipe, or when they are no requests.
  private mutating func readRequests() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    requests.append(bytes.span.extracting(first: count))
    do throws(DecoderProtocolError) {
      while let request = try requests.next() { waiting.append(request) }
    } catch {
      complain("what came on standard input is no request of Tutti's coordinator")
      return false
    }
    return true
  }
}

/// Writes a reply; exits when nobody reads it any more.
private func write(_ reply: DecoderReply) {
  var bytes: [UInt8] = []
  reply.append(to: &bytes)
  var done = 0
  while done < bytes.count {
    let count = bytes[done...].withUnsafeBytes {
      Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
    if count > 0 { done += count } else if errno != EINTR { exit(EXIT_FAILURE) }
  }
}

private func complain(_ text: String) {
  let line = Array("tutti-decoder: \(text)\n".utf8)
  _ = Glibc.write(STDERR_FILENO, line, line.count)
}
