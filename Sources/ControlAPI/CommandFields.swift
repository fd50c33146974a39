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

  /// A field that may be absent, but is what it must be when it is there: null is not absent.
  func given<Value: Decodable>(_ type: Value.Type, _ key: CommandKey) throws -> Value? {
    contains(key) ? try decode(type, forKey: key) : nil
  }

  /// A whole number within bounds.
  func number<Number: FixedWidthInteger & Decodable>(
    _ key: CommandKey, in range: ClosedRange<Number>
  ) throws -> Number {
    let number = try decode(Number.self, forKey: key)
    guard range.contains(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "must be \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Seconds within bounds.
  func seconds(_ key: CommandKey, from lowest: Double) throws -> Double {
    let seconds = try decode(Double.self, forKey: key)
    guard seconds >= lowest, seconds <= longestTrackSeconds else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "is not a time within a track")
    }
    return seconds
  }

  /// Refuses a command that says the same thing in two ways.
  func refuseBoth(_ one: CommandKey, _ other: CommandKey) throws {
    guard contains(one), contains(other) else { return }
    throw DecodingError.dataCorruptedError(
      forKey: other, in: self, debugDescription: "excludes `\(one.rawValue)`")
  }

  func seekTarget() throws -> SeekTarget {
    try refuseBoth(.seconds, .offsetSeconds)
    return contains(.offsetSeconds)
      ? .relative(try seconds(.offsetSeconds, from: -longestTrackSeconds))
      : .absolute(try seconds(.seconds, from: 0))
  }

  func itemID() throws -> UInt64 { try number(.itemID, in: 0...greatestNumber) }

  func queuePlace() throws -> QueuePlace {
    let anchor = contains(.itemID) ? try itemID() : nil
    switch try given(String.self, .place) ?? "end" {
    case "end": return .end
    case "next": return .next
    case "before": return .before(try anchor ?? itemID())
    case "after": return .after(try anchor ?? itemID())
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
    guard !ids.isEmpty, ids.allSatisfy({ $0 <= greatestNumber }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .itemIDs, in: self, debugDescription: "must name at least one item")
    }
    return ids
  }

  func volumeChange() throws -> VolumeChange {
    try refuseBoth(.level, .change)
    return contains(.change)
      ? .relative(try number(.change, in: -100...100))
      : .absolute(try number(.level, in: 0...100))
  }
}

/// JavaScript's numbers are whole up to here: 2^53 - 1.
let greatestNumber: UInt64 = 9_007_199_254_740_991
/// A year: no track is longer, and everything beyond is a slip of the finger.
private let longestTrackSeconds = 31_536_000.0

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
