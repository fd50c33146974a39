// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import MusicLibrary

/// Which playlists are new, changed or gone: there are few of them, and no moving is looked for.
struct PlaylistComparison {
  private let rereadsAll: Bool
  /// By the bytes of the path.
  private var known: [[UInt8]: KnownPlaylist] = [:]

  /// A comparison with nothing known yet.
  init(rereadsAll: Bool) { self.rereadsAll = rereadsAll }

  /// Takes note of a playlist of the library.
  mutating func know(_ playlist: KnownPlaylist) { known[Array(playlist.path.utf8)] = playlist }

  /// A playlist has been found.
  ///
  /// - Returns: Whether to read it.
  mutating func meet(_ path: String, modified: Int64) -> Bool {
    let old = known.removeValue(forKey: Array(path.utf8))
    return rereadsAll || old?.modified != modified
  }

  /// The playlists that were not met and were deleted.
  func gone(_ plan: borrowing ScanPlan) -> [Int64] {
    known.values.filter { plan.isSurelyGone($0.path) }.map(\.id).sorted()
  }
}
