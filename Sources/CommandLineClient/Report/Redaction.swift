// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Two nets, one behind the other. By name: fields that say what is played, where it lies and what the
// house is called are replaced by marks, the same mark for the same text. By content: whatever was found
// that way, and the words the caller knows, is taken out of every other text too (a log that names a
// track); then everything that looks like an address or a path, known or not.

/// Takes out of a report what is nobody's business.
struct Redaction {
  /// Fields that are replaced whatever they say.
  private static let privateFields: [String: String] = [
    "title": "title", "titleSort": "title", "artist": "artist", "artists": "artist",
    "artistSort": "artist", "album": "album", "albumSort": "album", "albumArtist": "artist",
    "albumArtists": "artist", "composer": "artist", "composers": "artist", "genre": "genre",
    "genres": "genre", "location": "file", "path": "folder", "file": "file", "label": "title",
    "lyrics": "lyrics", "musicFolders": "folder", "announcedName": "house", "host": "host",
    "url": "address", "upload": "file", "playlist": "playlist",
  ]

  /// Shorter words are in too many others: taking out "a" would leave nothing to read.
  private static let shortestWord = 3

  /// Marks by text, in the order in which they were given.
  private var marks: [(text: String, mark: String)] = []
  private var known: [String: String] = [:]
  private var counts: [String: Int] = [:]

  /// A redaction of nothing yet.
  ///
  /// - Parameter words: Words the caller knows, by what they are: `("host", "nas")`.
  init(words: [(kind: String, text: String)] = []) {
    for word in words { _ = mark(word.text, as: word.kind) }
  }

  /// The document without what is private.
  ///
  /// - Parameter document: All of it: what is found in one part is taken out of every part.
  /// - Returns: The same shape with marks.
  mutating func redact(_ document: JSONValue) -> JSONValue {
    let marked = replaceFields(document)
    // Longest first: a folder is part of its files' paths.
    marks = known.filter { $0.key.count >= Self.shortestWord }
      .map { (text: $0.key, mark: $0.value) }.sorted { $0.text.count > $1.text.count }
    return scrub(marked)
  }

  private mutating func mark(_ text: String, as kind: String) -> String {
    guard !text.isEmpty else { return text }
    if let mark = known[text] { return mark }
    counts[kind, default: 0] += 1
    // Without blanks or brackets: a word with a mark in it is still one word for the second net.
    let mark = "{\(kind)-\(counts[kind] ?? 0)}"
    known[text] = mark
    return mark
  }

  private mutating func replaceFields(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let fields):
      var replaced: [String: JSONValue] = [:]
      // Sorted, so that the same report has the same marks.
      for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
        if name == "coordinator", case .object(var parts) = field {
          if case .text(let house)? = parts["name"] {
            parts["name"] = .text(mark(house, as: "house"))
          }
          replaced[name] = replaceFields(.object(parts))
        } else if let kind = Self.privateFields[name] {
          replaced[name] = replaceAll(field, as: kind)
        } else {
          replaced[name] = replaceFields(field)
        }
      }
      return .object(replaced)
    case .list(let values): return .list(values.map { replaceFields($0) })
    default: return value
    }
  }

  private mutating func replaceAll(_ value: JSONValue, as kind: String) -> JSONValue {
    switch value {
    case .text(let text): .text(mark(text, as: kind))
    case .list(let values): .list(values.map { replaceAll($0, as: kind) })
    case .object: replaceFields(value)
    default: value
    }
  }

  private func scrub(_ value: JSONValue) -> JSONValue {
    switch value {
    case .text(let text): .text(scrub(text))
    case .list(let values): .list(values.map(scrub))
    case .object(let fields):
      .object(
        Dictionary(
          fields.map { (isMark($0.key) ? $0.key : scrub($0.key), scrub($0.value)) },
          uniquingKeysWith: { first, _ in first }))
    default: value
    }
  }

  private func isMark(_ text: String) -> Bool { text.allSatisfy { $0.isLetter } }

  /// One text without known words, addresses and paths.
  func scrub(_ text: String) -> String {
    var text = text
    for (word, mark) in marks where text.contains(word) { text = text.replacing(word, with: mark) }
    return AddressScrubber.scrub(text)
  }
}
