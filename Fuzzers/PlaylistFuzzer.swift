// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue

// libFuzzer calls this with every input it makes; a trap, an overflow or a broken promise below is
// a finding. Run by tools/fuzz.

/// Feeds bytes to the playlist parser as both formats; what is written of the result is read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPlaylist(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for path in ["/music/lists/list.m3u", "/list.pls"] {
    let list = PlaylistParser.parse(bytes, path: path)
    precondition(list.entries.count <= PlaylistParser.mostEntries)
    let plain = list.entries.filter { entry in
      if case .file(let file) = entry.target { !file.paths.isEmpty } else { true }
    }
    let again = PlaylistParser.parse(PlaylistWriter.m3u8(plain), path: "/again.m3u8")
    precondition(again.entries.map(place) == plain.map(place))
  }
  return 0
}

/// The bytes of what an entry names: texts that look alike are not the same file.
private func place(_ entry: PlaylistEntry) -> [UInt8] {
  switch entry.target {
  case .url(let url): Array(url.utf8)
  case .file(let file): Array((file.paths.first ?? "").utf8)
  }
}
