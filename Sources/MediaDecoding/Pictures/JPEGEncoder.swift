// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// Writes JPEG files with libavcodec.
enum JPEGEncoder {
  /// Quantiser scales from fine to coarse: the first is about "quality 85" of other programs, the
  /// others are for pictures of noise that would be larger than a reply may be.
  private static let scales: [CInt] = [4, 10, 31]

  /// Encodes an opaque picture of at most `EncodedImage.maximumEdge` pixels a side.
  static func encode(_ raster: Raster) throws(DecoderFailure) -> EncodedImage {
    for scale in scales {
      let bytes = try encode(raster, scale: scale)
      guard bytes.count <= EncodedImage.maximumBytes else { continue }
      return EncodedImage(width: raster.width, height: raster.height, bytes: bytes)
    }
    throw PictureScaler.failure
  }

  private static func encode(_ raster: Raster, scale: CInt) throws(DecoderFailure) -> [UInt8] {
    var codec = avcodec_alloc_context3(avcodec_find_encoder(AV_CODEC_ID_MJPEG))
    var frame = av_frame_alloc()
    var packet = av_packet_alloc()
    defer {
      avcodec_free_context(&codec)
      av_frame_free(&frame)
      av_packet_free(&packet)
    }
    guard let codec, let frame, let packet else { throw PictureScaler.failure }
    configure(codec, raster, scale)
    (frame.pointee.width, frame.pointee.height) = (codec.pointee.width, codec.pointee.height)
    frame.pointee.format = codec.pointee.pix_fmt.rawValue
    frame.pointee.quality = codec.pointee.global_quality
    guard avcodec_open2(codec, nil, nil) >= 0, av_frame_get_buffer(frame, 0) >= 0,
      PictureScaler.fill(frame, from: raster), avcodec_send_frame(codec, frame) >= 0
    else { throw PictureScaler.failure }
    avcodec_send_frame(codec, nil)
    guard avcodec_receive_packet(codec, packet) >= 0, let data = packet.pointee.data else {
      throw PictureScaler.failure
    }
    return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
  }

  private static func configure(
    _ codec: UnsafeMutablePointer<AVCodecContext>, _ raster: Raster, _ scale: CInt
  ) {
    (codec.pointee.width, codec.pointee.height) = (CInt(raster.width), CInt(raster.height))
    // Full range, as JPEG files have it.
    codec.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
    codec.pointee.color_range = AVCOL_RANGE_JPEG
    codec.pointee.time_base = AVRational(num: 1, den: 1)
    codec.pointee.thread_count = 1
    codec.pointee.flags |= AV_CODEC_FLAG_QSCALE
    codec.pointee.global_quality = scale * FF_QP2LAMBDA
  }
}
