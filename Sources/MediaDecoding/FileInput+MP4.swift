// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

extension FileInput {
  /// The edit of the sound, if the file is MP4 and has one.
  func mp4Edit() -> MP4Edit? { mp4IndexContents().flatMap { MP4Edit(moov: $0) } }

  /// Whether the file is MP4 with chapters: Nero's list, or a track that the sound refers to.
  func hasMP4Chapters() -> Bool {
    guard let moov = mp4IndexContents().map({ BoxReader($0) }) else { return false }
    if moov.child("udta")?.child("chpl") != nil { return true }
    return moov.children("trak").contains { $0.child("tref")?.child("chap") != nil }
  }

  private func mp4IndexContents() -> [UInt8]? {
    // An index of ten hours of AAC has 13 MB.
    let largestIndex = 1 << 25
    guard isMP4, let index = mp4Index(), index.end - index.contents <= largestIndex else {
      return nil
    }
    return peek(at: index.contents, count: index.end - index.contents)
  }

  /// Whether the file is an MP4 file without its index, which many writers put at the end.
  func lacksMP4Index() -> Bool { isMP4 && mp4Index() == nil }

  private var isMP4: Bool { BoxReader(peek(at: 0, count: 8)).text(at: 4) == "ftyp" }

  /// The `moov` box of the file.
  private func mp4Index() -> BoxHeader? {
    var offset = 0
    // A recording in fragments has thousands of boxes, but its index before them.
    for _ in 0..<1_000 {
      guard let header = BoxHeader(BoxReader(peek(at: offset, count: 16)), at: 0, base: offset)
      else { return nil }
      if header.type == "moov" { return header }
      offset = header.end
    }
    return nil
  }
}
