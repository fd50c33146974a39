// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CSQLite

/// A value for a parameter of a statement.
enum Value {
  case integer(Int64)
  case text(String)
  case null

  /// SQLite keeps 64 signed bits: the pattern is kept, the sign is not meant.
  static func bits(_ value: UInt64) -> Value { .integer(Int64(bitPattern: value)) }
  static func optional(_ value: UInt64?) -> Value { value.map(bits) ?? .null }
  static func optional(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
  static func optional(_ value: String?) -> Value { value.map(text) ?? .null }

  /// Gives the value to a prepared statement; returns SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .integer(let value): sqlite3_bind_int64(statement, index, value)
    case .null: sqlite3_bind_null(statement, index)
    case .text(let text):
      // SQLITE_TRANSIENT, a macro that Swift does not import: SQLite copies the bytes.
      sqlite3_bind_text(
        statement, index, text, Int32(text.utf8.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }
}
