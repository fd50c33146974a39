// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import House

/// Turns what a client names into tracks for the queue, or says why not.
///
/// Touches the disk, so it is used outside of the coordinator's loop.
struct MediaIntake: Sendable {
  /// The longest address that is taken; browsers and servers agree on about this much.
  static let addressLimit = 4_096

  let folders: MusicFolders
  let spool: UploadSpool
  /// The names of the live inputs.
  var inputs: [String] = []
  /// Finds what lies in the library; nil without one.
  var library: LibraryIntake?

  /// What became of the items.
  struct Outcome: Sendable {
    var additions: [PlayQueue.Addition] = []
    var refused: [RefusedItemDocument] = []
    /// Which of the additions is to be played first, when the client said.
    var startIndex: Int?
    /// Where in it, when the library remembers and the client said nothing.
    var startSeconds: Double?
  }

  /// Takes in items, in order; the refused ones do not stop the others.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - start: Which of their tracks shall be the first, counted as the client counts: a refused item
  ///     is one of them.
  /// - Returns: Their tracks, and which were refused.
  func take(_ items: [MediaReference], startAt start: Int? = nil) -> Outcome {
    var outcome = Outcome(startIndex: start)
    for item in items {
      if case .library(let reference) = item, let library {
        take(library.tracks(of: reference), of: item, startAt: start, into: &outcome)
        continue
      }
      switch additions(for: item) {
      case .success(let additions): outcome.additions += additions
      case .failure(let refusal):
        if let start, outcome.additions.count + outcome.refused.count < start {
          outcome.startIndex = outcome.startIndex.map { $0 - 1 }
        }
        outcome.refused.append(RefusedItemDocument(item: item, reason: refusal.reason))
      }
    }
    return outcome
  }

  private func take(
    _ tracks: Result<LibraryIntake.Tracks, MusicFolders.Refusal>, of item: MediaReference,
    startAt start: Int?, into outcome: inout Outcome
  ) {
    switch tracks {
    case .success(let tracks):
      if start == nil, outcome.startIndex == nil, let index = tracks.startIndex {
        outcome.startIndex = outcome.additions.count + index
        outcome.startSeconds = tracks.startSeconds
      } else if start == nil, outcome.additions.isEmpty {
        outcome.startSeconds = tracks.startSeconds
      }
      outcome.additions += tracks.additions
    case .failure(let refusal):
      outcome.refused.append(RefusedItemDocument(item: item, reason: refusal.reason))
    }
  }

  private func additions(
    for item: MediaReference
  ) -> Result<[PlayQueue.Addition], MusicFolders.Refusal> {
    switch item {
    case .path(let path):
      Result { () throws(MusicFolders.Refusal) in try folders.files(at: path) }.map { files in
        files.map { PlayQueue.Addition(source: .file(path: $0), label: Self.label(ofPath: $0)) }
      }
    case .url(let url): Self.addition(forAddress: url).map { [$0] }
    case .upload(let id):
      if let upload = spool.upload(id) {
        .success([
          PlayQueue.Addition(source: .upload(id: id), label: Self.label(ofPath: upload.name))
        ])
      } else {
        .failure(.init(reason: "there is no upload \(id) (any more): send the file again"))
      }
    case .library: .failure(.init(reason: "this coordinator has no library"))
    case .input(let name):
      if inputs.contains(name) {
        .success([PlayQueue.Addition(source: .input(name: name), label: name)])
      } else {
        .failure(.init(reason: noInput(name)))
      }
    }
  }

  private func noInput(_ name: String) -> String {
    guard !inputs.isEmpty else {
      return "there is no input \(name): start the coordinator with --input NAME=pipe:PATH"
    }
    return "there is no input \(name); there are: \(inputs.joined(separator: ", "))"
  }

  /// The file's name without its ending.
  static func label(ofPath path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      name.distance(from: dot, to: name.endIndex) <= 6
    else { return name }
    return String(name[..<dot])
  }

  private static func addition(
    forAddress url: String
  ) -> Result<PlayQueue.Addition, MusicFolders.Refusal> {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https" else {
      return .failure(.init(reason: "\(url): only http and https addresses can be played"))
    }
    let rest = url.dropFirst(scheme.count)
    let host = rest.dropFirst(3).prefix { !"/?#".contains($0) }
    let isPrintable = url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    guard rest.hasPrefix("://"), !host.isEmpty, isPrintable, url.utf8.count <= addressLimit else {
      return .failure(.init(reason: "\(url) is not an address"))
    }
    let path = rest.dropFirst(3 + host.count).prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init)
    let name = last.flatMap(PercentCoding.decode).map(label) ?? String(host)
    return .success(PlayQueue.Addition(source: .url(url), label: name))
  }
}
