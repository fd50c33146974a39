// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a radio station says that it plays. At most `maximumLength` bytes each, on one line.
public struct StreamTitle: Sendable, Hashable {
  /// The longest artist or title in bytes: what one line of a telephone shows several times over.
  public static var maximumLength: Int { 512 }

  /// The artist, or "" where the station does not tell it from the title.
  public var artist: String
  /// The title; "" between two pieces, at many stations.
  public var title: String

  /// A title.
  ///
  /// - Parameters:
  ///   - artist: The artist; "" if not known.
  ///   - title: The title.
  public init(artist: String = "", title: String) {
    (self.artist, self.title) = (artist, title)
  }
}

extension StreamTitle {
  func write(to writer: inout ByteWriter) {
    writer.write(artist, limit: Self.maximumLength)
    writer.write(title, limit: Self.maximumLength)
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    let artist = try reader.readText(limit: Self.maximumLength)
    self.init(artist: artist, title: try reader.readText(limit: Self.maximumLength))
  }
}

/// How the decoder stands with the server of a live stream.
public enum StreamConnection: Sendable, Hashable {
  /// Bytes come (again).
  case connected
  /// None come; the next attempt is made after so many milliseconds, 0 when it is being made.
  case lost(reason: String, nextTryMilliseconds: Int)
}

extension StreamConnection {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .connected:
      writer.write(UInt8(0))
    case .lost(let reason, let milliseconds):
      writer.write(UInt8(1))
      writer.write(reason)
      writer.write(UInt32(clamping: milliseconds))
    }
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    guard try reader.readFlag() else {
      self = .connected
      return
    }
    let reason = try reader.readText()
    self = .lost(reason: reason, nextTryMilliseconds: Int(try reader.readUInt32()))
  }
}
