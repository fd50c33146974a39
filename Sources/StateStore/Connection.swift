// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CSQLite

/// An open database. Opened without SQLite's own mutex: `StateStore` lets one caller in at a time.
struct Connection: ~Copyable {
  private let handle: OpaquePointer

  init(path: String) throws(StateStoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw .sqlite(code: code, message: message, operation: "opening \(path)")
    }
    handle = opened
    // Only a checkpoint of ours can be in the way, for milliseconds.
    sqlite3_busy_timeout(handle, 2_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements that have neither parameters nor rows.
  func run(_ sql: String) throws(StateStoreError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// Runs a statement with these values.
  func run(_ sql: String, _ values: [Value]) throws(StateStoreError) {
    try rows(sql, values) { _ in }
  }

  /// Runs a statement and hands each of its rows over.
  func rows(
    _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) -> Void
  ) throws(StateStoreError) {
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil), sql)
    guard let prepared else { return }
    defer { sqlite3_finalize(prepared) }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: prepared, at: Int32(index + 1)), sql)
    }
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: body(Row(statement: prepared))
      case SQLITE_DONE: return
      case let code: try check(code, sql)
      }
    }
  }

  /// Runs a statement once for each row of values, prepared once.
  func run(_ sql: String, each rows: some Sequence<[Value]>) throws(StateStoreError) {
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil), sql)
    guard let prepared else { return }
    defer { sqlite3_finalize(prepared) }
    for values in rows {
      for (index, value) in values.enumerated() {
        try check(value.bind(to: prepared, at: Int32(index + 1)), sql)
      }
      let code = sqlite3_step(prepared)
      guard code == SQLITE_DONE else { return try check(code, sql) }
      try check(sqlite3_reset(prepared), sql)
    }
  }

  /// Runs changes so that either all of them or none are kept.
  func transaction(
    _ body: (borrowing Connection) throws(StateStoreError) -> Void
  ) throws(StateStoreError) {
    try run("BEGIN IMMEDIATE")
    do {
      try body(self)
      try run("COMMIT")
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  /// The first column of the first row, as a whole number.
  func number(_ sql: String) throws(StateStoreError) -> Int64? {
    var result: Int64?
    try rows(sql) { row in if result == nil { result = row.integer(0) } }
    return result
  }

  private func check(_ code: Int32, _ operation: String) throws(StateStoreError) {
    guard code == SQLITE_OK else {
      throw .sqlite(
        code: code, message: String(cString: sqlite3_errmsg(handle)),
        operation: String(operation.prefix(60)))
    }
  }
}

/// A row of a running statement; valid only while it is handed over.
struct Row: ~Copyable {
  fileprivate let statement: OpaquePointer

  func integer(_ column: Int32) -> Int64? {
    guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    return sqlite3_column_int64(statement, column)
  }

  func bits(_ column: Int32) -> UInt64? { integer(column).map(UInt64.init(bitPattern:)) }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(statement, column).map { String(cString: $0) }
  }
}
