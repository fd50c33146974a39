// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// Conversions of pixels with libswscale.
enum PictureScaler {
  /// Makes a decoded picture small.
  ///
  /// - Parameters:
  ///   - frame: What libavcodec decoded.
  ///   - edge: The longest edge of the result; a smaller picture keeps its size.
  /// - Returns: The picture with alpha.
  /// - Throws: `DecoderFailure` if libswscale cannot, as with a line of 65,000 pixels.
  static func raster(
    _ frame: UnsafePointer<AVFrame>, edge: Int
  ) throws(DecoderFailure) -> Raster {
    let (width, height) = size(
      width: Int(frame.pointee.width), height: Int(frame.pointee.height), edge: edge)
    var pixels = [UInt32](repeating: 0, count: width * height)
    let isScaled = pixels.withUnsafeMutableBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return scale(
        frame, AV_PIX_FMT_RGBA, width, height, [start, nil, nil, nil],
        [CInt(width * 4), 0, 0, 0])
    }
    guard isScaled else { throw failure }
    return Raster(width: width, height: height, pixels: pixels)
  }

  /// The size that fits into a square, in the proportions of the original.
  static func size(width: Int, height: Int, edge: Int) -> (width: Int, height: Int) {
    let longest = max(width, height)
    guard longest > edge else { return (width, height) }
    let fit = { (side: Int) in max(1, (side * edge + longest / 2) / longest) }
    return (fit(width), fit(height))
  }

  /// Fills `target`, whose format and size are set, from a raster.
  static func fill(_ target: UnsafeMutablePointer<AVFrame>, from raster: Raster) -> Bool {
    var frame = AVFrame()
    frame.format = AV_PIX_FMT_RGBA.rawValue
    (frame.width, frame.height) = (CInt(raster.width), CInt(raster.height))
    var pixels = raster.pixels
    let planes = target.pointee.data
    let lines = target.pointee.linesize
    return pixels.withUnsafeMutableBytes { buffer in
      frame.data.0 = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      frame.linesize.0 = CInt(raster.width * 4)
      return scale(
        &frame, AVPixelFormat(target.pointee.format), raster.width, raster.height,
        [planes.0, planes.1, planes.2, planes.3], [lines.0, lines.1, lines.2, lines.3])
    }
  }

  static var failure: DecoderFailure {
    DecoderFailure(.damaged, "its picture has a shape or colours that cannot be made small")
  }

  private static func scale(
    _ source: UnsafePointer<AVFrame>, _ format: AVPixelFormat, _ width: Int, _ height: Int,
    _ planes: [UnsafeMutablePointer<UInt8>?], _ lines: [CInt]
  ) -> Bool {
    let (from, fromHeight) = (source.pointee, source.pointee.height)
    // Area averaging: every source pixel counts, which is what makes a small picture calm.
    let context = sws_getContext(
      from.width, fromHeight, AVPixelFormat(from.format), CInt(width), CInt(height), format,
      SWS_AREA | SWS_ACCURATE_RND, nil, nil, nil)
    guard let context else { return false }
    defer { sws_freeContext(context) }
    let data = from.data
    let sourcePlanes = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } }
    let size = from.linesize
    let rows = sws_scale(
      context, sourcePlanes, [size.0, size.1, size.2, size.3], 0, fromHeight, planes, lines)
    return rows == CInt(height)
  }
}
