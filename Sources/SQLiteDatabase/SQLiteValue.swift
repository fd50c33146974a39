// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CSQLite

/// A value for a parameter of a statement.
public enum SQLiteValue: Sendable {
  /// 64 signed bits.
  case integer(Int64)
  /// A double.
  case real(Double)
  /// UTF-8 without NUL octets.
  case text(String)
  /// Octets.
  case bytes([UInt8])
  /// Nothing.
  case null

  /// SQLite keeps 64 signed bits: the pattern is kept, the sign is not meant.
  ///
  /// - Parameter value: Any 64 bits.
  /// - Returns: The value.
  public static func bits(_ value: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: value)) }

  /// The bits, or nothing.
  ///
  /// - Parameter value: Any 64 bits.
  /// - Returns: The value.
  public static func optional(_ value: UInt64?) -> SQLiteValue { value.map(bits) ?? .null }

  /// The number, or nothing.
  ///
  /// - Parameter value: A number.
  /// - Returns: The value.
  public static func optional(_ value: Int?) -> SQLiteValue {
    value.map { .integer(Int64($0)) } ?? .null
  }

  /// The number, or nothing.
  ///
  /// - Parameter value: A number.
  /// - Returns: The value.
  public static func optional(_ value: Int64?) -> SQLiteValue {
    value.map { .integer($0) } ?? .null
  }

  /// The number, or nothing.
  ///
  /// - Parameter value: A number.
  /// - Returns: The value.
  public static func optional(_ value: Double?) -> SQLiteValue {
    value.map { .real($0) } ?? .null
  }

  /// The text, or nothing.
  ///
  /// - Parameter value: A text.
  /// - Returns: The value.
  public static func optional(_ value: String?) -> SQLiteValue { value.map(text) ?? .null }

  /// Gives the value to a prepared statement; returns SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    return switch self {
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .null: sqlite3_bind_null(statement, index)
    case .text(let text):
      sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), transient)
    case .bytes(let bytes):
      // An empty array may have no address, which would bind NULL.
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), transient)
    }
  }
}
