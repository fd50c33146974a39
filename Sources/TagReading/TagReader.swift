// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CTagLib
import DecoderProtocol
public import TagRules

/// TagLib's view of one open file. Any thread, one file at a time each; may crash on hostile bytes,
/// so use it in `tutti-decoder` only.
public enum TagReader {
  /// Reads the fields of an open regular file whose format TagLib knows.
  ///
  /// - Parameter descriptor: Stays open, and keeps its position.
  /// - Returns: The fields, or nil if TagLib does not know the format, gives up on the file, or finds
  ///   no sound in it: ask libavformat then.
  public static func read(descriptor: CInt) -> RawTags? {
    var raw = RawTags()
    var facts = tutti_tag_facts()
    let result = withUnsafeMutablePointer(to: &raw) { raw in
      var sink = tutti_tag_sink(context: raw, property: addProperty, chapter: addChapter)
      return tutti_tag_read_tags(descriptor, &facts, &sink)
    }
    guard result == tutti_tag_read, facts.sample_rate > 0, facts.channels > 0 else { return nil }
    raw.milliseconds = facts.milliseconds
    raw.isChained = facts.is_chained
    raw.sampleRate = Int(facts.sample_rate)
    raw.channels = Int(facts.channels)
    raw.bitDepth = Int(facts.bits_per_sample)
    raw.bitRate = Int(facts.kilobits_per_second) * 1_000
    raw.codec = String(cString: facts.codec)
    raw.hasArtwork = facts.has_picture
    raw.soundBytes = facts.sound_bytes > 0 ? facts.sound_bytes : nil
    return raw
  }
}

// Free functions: C calls them during `tutti_tag_read_tags`, on the caller's thread, and `context` is
// the caller's RawTags.

private func addProperty(
  _ context: UnsafeMutableRawPointer?, _ layer: Int32, _ key: UnsafePointer<CChar>?,
  _ keyLength: Int, _ value: UnsafePointer<CChar>?, _ valueLength: Int
) {
  let raw = context?.assumingMemoryBound(to: RawTags.self)
  raw?.pointee.add(text(value, valueLength), for: text(key, keyLength), layer: Int(layer))
}

private func addChapter(
  _ context: UnsafeMutableRawPointer?, _ milliseconds: Int64, _ title: UnsafePointer<CChar>?,
  _ length: Int
) {
  let raw = context?.assumingMemoryBound(to: RawTags.self)
  raw?.pointee.add(Chapter(startMilliseconds: Int(milliseconds), title: text(title, length)))
}

private func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
  let bytes = UnsafeRawBufferPointer(start: start, count: length)
  return String(decoding: bytes, as: UTF8.self)
}
