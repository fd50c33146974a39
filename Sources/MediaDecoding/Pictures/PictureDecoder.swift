// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol
import TagRules

/// Decodes one picture with libavcodec. One thread at a time.
final class PictureDecoder {
  /// The decoded picture; JPEG may come out at a half, quarter or eighth of its size.
  let frame: UnsafeMutablePointer<AVFrame>
  /// How it is to be turned, 1 to 8 as in Exif.
  var orientation: Int {
    let value = OpenContainer.value("Orientation", in: frame.pointee.metadata)
    return Int(value.filter(\.isNumber)) ?? 1
  }

  private var codec: UnsafeMutablePointer<AVCodecContext>?

  /// The most pixels that are decoded: 256 MB where each has four bytes, a quarter of what this
  /// process may have. A scan of an LP's sleeve at 600 dpi has 53 million.
  static let maximumPixels = 64 << 20

  /// Decodes a picture so far that an edge of `edge` pixels can be made of it.
  ///
  /// - Throws: `DecoderFailure` if it is none, too large or damaged.
  init(_ bytes: [UInt8], edge: Int) throws(DecoderFailure) {
    guard let header = PictureHeader(bytes) else {
      throw DecoderFailure(.notAudio, "its picture is no JPEG, PNG, GIF, BMP or WebP")
    }
    guard header.height <= Self.maximumPixels / header.width else {
      throw DecoderFailure(
        .tooLarge, "its picture has \(header.width) x \(header.height) pixels, more than 64 million"
      )
    }
    guard let frame = av_frame_alloc() else { throw Self.noMemory }
    self.frame = frame
    try open(header, edge: edge)
    try decode(bytes)
  }

  deinit {
    avcodec_free_context(&codec)
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  private func open(_ header: PictureHeader, edge: Int) throws(DecoderFailure) {
    guard let decoder = avcodec_find_decoder(header.format.codec),
      let codec = avcodec_alloc_context3(decoder)
    else { throw Self.noMemory }
    self.codec = codec
    codec.pointee.thread_count = 1
    codec.pointee.max_pixels = Int64(Self.maximumPixels)
    if header.format == .jpeg {
      codec.pointee.lowres = Self.halvings(max(header.width, header.height), edge: edge)
    }
    let result = avcodec_open2(codec, decoder, nil)
    guard result >= 0 else { throw Self.damaged(result) }
  }

  /// How often a JPEG may be halved while it is decoded, so that scaling still halves it once: eight
  /// pixels of a block are averaged exactly, and a large photo costs a tenth.
  static func halvings(_ longest: Int, edge: Int) -> CInt {
    (0...3).last { longest >> $0 >= 2 * edge }.map { CInt($0) } ?? 0
  }

  private func decode(_ bytes: [UInt8]) throws(DecoderFailure) {
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let packet, av_new_packet(packet, CInt(bytes.count)) >= 0,
      let data = packet.pointee.data
    else { throw Self.noMemory }
    data.update(from: bytes, count: bytes.count)
    var result = avcodec_send_packet(codec, packet)
    if result >= 0 {
      // Decoders of single pictures give them when nothing more comes, at the latest.
      avcodec_send_packet(codec, nil)
      result = avcodec_receive_frame(codec, frame)
    }
    guard result >= 0 else { throw Self.damaged(result) }
    guard frame.pointee.width > 0, frame.pointee.height > 0 else { throw Self.damaged(result) }
  }

  private static func damaged(_ code: CInt) -> DecoderFailure {
    DecoderFailure(.damaged, "its picture is damaged (\(FFmpegError(rawValue: code).text))")
  }

  private static var noMemory: DecoderFailure {
    DecoderFailure(.tooLarge, "there is no memory left for its picture")
  }
}

extension PictureHeader.Format {
  fileprivate var codec: AVCodecID {
    switch self {
    case .jpeg: AV_CODEC_ID_MJPEG
    case .png: AV_CODEC_ID_PNG
    case .gif: AV_CODEC_ID_GIF
    case .bmp: AV_CODEC_ID_BMP
    case .webp: AV_CODEC_ID_WEBP
    }
  }
}
