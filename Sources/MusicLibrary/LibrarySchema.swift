// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase

// files ──1:1── songs ──n:1── albums         a file that cannot be read has no song
//                 │ n:m (credits)
//              headings                      artists, composers, genres by role
//
// memories    ratings and places, by fingerprint: they outlive files, songs and this file's damage
// head_albums how many songs of a heading are on which album (album 0: none), so that neither lists
//             nor counts have to go through songs
// *_search    FTS5 over folded words (`SearchText`), one table for each kind of thing, so that a
//             hundred thousand songs never hide an artist
//
// Columns named `…_key` are `SortKey`s, `beginning` is `SearchText.beginning(of:)`, lists of names are
// joined by U+001F, which no tag holds. Paths are `PathText`s. A number once given to a file, album,
// heading, playlist or station is never given again (AUTOINCREMENT): a queue may still name it.

/// The shape of the library's file.
enum LibrarySchema {
  /// Marks the file as ours: "TUTL".
  static let applicationID: Int64 = 0x5455_544C

  static let history = SchemaHistory(applicationID: applicationID, migrations: [first])

  private static let first = tables + indexes + search

  private static let tables = """
    CREATE TABLE library(one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL);
    INSERT INTO library VALUES(1, 0);
    CREATE TABLE memories(
      fingerprint INTEGER PRIMARY KEY, rating INTEGER, position_ms INTEGER);
    CREATE TABLE files(
      id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, root TEXT NOT NULL,
      name TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      device INTEGER NOT NULL, inode INTEGER NOT NULL, available INTEGER NOT NULL, failure TEXT);
    CREATE TABLE albums(
      id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,
      title TEXT NOT NULL, title_key TEXT NOT NULL, beginning TEXT NOT NULL, artist TEXT,
      artist_key TEXT NOT NULL, year INTEGER, songs INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
      artwork_song INTEGER, available INTEGER NOT NULL);
    CREATE TABLE songs(
      id INTEGER PRIMARY KEY REFERENCES files(id) ON DELETE CASCADE, kind INTEGER NOT NULL,
      title TEXT NOT NULL, title_key TEXT NOT NULL, beginning TEXT NOT NULL,
      artists TEXT NOT NULL, album_artists TEXT NOT NULL, album_title TEXT NOT NULL,
      album INTEGER REFERENCES albums(id), composers TEXT NOT NULL, genres TEXT NOT NULL,
      year INTEGER, track INTEGER, disc INTEGER, duration_ms INTEGER, fingerprint INTEGER NOT NULL,
      artwork INTEGER NOT NULL, codec TEXT NOT NULL, sample_rate INTEGER NOT NULL,
      channels INTEGER NOT NULL, bit_depth INTEGER NOT NULL, bit_rate INTEGER NOT NULL,
      has_title INTEGER NOT NULL, compilation INTEGER NOT NULL, own_kind INTEGER NOT NULL);
    CREATE TABLE details(
      song INTEGER PRIMARY KEY REFERENCES songs(id) ON DELETE CASCADE, title_sort TEXT,
      artist_sort TEXT, album_sort TEXT, album_artist_sort TEXT, composer_sort TEXT,
      track_total INTEGER, disc_total INTEGER, lyrics TEXT, lyrics_beside INTEGER NOT NULL,
      folder_artwork TEXT, track_gain REAL, track_peak REAL, album_gain REAL, album_peak REAL,
      gain_source INTEGER);
    CREATE TABLE chapters(
      song INTEGER NOT NULL REFERENCES songs(id) ON DELETE CASCADE, place INTEGER NOT NULL,
      start_ms INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (song, place)) WITHOUT ROWID;
    CREATE TABLE headings(
      id INTEGER PRIMARY KEY AUTOINCREMENT, role INTEGER NOT NULL, folded TEXT NOT NULL,
      name TEXT NOT NULL, name_key TEXT NOT NULL, beginning TEXT NOT NULL, UNIQUE (role, folded));
    CREATE TABLE credits(
      heading INTEGER NOT NULL, title_key TEXT NOT NULL, song INTEGER NOT NULL,
      PRIMARY KEY (heading, title_key, song)) WITHOUT ROWID;
    CREATE TABLE heading_albums(
      heading INTEGER NOT NULL, album INTEGER NOT NULL, songs INTEGER NOT NULL,
      PRIMARY KEY (heading, album)) WITHOUT ROWID;
    CREATE TABLE playlists(
      id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, root TEXT NOT NULL,
      modified INTEGER NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL,
      beginning TEXT NOT NULL, entries INTEGER NOT NULL, is_list INTEGER NOT NULL);
    CREATE TABLE playlist_entries(
      playlist INTEGER NOT NULL REFERENCES playlists(id) ON DELETE CASCADE,
      place INTEGER NOT NULL, name TEXT NOT NULL, url TEXT, paths BLOB, tail TEXT,
      PRIMARY KEY (playlist, place)) WITHOUT ROWID;
    CREATE TABLE stations(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      playlist INTEGER NOT NULL REFERENCES playlists(id) ON DELETE CASCADE, url TEXT NOT NULL,
      name TEXT NOT NULL, name_key TEXT NOT NULL, beginning TEXT NOT NULL,
      UNIQUE (playlist, url));

    """

  private static let indexes = """
    CREATE INDEX files_by_name ON files(name);
    CREATE INDEX files_failed ON files(path) WHERE failure IS NOT NULL;
    CREATE INDEX albums_by_title ON albums(kind, title_key, id);
    CREATE INDEX albums_by_beginning ON albums(kind, beginning, id);
    CREATE INDEX songs_by_title ON songs(kind, title_key, id);
    CREATE INDEX songs_by_beginning ON songs(beginning, id);
    CREATE INDEX songs_by_album ON songs(album);
    CREATE INDEX songs_by_year ON songs(kind, year, title_key, id);
    CREATE INDEX headings_by_name ON headings(role, name_key, id);
    CREATE INDEX headings_by_beginning ON headings(role, beginning, id);
    CREATE INDEX credits_by_song ON credits(song);
    CREATE INDEX albums_of_headings ON heading_albums(album);
    CREATE INDEX playlists_by_name ON playlists(is_list, name_key, id);
    CREATE INDEX playlists_by_beginning ON playlists(is_list, beginning, id);
    CREATE INDEX stations_by_name ON stations(name_key, id);
    CREATE INDEX stations_by_beginning ON stations(beginning, id);

    """

  /// `role` holds one word: the kind of an album (`k0`) or the role of a heading (`r1`).
  ///
  /// Words are folded and parted before they come here: the tokenizer only splits at spaces. Places
  /// of words are not kept (`detail`): no phrase is ever searched. The index of beginnings makes the
  /// first three letters as fast as a whole word.
  private static let search = ["songs", "albums", "headings", "playlists", "stations"].map {
    """
    CREATE VIRTUAL TABLE \($0)_search USING fts5(
      role, name, others, tokenize = 'ascii', detail = column, prefix = '1 2 3');

    """
  }.joined()
}
