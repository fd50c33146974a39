// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import SQLiteDatabase

/// Why the library could not be read or written.
public enum LibraryError: Error, Sendable, Equatable {
  /// The database refused.
  case database(SQLiteError)
  /// There is no such thing (any more).
  case unknown(kind: String, id: Int64)
  /// A cursor that does not belong to the list it was used with.
  case badCursor
  /// A rating that is not 1 to 5 stars.
  case badRating(Int)
}

extension LibraryError: CustomStringConvertible {
  /// What happened, to what, and what to try.
  public var description: String {
    switch self {
    case .database(let error): "\(error)"
    case .unknown(let kind, let id): "there is no \(kind) \(id) in the library (any more)"
    case .badCursor: "this cursor belongs to another list: begin again without one"
    case .badRating(let stars): "\(stars) stars: a rating is 1 to 5"
    }
  }
}
