// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase

/// The shape of the library's file.
enum LibrarySchema {
  /// Marks the file as ours: "TUTL".
  static let applicationID: Int64 = 0x5455_544C

  static let history = SchemaHistory(applicationID: applicationID, migrations: [first])

  private static let first = """
    CREATE TABLE library(one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL);
    INSERT INTO library VALUES(1, 0);
    CREATE TABLE memories(
      fingerprint TEXT PRIMARY KEY, rating INTEGER, position_ms INTEGER) WITHOUT ROWID;
    """
}
