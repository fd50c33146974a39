// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol

// libFuzzer calls this with every input it makes; a trap, an overflow or a broken promise below is
// a finding. Run by tools/fuzz.

/// Feeds bytes to what reads a radio station's metadata and headers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRadio(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let headers = StationHeaders(bytes)
  check(headers.name)
  check(headers.genre)
  precondition((0...100_000).contains(headers.kilobitsPerSecond))
  guard let title = ICYMetadata.title(in: bytes) else { return 0 }
  check(title.artist)
  check(title.title)
  let again = StationText.split(title.title)
  precondition(again.artist.utf8.count <= title.title.utf8.count)
  return 0
}

/// A text is short and on one line.
private func check(_ text: String) {
  precondition(text.utf8.count <= StreamTitle.maximumLength)
  precondition(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
}
