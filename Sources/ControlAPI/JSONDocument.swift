// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import FoundationEssentials

/// Why a text is not the document that was expected, in words for whoever sent it.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and where: "`seconds` is missing".
  public var description: String

  /// An error with its description.
  ///
  /// - Parameter description: What is wrong, and where.
  public init(_ description: String) { self.description = description }
}

/// Documents as JSON text: UTF-8, one line, keys sorted, so that equal documents are equal bytes.
public enum JSONDocument {
  /// Writes a document.
  ///
  /// - Parameter document: Any document of this module.
  /// - Returns: JSON in one line.
  /// - Throws: ``DocumentError`` when a number has no form in JSON (not finite).
  public static func encode(_ document: some Encodable) throws(DocumentError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(document))
    } catch {
      throw DocumentError("cannot be written as JSON: \(error)")
    }
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - type: What is expected.
  ///   - bytes: UTF-8 text. Unknown fields are passed over.
  /// - Returns: The document.
  /// - Throws: ``DocumentError`` that names the field.
  public static func decode<Document: Decodable>(
    _ type: Document.Type, from bytes: [UInt8]
  ) throws(DocumentError) -> Document {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as DecodingError {
      throw DocumentError(sentence(for: error))
    } catch {
      throw DocumentError("is not JSON: \(error)")
    }
  }

  private static func sentence(for error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "`\(path(context.codingPath + [key]))` is missing"
    case .typeMismatch(let type, let context):
      "`\(path(context.codingPath))` must be \(word(for: type))"
    case .valueNotFound(let type, let context):
      "`\(path(context.codingPath))` is null, but must be \(word(for: type))"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "not usable as JSON: \(context.debugDescription)"
        : "`\(path(context.codingPath))`: \(context.debugDescription)"
    @unknown default:
      "is not the document that was expected"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }.joined(separator: ".")
  }

  private static func word(for type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}
