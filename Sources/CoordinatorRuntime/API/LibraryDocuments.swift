// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import DecoderProtocol
internal import MusicLibrary

// Values of the library as documents: milliseconds become seconds, paths become words for people.

private func seconds(_ milliseconds: Int?) -> Double? { milliseconds.map { Double($0) / 1_000 } }

/// What is empty is not known.
private func known(_ text: String) -> String? { text.isEmpty ? nil : text }

extension MediaKindWord {
  init(_ kind: TrackTags.Kind) {
    switch kind {
    case .song: self = .song
    case .audiobook: self = .audiobook
    case .podcast: self = .podcast
    }
  }
}

extension LibraryDocument {
  init(_ counts: LibraryCounts, revision: UInt64) {
    self.init(revision: revision)
    songCount = counts.songs
    albumCount = counts.albums
    artistCount = counts.artists
    composerCount = counts.composers
    genreCount = counts.genres
    playlistCount = counts.playlists
    audiobookCount = counts.audiobooks
    podcastCount = counts.podcasts
    stationCount = counts.stations
    failedFileCount = counts.failedFiles
    missingFileCount = counts.missingFiles
    durationSeconds = Double(counts.durationMilliseconds) / 1_000
  }
}

extension SongDocument {
  init(_ song: Song) {
    self.init(
      id: song.id, title: song.title, kind: MediaKindWord(song.kind),
      location: PathText.display(song.path))
    artist = song.artist
    albumArtist = Names.joined(song.albumArtists)
    album = known(song.album)
    albumID = song.albumID
    composer = Names.joined(song.composers)
    genre = Names.joined(song.genres)
    year = song.year
    trackNumber = song.trackNumber
    discNumber = song.discNumber
    durationSeconds = seconds(song.durationMilliseconds)
    hasArtwork = song.hasArtwork
    rating = song.rating
    positionSeconds = seconds(song.positionMilliseconds)
    isAvailable = song.isAvailable
  }
}

extension SongDetailsDocument {
  init(_ details: SongDetails) {
    self.init(song: SongDocument(details.song))
    lyrics = known(details.lyrics)
    chapters = details.chapters.map {
      Chapter(startSeconds: Double($0.startMilliseconds) / 1_000, title: $0.title)
    }
    if let measured = details.replayGain {
      var gain = Gain()
      gain.trackDecibels = measured.trackGain
      gain.trackPeak = measured.trackPeak
      gain.albumDecibels = measured.albumGain
      gain.albumPeak = measured.albumPeak
      replayGain = gain
    }
    codec = known(details.codec)
    sampleRate = details.sampleRate > 0 ? details.sampleRate : nil
    channels = details.channels > 0 ? details.channels : nil
    bitRate = details.bitRate > 0 ? details.bitRate : nil
    sizeBytes = details.size
  }
}

extension AlbumDocument {
  init(_ album: Album) {
    self.init(
      id: album.id, title: album.title, kind: MediaKindWord(album.kind),
      songCount: album.songCount, durationSeconds: Double(album.durationMilliseconds) / 1_000)
    artist = album.artist
    year = album.year
    hasArtwork = album.hasArtwork
    isAvailable = album.isAvailable
  }
}

extension AlbumPageDocument {
  init(_ page: AlbumPage) {
    self.init(
      album: AlbumDocument(page.album), artist: page.artist, summary: page.summary,
      artworkSongID: page.artworkSong,
      tracks: page.rows.map {
        Track(label: $0.label, artist: $0.artist, song: SongDocument($0.song))
      })
  }
}

extension HeadingDocument {
  init(_ heading: Heading) {
    self.init(
      id: heading.id, name: heading.name, albumCount: heading.albumCount,
      songCount: heading.songCount)
  }
}

extension YearDocument {
  init(_ year: Year) {
    self.init(year: year.year, albumCount: year.albumCount, songCount: year.songCount)
  }
}

extension LibraryPlaylistDocument {
  init(_ playlist: Playlist) {
    self.init(
      id: playlist.id, name: playlist.name, location: PathText.display(playlist.path),
      entryCount: playlist.entryCount)
  }
}

extension PlaylistEntryDocument {
  init(_ item: PlaylistItem) {
    self.init(title: item.title, song: item.song.map(SongDocument.init), url: item.url)
  }
}

extension StationDocument {
  init(_ station: Station) { self.init(id: station.id, name: station.name, url: station.url) }
}

extension LettersDocument {
  init(_ letters: [IndexLetter]) {
    self.init(
      letters: letters.map {
        Letter(letter: $0.letter, offset: $0.offset, count: $0.count, cursor: $0.cursor)
      })
  }
}

extension SearchDocument {
  init(_ results: SearchResults, kinds: Set<SearchKind>) {
    self.init()
    func part<Item, Document>(
      _ kind: SearchKind, _ page: Page<Item>, _ document: (Item) -> Document
    ) -> PageDocument<Document>? {
      guard kinds.contains(kind) else { return nil }
      return PageDocument(
        items: page.items.map(document), nextCursor: page.nextCursor, total: page.total)
    }
    songs = part(.songs, results.songs, SongDocument.init)
    albums = part(.albums, results.albums, AlbumDocument.init)
    artists = part(.artists, results.artists, HeadingDocument.init)
    composers = part(.composers, results.composers, HeadingDocument.init)
    genres = part(.genres, results.genres, HeadingDocument.init)
    audiobooks = part(.audiobooks, results.audiobooks, AlbumDocument.init)
    podcasts = part(.podcasts, results.podcasts, AlbumDocument.init)
    playlists = part(.playlists, results.playlists, LibraryPlaylistDocument.init)
    stations = part(.stations, results.stations, StationDocument.init)
  }
}
