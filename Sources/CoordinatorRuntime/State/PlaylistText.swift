// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import DecoderProtocol
internal import House

/// A track of a saved queue.
struct SavedTrack: Sendable, Equatable {
  var source: ItemSource
  var label: String
  var facts = ItemFacts()

  /// How the coordinator finds it again; nil for what does not last.
  var reference: MediaReference? {
    switch source {
    case .file(let path): .path(path)
    case .url(let url), .station(let url): .url(url)
    case .input(let name): .input(name)
    case .upload: nil
    }
  }
}

/// Saved queues as M3U in UTF-8: `#EXTINF` with length and title, `#EXTART` and `#EXTALB` as some players
/// have them, then the path or address. Paths are the bytes that the file system has.
enum PlaylistText {
  /// What can be written down, and what cannot, with reasons.
  static func sort(
    _ tracks: [SavedTrack]
  ) -> (lasting: [SavedTrack], passing: [RefusedItemDocument]) {
    var lasting: [SavedTrack] = []
    var passing: [RefusedItemDocument] = []
    for track in tracks {
      switch track.source {
      case .upload(let id):
        passing.append(
          RefusedItemDocument(
            item: .upload(id),
            reason: "\(track.label) was sent along and is kept only while the queue needs it"))
      case .file(let path) where path.unicodeScalars.contains { $0 == "\n" || $0 == "\r" }:
        passing.append(
          RefusedItemDocument(
            item: .path(path), reason: "\(track.label): no playlist can hold a line end in a name"))
      case .file, .url, .station, .input: lasting.append(track)
      }
    }
    return (lasting, passing)
  }

  static func encode(_ tracks: [SavedTrack]) -> [UInt8] {
    var bytes = Array("#EXTM3U\n".utf8)
    for track in tracks {
      let seconds = track.facts.durationMilliseconds.map { ($0 + 500) / 1_000 } ?? -1
      var lines = ["#EXTINF:\(seconds),\(track.facts.title ?? track.label)"]
      if let artist = track.facts.artist { lines.append("#EXTART:" + artist) }
      if let album = track.facts.album { lines.append("#EXTALB:" + album) }
      for line in lines { bytes += Array(oneLine(line).utf8) + [UInt8(ascii: "\n")] }
      switch track.source {
      case .file(let path): bytes += PathText.bytes(of: path)
      case .url(let url), .station(let url): bytes += Array(url.utf8)
      case .input(let name): bytes += Array((inputScheme + name).utf8)
      case .upload: continue
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Reads a playlist: ours, or one that somebody put there. What is neither an absolute path nor an
  /// address or input is passed over.
  static func decode(_ bytes: [UInt8]) -> [SavedTrack] {
    var tracks: [SavedTrack] = []
    var facts = ItemFacts()
    for line in lines(bytes) {
      if line.first == UInt8(ascii: "#") {
        note(String(decoding: line, as: UTF8.self), in: &facts)
        continue
      }
      let text = PathText.text(ofBytes: Array(line))
      if let source = source(text) {
        tracks.append(SavedTrack(source: source, label: facts.title ?? "", facts: facts))
      }
      facts = ItemFacts()
    }
    return tracks
  }

  private static func source(_ text: String) -> ItemSource? {
    if text.hasPrefix("/") { return .file(path: text) }
    if text.hasPrefix("http://") || text.hasPrefix("https://") { return .url(text) }
    guard text.hasPrefix(inputScheme) else { return nil }
    return .input(name: String(text.dropFirst(inputScheme.count)))
  }

  /// What a live input's line begins with: what `tutti play` calls it too.
  private static let inputScheme = "input:"

  /// How many tracks a playlist has.
  static func count(_ bytes: [UInt8]) -> Int {
    lines(bytes).count { $0.first != UInt8(ascii: "#") }
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  private static func note(_ line: String, in facts: inout ItemFacts) {
    func value(_ head: String) -> String? {
      guard line.hasPrefix(head) else { return nil }
      let text = String(line.dropFirst(head.count))
      return text.isEmpty ? nil : text
    }
    if let artist = value("#EXTART:") { facts.artist = artist }
    if let album = value("#EXTALB:") { facts.album = album }
    guard let info = value("#EXTINF:") else { return }
    let parts = info.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    if let seconds = Int64(parts[0]), seconds > 0, seconds < 31_536_000 {
      facts.durationMilliseconds = seconds * 1_000
    }
    if parts.count > 1, !parts[1].isEmpty { facts.title = String(parts[1]) }
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
