// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol

/// Finds the sound behind an address, which may be a list of addresses (.m3u, .pls): that is what
/// stations put on their pages.
struct AddressResolver {
  /// A server's answer that is no list, and what it was asked for.
  struct Found {
    var connection: NetworkConnection
    var address: NetworkAddress
  }

  /// The most bytes of a list that are read: hundreds of entries.
  private static let mostBytes = 65_536
  /// Lists that name lists that name lists.
  private static let deepest = 3
  /// Requests, all lists together: so many stand-ins of a station are tried.
  private static let mostRequests = 8
  /// The types of lists, as servers call them.
  private static let listTypes: Set<String> = [
    "application/mpegurl", "application/pls+xml", "application/vnd.apple.mpegurl",
    "application/x-mpegurl", "audio/mpegurl", "audio/scpls", "audio/x-mpegurl", "audio/x-scpls",
  ]
  /// What simple servers call any file that they do not know.
  private static let vagueTypes: Set<String> = ["", "application/octet-stream", "text/plain"]

  private var requests = 0

  /// Connects to an address, and on to what it names.
  ///
  /// - Returns: A server's answer that is no list.
  /// - Throws: Why there is none.
  static func connect(to address: NetworkAddress) throws(DecoderFailure) -> Found {
    var resolver = AddressResolver()
    return try resolver.connect(to: address, depth: 0)
  }

  private mutating func connect(
    to address: NetworkAddress, depth: Int
  ) throws(DecoderFailure) -> Found {
    requests += 1
    let connection: NetworkConnection
    do throws(FFmpegError) { connection = try NetworkConnection(address) } catch {
      throw error.whenConnecting
    }
    let place = connection.location.isEmpty ? address.text : connection.location
    guard Self.isList(connection, at: place) else {
      return Found(connection: connection, address: address)
    }
    guard depth < Self.deepest else {
      throw DecoderFailure(.notAudio, "it is a list of lists of lists without sound")
    }
    return try firstSound(of: Self.entries(of: connection, at: place), depth: depth)
  }

  private mutating func firstSound(
    of entries: [NetworkAddress], depth: Int
  ) throws(DecoderFailure) -> Found {
    var failure = DecoderFailure(.notAudio, "it is a list without an address that Tutti opens")
    for entry in entries where requests < Self.mostRequests {
      do throws(DecoderFailure) { return try connect(to: entry, depth: depth + 1) } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func isList(_ connection: NetworkConnection, at place: String) -> Bool {
    let type = connection.contentType
    guard !listTypes.contains(type) else { return true }
    let ending = path(of: place).split(separator: ".").last.map { $0.lowercased() } ?? ""
    return vagueTypes.contains(type) && PlaylistParser.endings.contains(ending)
      && connection.stationHeaders.isEmpty
  }

  private static func entries(
    of connection: NetworkConnection, at place: String
  ) throws(DecoderFailure) -> [NetworkAddress] {
    var bytes: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < mostBytes {
      let got = connection.read(&portion, CInt(portion.count))
      guard got > 0 else { break }
      bytes += portion.prefix(Int(got))
    }
    let list = PlaylistParser.parse(bytes, path: path(of: place))
    guard !list.isStream else {
      throw DecoderFailure(
        .notAudio, "it is a broadcast in pieces (HLS), which Tutti does not play")
    }
    return list.entries.compactMap { entry in
      switch entry.target {
      case .url(let text): try? NetworkAddress(text)
      // A path belongs to the server that the list is from.
      case .file(let file): file.paths.first.flatMap { try? NetworkAddress(origin(of: place) + $0) }
      }
    }
  }

  /// "http://host:port" of an address.
  private static func origin(of address: String) -> String {
    let host = address.drop { $0 != ":" }.dropFirst(3).prefix { !"/?#".contains($0) }
    return String(address[..<host.endIndex])
  }

  /// "/folder/file" of an address.
  private static func path(of address: String) -> String {
    let rest = address[origin(of: address).endIndex...]
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    return path.isEmpty ? "/" : String(path)
  }
}
