// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Where tracks come from. In JSON exactly one of `path`, `url`, `upload`, `input`, or one of the kinds
/// of ``LibraryReference``.
public enum MediaReference: Codable, Sendable, Hashable {
  /// A file inside the coordinator's music folders, by absolute path.
  case path(String)
  /// An `http` or `https` address.
  case url(String)
  /// A file that was sent to `/uploads`, by the id from there.
  case upload(String)
  /// A live input of the coordinator, by its name.
  case input(String)
  /// Something of the coordinator's library.
  case library(LibraryReference)

  /// Reads a reference.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When not exactly one of them is there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: MediaKey.self)
    let keys = container.allKeys.filter { $0 != .startAt }
    guard keys.count == 1, let key = keys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "exactly one of `path`, `url`, `upload`, `input`, or of "
            + LibraryReference.Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            + ", is needed"))
    }
    if let kind = LibraryReference.Kind(rawValue: key.rawValue) {
      self = .library(try LibraryReference(kind: kind, from: container))
      return
    }
    let text = try container.decode(String.self, forKey: key)
    switch key {
    case .url: self = .url(text)
    case .upload: self = .upload(text)
    case .input: self = .input(text)
    default: self = .path(text)
    }
  }

  /// Writes the reference.
  ///
  /// - Parameter encoder: Where to write to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MediaKey.self)
    switch self {
    case .path(let text): try container.encode(text, forKey: .path)
    case .url(let text): try container.encode(text, forKey: .url)
    case .upload(let text): try container.encode(text, forKey: .upload)
    case .input(let text): try container.encode(text, forKey: .input)
    case .library(let reference): try reference.encode(to: &container)
    }
  }
}

/// The answer to an upload.
public struct UploadDocument: Codable, Sendable, Hashable {
  /// Names the file in ``MediaReference/upload(_:)``.
  public var id: String
  /// The name that was given.
  public var name: String
  /// How much came.
  public var bytes: UInt64

  /// An upload's document.
  ///
  /// - Parameters:
  ///   - id: Names the file from now on.
  ///   - name: The name that was given.
  ///   - bytes: How much came.
  public init(id: String, name: String, bytes: UInt64) {
    self.id = id
    self.name = name
    self.bytes = bytes
  }
}
