// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DaemonProcess
internal import DecoderProtocol
internal import HTTPService
internal import House
internal import MusicLibrary

/// The coordinator's own music: what is known of it, and who keeps that up to date.
struct MusicCollection: Sendable {
  let library: MusicLibrary
  let scanner: LibraryScanner
  /// Reads the library for whoever asks.
  let api: LibraryAPI

  /// Opens the library; the scanner does not work yet.
  ///
  /// - Parameters:
  ///   - path: The library's file.
  ///   - folders: The music folders.
  ///   - configuration: How often to scan, and by which decoder.
  ///   - events: Where progress is told.
  ///   - log: One line a scan.
  /// - Throws: `LibraryError`, or `NetworkError` when the host is out of descriptors.
  init(
    at path: String, folders: MusicFolders, configuration: CoordinatorConfiguration,
    events: EventHub, log: Log
  ) throws {
    library = try MusicLibrary(path: path)
    for notice in library.notices { log.warning(notice) }
    let program = configuration.decoderPath.map { DecoderProgram(path: $0) } ?? DecoderProgram()
    scanner = try LibraryScanner(
      LibraryScanner.Parts(
        library: library, roots: folders.paths, program: program, events: events, log: log,
        rescanInterval: configuration.rescanInterval))
    api = LibraryAPI(
      library: library,
      pictures: try ArtworkStore(
        at: FilePath.folder(of: path) + "/artwork", program: program, log: log),
      thread: try ChoreThread("browsing", log: log), events: events)
  }
}

extension MusicLibrary {
  /// What was measured of the loudness of a file; nil for one that the library does not know. Waits for the
  /// disk: not for the coordinator's loop.
  func loudness(ofFile path: String) -> MeasuredLoudness? {
    guard let file = try? files(at: [path]).first, let song = try? song(file.id),
      let gain = song.replayGain
    else { return nil }
    return MeasuredLoudness(
      trackGain: gain.trackGain, trackPeak: gain.trackPeak, albumGain: gain.albumGain,
      albumPeak: gain.albumPeak)
  }
}
