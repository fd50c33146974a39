// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The parts of commands that several commands share.
extension KeyedDecodingContainer<CommandKey> {
  func word<Word>(_: Word.Type) throws -> Word
  where Word: CaseIterable & RawRepresentable<String> {
    let text = try decode(String.self, forKey: .command)
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    throw DecodingError.dataCorruptedError(
      forKey: .command, in: self,
      debugDescription: "`\(text)` is not known here; there are \(known)")
  }

  func seekTarget() throws -> SeekTarget {
    if let offset = try decodeIfPresent(Double.self, forKey: .offsetSeconds) {
      return .relative(offset)
    }
    return .absolute(try decode(Double.self, forKey: .seconds))
  }

  func queuePlace() throws -> QueuePlace {
    switch try decodeIfPresent(String.self, forKey: .place) ?? "end" {
    case "end": return .end
    case "next": return .next
    case "before": return .before(try decode(UInt64.self, forKey: .itemID))
    case "after": return .after(try decode(UInt64.self, forKey: .itemID))
    case let other:
      throw DecodingError.dataCorruptedError(
        forKey: .place, in: self,
        debugDescription: "`\(other)` is not known here; there are `end`, `next`, `before`, `after`"
      )
    }
  }

  /// Items that are named; at least one.
  func itemIDs() throws -> [UInt64] {
    let ids = try decode([UInt64].self, forKey: .itemIDs)
    guard !ids.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .itemIDs, in: self, debugDescription: "must name at least one item")
    }
    return ids
  }

  func volumeChange() throws -> VolumeChange {
    if let change = try decodeIfPresent(Int.self, forKey: .change) {
      return .relative(change)
    }
    let level = try decode(Int.self, forKey: .level)
    guard (0...100).contains(level) else {
      throw DecodingError.dataCorruptedError(
        forKey: .level, in: self, debugDescription: "must be 0 to 100")
    }
    return .absolute(level)
  }
}

extension KeyedEncodingContainer<CommandKey> {
  mutating func encode(_ target: SeekTarget) throws {
    switch target {
    case .absolute(let seconds): try encode(seconds, forKey: .seconds)
    case .relative(let seconds): try encode(seconds, forKey: .offsetSeconds)
    }
  }

  mutating func encode(_ place: QueuePlace) throws {
    switch place {
    case .end: try encode("end", forKey: .place)
    case .next: try encode("next", forKey: .place)
    case .before(let id):
      try encode("before", forKey: .place)
      try encode(id, forKey: .itemID)
    case .after(let id):
      try encode("after", forKey: .place)
      try encode(id, forKey: .itemID)
    }
  }

  mutating func encode(_ change: VolumeChange) throws {
    switch change {
    case .absolute(let level): try encode(level, forKey: .level)
    case .relative(let difference): try encode(difference, forKey: .change)
    }
  }
}
