// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Dispatch
import Glibc

/// A client that says exactly what it is told to, byte by byte.
final class RawClient {
  private let descriptor: Int32
  private(set) var received: [UInt8] = []
  private(set) var isClosed = false

  struct Failure: Error, CustomStringConvertible { var description: String }

  init(unixSocket path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try connect(&address)
  }

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try connect(&address)
  }

  deinit { close(descriptor) }

  private func connect<Address>(_ address: inout Address) throws {
    let size = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, size)
      }
    }
    guard result == 0 else { throw Failure(description: "connect: errno \(errno)") }
  }

  /// Sends until it is sent or the other side has closed.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Gives up reading for good, so that the other side finds the buffers full.
  func shrinkReceiveBuffer() {
    var size: Int32 = 4_096
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Reads until the text so far is enough, the other side closes, or the time is over.
  @discardableResult
  func read(seconds: Int = 10, until isEnough: (String) -> Bool) async throws -> String {
    let end = Self.now() + Double(seconds)
    while !isEnough(text), !isClosed {
      let left = end - Self.now()
      guard left > 0 else { throw Failure(description: "timed out with: \(text)") }
      guard await Self.isReadable(descriptor, within: left) else { continue }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { isClosed = true } else { received += buffer.prefix(count) }
    }
    return text
  }

  /// Waits on a thread of its own, which serial queues get: those of the global queue are the few
  /// that run tasks, and the handlers need them.
  private static func isReadable(_ descriptor: Int32, within seconds: Double) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "reader").async {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&item, 1, Int32(seconds * 1000) + 1)
        continuation.resume(returning: count > 0)
      }
    }
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  /// Reads one response with a length, and forgets it.
  func response() async throws -> (status: Int, head: String, body: String) {
    try await read { Self.split($0) != nil }
    guard let (head, body, size) = Self.split(text) else {
      throw Failure(description: "closed after: \(text)")
    }
    received.removeFirst(size)
    let status = Int(head.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
    return (status, head, body)
  }

  private static func split(_ text: String) -> (head: String, body: String, size: Int)? {
    let bytes = Array(text.utf8)
    let mark = Array("\r\n\r\n".utf8)
    guard bytes.count >= mark.count,
      let end = bytes.indices.dropLast(mark.count - 1).first(where: {
        Array(bytes[$0..<($0 + mark.count)]) == mark
      })
    else { return nil }
    let head = String(decoding: bytes[..<end], as: UTF8.self)
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    let length = line.flatMap { Int($0.dropFirst("content-length:".count).trimmed) } ?? 0
    let size = end + mark.count + length
    guard bytes.count >= size else { return nil }
    return (head, String(decoding: bytes[(end + mark.count)..<size], as: UTF8.self), size)
  }

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension Substring {
  var trimmed: Substring { drop { $0 == " " } }
}
