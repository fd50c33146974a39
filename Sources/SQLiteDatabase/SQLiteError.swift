// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CSQLite

/// Why a database could not be read or written.
public enum SQLiteError: Error, Sendable, Equatable {
  /// A newer Tutti wrote the file; this one knows schemas up to `supported`.
  case newerSchema(path: String, found: Int, supported: Int)
  /// The file is a database of another program.
  case foreignDatabase(path: String)
  /// SQLite refused an operation.
  case sqlite(code: Int32, message: String, operation: String)

  /// Whether the file itself is broken, as opposed to its surroundings.
  public var isDamage: Bool {
    guard case .sqlite(let code, _, _) = self else { return false }
    // The low eight bits are the primary code (sqlite.org/rescode.html).
    return code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB
  }
}

extension SQLiteError: CustomStringConvertible {
  /// What happened, to what, and what to try.
  public var description: String {
    switch self {
    case .newerSchema(let path, let found, let supported):
      "\(path) was written by a newer version of Tutti (schema \(found), this one knows "
        + "\(supported)): install that version again, or move the file away to start anew"
    case .foreignDatabase(let path):
      "\(path) is a database of another program: choose another state directory"
    case .sqlite(let code, let message, let operation):
      "the database cannot be used: \(operation): \(message) (SQLite \(code)); "
        + "check free space and permissions of the state directory"
    }
  }
}
