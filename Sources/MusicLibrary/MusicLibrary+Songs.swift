// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase

extension MusicLibrary {
  /// Songs in the order of their titles.
  ///
  /// - Parameters:
  ///   - selection: Which songs; in its own order for an album or a playlist.
  ///   - page: Which part.
  /// - Returns: The songs.
  /// - Throws: `LibraryError`.
  public func songs(
    _ selection: Selection = .all, _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<Song> {
    Page(items: [], total: 0)
  }

  /// One song with all that is known of it.
  ///
  /// - Parameter id: The song.
  /// - Returns: The song; nil when there is no such one.
  /// - Throws: `LibraryError`.
  public func song(_ id: Int64) throws(LibraryError) -> SongDetails? {
    nil
  }

  /// Songs by their numbers, in the order asked for; unknown ones are left out.
  ///
  /// - Parameter ids: The songs.
  /// - Returns: The songs.
  /// - Throws: `LibraryError`.
  public func songs(ids: [Int64]) throws(LibraryError) -> [Song] {
    []
  }

  /// The files of songs that can be reached, in the order in which they are listed.
  ///
  /// - Parameters:
  ///   - selection: Which songs; `all` by title.
  ///   - limit: The most files.
  /// - Returns: The files.
  /// - Throws: `LibraryError`; `unknown` for what is not there.
  public func files(of selection: Selection, limit: Int) throws(LibraryError) -> [SongFile] {
    []
  }

  /// What is known of files by their paths: of a queue that was made from a folder, say.
  ///
  /// - Parameter paths: `PathText`s.
  /// - Returns: The songs that are known, in the order asked for.
  /// - Throws: `LibraryError`.
  public func files(at paths: [String]) throws(LibraryError) -> [SongFile] {
    []
  }

  /// Gives stars to a song, or takes them away.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - stars: 1 to 5; nil for none.
  /// - Throws: `LibraryError`.
  public func setRating(song: Int64, stars: Int?) throws(LibraryError) {
  }

  /// Remembers where listening to a song stopped.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - milliseconds: The place; nil for the start.
  /// - Throws: `LibraryError`.
  public func setPosition(song: Int64, milliseconds: Int?) throws(LibraryError) {
  }
}
