// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CSQLite

/// A row of a running statement; valid only while it is handed over.
///
/// Columns count from 0. A value of another type than the one asked for is converted by SQLite.
public struct SQLiteRow: ~Copyable {
  let statement: OpaquePointer

  /// Whether the column holds nothing.
  ///
  /// - Parameter column: Which one.
  /// - Returns: True for NULL.
  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// A whole number.
  ///
  /// - Parameter column: Which one.
  /// - Returns: Nil for NULL.
  public func integer(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(statement, column)
  }

  /// A whole number as 64 unsigned bits.
  ///
  /// - Parameter column: Which one.
  /// - Returns: Nil for NULL.
  public func bits(_ column: Int32) -> UInt64? { integer(column).map(UInt64.init(bitPattern:)) }

  /// A double.
  ///
  /// - Parameter column: Which one.
  /// - Returns: Nil for NULL.
  public func real(_ column: Int32) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(statement, column)
  }

  /// A text.
  ///
  /// - Parameter column: Which one.
  /// - Returns: Nil for NULL; octets that are no UTF-8 become U+FFFD.
  public func text(_ column: Int32) -> String? {
    sqlite3_column_text(statement, column).map { String(cString: $0) }
  }

  /// Octets.
  ///
  /// - Parameter column: Which one.
  /// - Returns: Nil for NULL.
  public func bytes(_ column: Int32) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
