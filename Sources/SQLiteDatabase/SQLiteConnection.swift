// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CSQLite

/// An open database. Opened without SQLite's own mutex: its owner lets one caller in at a time.
public struct SQLiteConnection: ~Copyable {
  private let handle: OpaquePointer
  private let statements: StatementCache

  /// Opens a file, or makes it.
  ///
  /// - Parameter path: Where it is; its directory exists.
  /// - Throws: `SQLiteError`.
  public init(path: String) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw .sqlite(code: code, message: message, operation: "opening \(path)")
    }
    handle = opened
    statements = StatementCache(handle: opened)
    // Only a checkpoint of ours can be in the way, for milliseconds.
    sqlite3_busy_timeout(handle, 2_000)
  }

  deinit {
    statements.finalizeAll()
    sqlite3_close_v2(handle)
  }

  /// The number of the row that was inserted last.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the last statement inserted, changed or deleted.
  public var changedRows: Int { Int(sqlite3_changes(handle)) }

  /// Runs statements that have neither parameters nor rows.
  ///
  /// - Parameter sql: Any number of statements.
  /// - Throws: `SQLiteError`.
  public func run(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// Runs a statement with these values.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: For its parameters, in order.
  /// - Throws: `SQLiteError`.
  public func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
    try rows(sql, values) { _ in }
  }

  /// Runs a statement and hands each of its rows over.
  ///
  /// - Parameters:
  ///   - sql: One statement; it is kept prepared, so its text should be one of a few.
  ///   - values: For its parameters, in order.
  ///   - body: Takes a row; must not run the same statement.
  /// - Throws: `SQLiteError`.
  public func rows(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing SQLiteRow) -> Void
  ) throws(SQLiteError) {
    guard let prepared = try prepare(sql) else { return }
    // A statement that is not reset would hold its snapshot of the file.
    defer { sqlite3_reset(prepared) }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: prepared, at: Int32(index + 1)), sql)
    }
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: body(SQLiteRow(statement: prepared))
      case SQLITE_DONE: return
      case let code: try check(code, sql)
      }
    }
  }

  /// Runs a statement once for each row of values.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - rows: Values for its parameters.
  /// - Throws: `SQLiteError`.
  public func run(_ sql: String, each rows: some Sequence<[SQLiteValue]>) throws(SQLiteError) {
    for values in rows { try run(sql, values) }
  }

  /// Runs changes so that either all of them or none are kept.
  ///
  /// - Parameter body: The changes.
  /// - Throws: What `body` throws, or `SQLiteError`.
  public func transaction(
    _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
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
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: For its parameters, in order.
  /// - Returns: Nil when there is no row, or NULL.
  /// - Throws: `SQLiteError`.
  public func number(
    _ sql: String, _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> Int64? {
    var result: Int64?
    try rows(sql, values) { row in if result == nil { result = row.integer(0) } }
    return result
  }

  private func prepare(_ sql: String) throws(SQLiteError) -> OpaquePointer? {
    if let known = statements.known(sql) { return known }
    var prepared: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil), sql)
    if let prepared { statements.keep(prepared, for: sql) }
    return prepared
  }

  private func check(_ code: Int32, _ operation: String) throws(SQLiteError) {
    guard code == SQLITE_OK else {
      throw .sqlite(
        code: code, message: String(cString: sqlite3_errmsg(handle)),
        operation: String(operation.prefix(60)))
    }
  }
}

/// The statements of one connection that are kept prepared: preparing costs more than most of them.
///
/// Belongs to one connection and is used wherever that is; nobody else sees it.
private final class StatementCache {
  /// Beyond this many, all are dropped: texts made up at run time must not pile up.
  private static let capacity = 256

  private let handle: OpaquePointer
  private var prepared: [String: OpaquePointer] = [:]

  init(handle: OpaquePointer) { self.handle = handle }

  /// A statement that is not running, its parameters unbound.
  func known(_ sql: String) -> OpaquePointer? {
    guard let statement = prepared[sql], sqlite3_stmt_busy(statement) == 0 else { return nil }
    sqlite3_clear_bindings(statement)
    return statement
  }

  func keep(_ statement: OpaquePointer, for sql: String) {
    if prepared.count >= Self.capacity { finalizeIdle() }
    // One of the same text is running just now: the older one is closed when it is done.
    if let other = prepared.updateValue(statement, forKey: sql) { strays.append(other) }
  }

  private var strays: [OpaquePointer] = []

  private func finalizeIdle() {
    for (sql, statement) in prepared where sqlite3_stmt_busy(statement) == 0 {
      sqlite3_finalize(statement)
      prepared[sql] = nil
    }
    let idle = strays.filter { sqlite3_stmt_busy($0) == 0 }
    for statement in idle { sqlite3_finalize(statement) }
    strays.removeAll { idle.contains($0) }
  }

  func finalizeAll() {
    for statement in prepared.values { sqlite3_finalize(statement) }
    for statement in strays { sqlite3_finalize(statement) }
    prepared = [:]
    strays = []
  }
}
