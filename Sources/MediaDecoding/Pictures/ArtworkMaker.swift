// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
public import DecoderProtocol
import TagReading
import TagRules

/// Makes a small JPEG of the picture in a music file, or of a picture file.
///
/// Nothing is decoded before its size is known, and nothing beyond 64 MiB or 64 megapixels. Not
/// thread-safe, and for `tutti-decoder` only: hostile bytes may crash it.
public enum ArtworkMaker {
  /// The most bytes of a picture that are read.
  private static let maximumInput = 64 << 20

  /// Makes a picture whose longest edge is `edge` or, if the original is smaller, the original's.
  ///
  /// - Parameters:
  ///   - path: A `PathText`.
  ///   - edge: In pixels, 1 to `EncodedImage.maximumEdge`.
  /// - Returns: The picture, upright and opaque.
  /// - Throws: `DecoderFailure`: no picture, too large, damaged, or no file.
  public static func make(path: String, edge: Int) throws(DecoderFailure) -> EncodedImage {
    let bytes = try picture(path: path)
    let decoder = try PictureDecoder(bytes, edge: edge)
    let raster = try PictureScaler.raster(decoder.frame, edge: edge)
    return try JPEGEncoder.encode(raster.upright(decoder.orientation).onWhite())
  }

  private static func picture(path: String) throws(DecoderFailure) -> [UInt8] {
    let file = try FileInput(path: path)
    if PictureHeader.format(file.peek(at: 0, count: PictureHeader.signatureLength)) != nil {
      guard file.size <= maximumInput else { throw tooLarge }
      return file.peek(at: 0, count: file.size)
    }
    switch PictureReader.read(descriptor: file.descriptor, limit: maximumInput) {
    case .picture(let bytes): return bytes
    case .tooLarge: throw tooLarge
    case .nothing: return try attachedPicture(file, path: path)
    }
  }

  /// What libavformat calls the attached picture, in files that TagLib does not know.
  private static func attachedPicture(
    _ file: FileInput, path: String
  ) throws(DecoderFailure) -> [UInt8] {
    guard let container = try? OpenContainer(file, path: path) else { throw nothing }
    for stream in container.streams
    where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
      let packet = stream.pointee.attached_pic
      guard let data = packet.data, packet.size > 0 else { continue }
      guard packet.size <= maximumInput else { throw tooLarge }
      return Array(UnsafeBufferPointer(start: data, count: Int(packet.size)))
    }
    throw nothing
  }

  private static var nothing: DecoderFailure {
    DecoderFailure(.noPicture, "there is no picture in it")
  }

  private static var tooLarge: DecoderFailure {
    DecoderFailure(.tooLarge, "its picture has more than 64 MiB")
  }
}
