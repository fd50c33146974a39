// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol
import TagReading
import TagRules

/// Says what a file says about itself.
///
/// TagLib reads what most files have in 0.1 ms; libavformat, which decodes to know what is in a file,
/// is asked only where TagLib finds no sound, no length, or chapters that it does not read. Not
/// thread-safe, and for `tutti-decoder` only: hostile bytes may crash it.
public enum MediaDescriber {
  /// Describes the file at `path`, a `PathText`.
  ///
  /// - Throws: `DecoderFailure` if it is no regular file, or holds no sound that Tutti plays.
  public static func describe(path: String) throws(DecoderFailure) -> TrackTags {
    let file = try FileInput(path: path)
    let fileName = PathText.display(path).split(separator: "/").last.map(String.init) ?? ""
    guard var raw = TagReader.read(descriptor: file.descriptor) else {
      return TrackTags(try ProbedTags.read(path: path), fileName: fileName)
    }
    if raw.chapters.isEmpty, file.hasMP4Chapters() {
      // Without its chapters it is still a book.
      let container = try? OpenContainer(file, path: path)
      container?.chapters.forEach { raw.add($0) }
    }
    if raw.isChained { raw.milliseconds = file.chainedOggMilliseconds() ?? 0 }
    var tags = TrackTags(raw, fileName: fileName)
    if tags.durationMilliseconds == nil {
      let probed = TrackTags(try ProbedTags.read(path: path), fileName: fileName)
      tags.durationMilliseconds = probed.durationMilliseconds
    }
    return tags
  }
}
