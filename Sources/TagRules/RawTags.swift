// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

/// The fields of a file as a library read them: names in capitals, as TagLib unifies them
/// ("ALBUMARTIST", "TRACKNUMBER"), values in the file's order, nothing judged yet.
public struct RawTags: Sendable, Hashable {
  /// The fields, by name.
  private var fields: [String: Field] = [:]
  /// Chapters as a container lists them, in any order.
  public private(set) var chapters: [Chapter] = []
  /// The length in milliseconds, 0 when unknown.
  public var milliseconds: Int64 = 0
  /// Whether the length is only that of the last stream of several in a row (Ogg).
  public var isChained = false
  /// Samples a second, 0 when unknown.
  public var sampleRate = 0
  /// Channels, 0 when unknown.
  public var channels = 0
  /// Bits of a sample, 0 when unknown.
  public var bitDepth = 0
  /// Average bits a second, 0 when unknown.
  public var bitRate = 0
  /// The codec's short name.
  public var codec = ""
  /// Bytes of sound of an MP3 file, whose header may claim any length.
  public var soundBytes: Int64?
  /// Whether a picture is embedded.
  public var hasArtwork = false

  private struct Field: Hashable {
    var layer: Int
    var values: [String]
  }

  /// So many names, and so many values of each, are kept of a file that has thousands.
  private static let maximumFields = 4_096
  private static let maximumValues = 64

  /// A file without fields.
  public init() {}

  /// Adds a value of a field.
  ///
  /// - Parameters:
  ///   - value: UTF-8 text.
  ///   - key: The field's name in capitals.
  ///   - layer: Which of the file's tags it is from. What a tag of a lower layer says of a field
  ///     hides what the others say: an MP3 file has its title in ID3v2 and, cut to 30 letters, in
  ///     ID3v1.
  public mutating func add(_ value: String, for key: String, layer: Int = 0) {
    guard let field = fields[key] else {
      guard fields.count < Self.maximumFields else { return }
      fields[key] = Field(layer: layer, values: [value])
      return
    }
    guard field.layer == layer, field.values.count < Self.maximumValues else { return }
    fields[key]?.values.append(value)
  }

  /// Adds a chapter of the container's own list.
  public mutating func add(_ chapter: Chapter) {
    guard chapters.count < TrackTags.maximumChapters else { return }
    chapters.append(chapter)
  }

  /// The values of the first of these fields that has any text in it.
  func values(_ keys: String...) -> [String] {
    for key in keys {
      guard let values = fields[key]?.values else { continue }
      let texts = values.map { TagText.line($0) }.filter { !$0.isEmpty }
      if !texts.isEmpty { return texts }
    }
    return []
  }

  /// The first value of the first of these fields that has any text in it, else "".
  func value(_ keys: String...) -> String {
    for key in keys {
      if let value = values(key).first { return value }
    }
    return ""
  }

  /// The first value as it stands in the file, line ends and all.
  func verbatim(_ key: String) -> String { fields[key]?.values.first ?? "" }

  /// The names that begin so.
  func keys(prefix: String) -> [String] { fields.keys.filter { $0.hasPrefix(prefix) } }
}
