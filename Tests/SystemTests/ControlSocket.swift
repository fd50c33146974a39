// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation

/// Talks to a coordinator's Unix socket, one connection a request, without the command line in between.
struct ControlSocket {
  let path: String

  /// What the coordinator answers; nil when it did not, or not to the end.
  func ask(
    _ method: String, _ address: String, _ body: String? = nil, headers: [String] = []
  ) -> (status: Int, body: Data)? {
    guard let descriptor = send(method, address, body, headers: headers) else { return nil }
    defer { close(descriptor) }
    var answer = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      answer.append(contentsOf: chunk.prefix(count))
    }
    guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    let lines = head.lowercased().split(separator: "\r\n")
    let status = lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap {
      Int($0)
    }
    let rest = Data(answer[end.upperBound...])
    let length = lines.first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
    guard let status, length == nil || rest.count == length else { return nil }
    return (status, rest)
  }

  /// Sends a request and leaves its answer in the socket.
  func send(
    _ method: String, _ address: String, _ body: String? = nil, headers: [String] = []
  ) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let isThere = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    let lines =
      ["\(method) \(address) HTTP/1.1", "Host: localhost"] + headers
      + (body.map { ["Content-Type: application/json", "Content-Length: \($0.utf8.count)"] } ?? [])
    let text = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)
    guard isThere,
      Glibc.send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) == text.count
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  func document<Document: Decodable>(_ address: String) -> Document? {
    guard let answer = ask("GET", address), answer.status == 200 else { return nil }
    return try? JSONDecoder().decode(Document.self, from: answer.body)
  }
}
