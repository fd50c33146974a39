// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import DecoderProtocol
internal import House
internal import MusicLibrary

/// Turns something of the library into tracks for the queue. Blocks on the disk.
struct LibraryIntake: Sendable {
  let library: MusicLibrary

  /// What became of a reference.
  struct Tracks: Sendable, Equatable {
    var additions: [PlayQueue.Addition] = []
    /// Which of them is to be played first.
    var startIndex: Int?
    /// Where in it: of books and podcasts the place is remembered.
    var startSeconds: Double?
  }

  /// The tracks of a reference.
  ///
  /// - Parameter reference: What is meant.
  /// - Returns: At least one track, or why there is none.
  func tracks(of reference: LibraryReference) -> Result<Tracks, MusicFolders.Refusal> {
    do {
      let id = try id(of: reference)
      if reference.kind == .station { return .success(try station(id)) }
      return .success(try songs(of: reference, id: id))
    } catch let refusal as MusicFolders.Refusal {
      return .failure(refusal)
    } catch {
      return .failure(.init(reason: "\(error)"))
    }
  }

  private func id(of reference: LibraryReference) throws -> Int64 {
    switch reference.which {
    case .all: return 0
    case .id(let id): return id
    case .name(let name):
      if reference.kind == .year, let year = Int64(name) { return year }
      return try LibraryNames(library).only(reference.kind, named: name)
    }
  }

  private func station(_ id: Int64) throws -> Tracks {
    guard let station = try library.station(id) else {
      throw LibraryError.unknown(kind: "station", id: id)
    }
    let facts = ItemFacts(title: station.name)
    return Tracks(additions: [
      .init(source: .station(station.url), label: station.name, facts: facts)
    ])
  }

  private func songs(of reference: LibraryReference, id: Int64) throws -> Tracks {
    let files = try library.files(
      of: Self.selection(reference.kind, id), limit: PlayQueue.capacity)
    guard !files.isEmpty else {
      throw MusicFolders.Refusal(reason: "\(Self.words(reference)): there is nothing in it to play")
    }
    var tracks = Tracks(additions: files.map(PlayQueue.Addition.init))
    if let song = reference.startAt {
      guard let index = files.firstIndex(where: { $0.id == song }) else {
        throw MusicFolders.Refusal(reason: "\(Self.words(reference)): song \(song) is not in it")
      }
      tracks.startIndex = index
    }
    try recall(files, &tracks, isChosen: reference.startAt != nil || reference.kind == .song)
    return tracks
  }

  /// A book goes on with the file and at the place where listening stopped.
  private func recall(_ files: [SongFile], _ tracks: inout Tracks, isChosen: Bool) throws {
    let first = files[tracks.startIndex ?? 0].id
    guard let song = try library.songs(ids: [first]).first, song.kind != .song else { return }
    if isChosen {
      tracks.startSeconds = song.positionMilliseconds.map { Double($0) / 1_000 }
      return
    }
    let songs = try library.songs(ids: files.map(\.id))
    guard let place = songs.lastIndex(where: { $0.positionMilliseconds != nil }),
      let index = files.firstIndex(where: { $0.id == songs[place].id })
    else { return }
    tracks.startIndex = index
    tracks.startSeconds = songs[place].positionMilliseconds.map { Double($0) / 1_000 }
  }

  private static func selection(_ kind: LibraryReference.Kind, _ id: Int64) -> Selection {
    switch kind {
    case .songs, .station: .all
    case .song: .song(id)
    case .album: .album(id)
    case .artist: .artist(id)
    case .composer: .composer(id)
    case .genre: .genre(id)
    case .year: .year(Int(clamping: id))
    case .playlist: .playlist(id)
    }
  }

  /// What was asked for, as a person would write it.
  static func words(_ reference: LibraryReference) -> String {
    switch reference.which {
    case .all: "the library"
    case .id(let id): "\(reference.kind.rawValue) \(id)"
    case .name(let name): "\(reference.kind.rawValue):\(name)"
    }
  }
}

extension PlayQueue.Addition {
  /// A file of the library, with what the library knows of it.
  init(_ file: SongFile) {
    func text(_ value: String) -> String? { value.isEmpty ? nil : value }
    self.init(
      source: .file(path: file.path), label: file.title,
      facts: ItemFacts(
        title: text(file.title), artist: text(file.artist), album: text(file.album),
        durationMilliseconds: file.durationMilliseconds.map(Int64.init)))
  }
}
