// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CTagLib

/// The picture inside a music file.
public enum PictureReader {
  /// What was found.
  public enum Found: Sendable, Hashable {
    /// The file of the picture: JPEG, PNG, or whatever was put in.
    case picture([UInt8])
    /// No picture, or no format that TagLib knows.
    case nothing
    /// A picture larger than `limit`, or a file that asks for too much.
    case tooLarge
  }

  /// Takes the front cover, else the first picture, out of an open regular file.
  ///
  /// - Parameters:
  ///   - descriptor: Stays open, and keeps its position.
  ///   - limit: The most bytes that a picture may have.
  /// - Returns: The picture's file as it was put in, undecoded.
  public static func read(descriptor: CInt, limit: Int) -> Found {
    var bytes: [UInt8] = []
    let result = withUnsafeMutablePointer(to: &bytes) { bytes in
      tutti_tag_read_picture(descriptor, limit, bytes, takePicture)
    }
    switch result {
    case tutti_tag_read: return .picture(bytes)
    case tutti_tag_too_large: return .tooLarge
    default: return .nothing
    }
  }
}

/// C calls it during `tutti_tag_read_picture`; `context` is the caller's array.
private func takePicture(
  _ context: UnsafeMutableRawPointer?, _ start: UnsafePointer<UInt8>?, _ count: Int
) {
  let bytes = context?.assumingMemoryBound(to: [UInt8].self)
  bytes?.pointee = Array(UnsafeBufferPointer(start: start, count: count))
}
