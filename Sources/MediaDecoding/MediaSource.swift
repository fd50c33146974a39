// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol

/// An open source and the decoder of its sound: gives decoded frames in order.
///
/// FFmpeg skips the encoder's delay and padding by itself where the container says how long they
/// are (LAME header, edit list, iTunSMPB, Opus pre-skip, Ogg granules); what is left is trimmed by
/// `MediaDecoder`. One thread at a time, as libavformat and libavcodec require.
final class MediaSource {
  /// What was container.
  let container: OpenContainer
  /// The last frame decoded.
  let frame: UnsafeMutablePointer<AVFrame>
  /// Why reading stopped before the end, if it did.
  private(set) var brokenOff: FFmpegError?
  /// What a live stream plays from the next frame on, if that has changed.
  var newTitle: StreamTitle?
  /// Packets that could not be decoded before the first frame; nil after it.
  private var badPackets: Int? = 0

  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var streamIndex: CInt = 0
  private var isDraining = false

  /// So many packets without one frame: these bytes are no such codec.
  private static let badPacketLimit = 500

  /// Opens a source and its first stream of sound.
  ///
  /// - Throws: `DecoderFailure` that says why it cannot be played.
  init(_ location: MediaLocation) throws(DecoderFailure) {
    container = try OpenContainer(location)
    guard let frame = av_frame_alloc(), let packet = av_packet_alloc() else {
      throw DecoderFailure(.other, "there is no memory left for it")
    }
    self.frame = frame
    self.packet = packet
    try findStreams()
    try chooseStream()
    try openDecoder()
    noteFirstTitle()
  }

  deinit {
    avcodec_free_context(&codec)
    av_packet_free(&packet)
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }
}

// MARK: - Opening

extension MediaSource {
  private func findStreams() throws(DecoderFailure) {
    container.limitSearch()
    // MP3 and AAC say what they are in their first frames only.
    let found = avformat_find_stream_info(context, nil)
    guard found >= 0 else { throw container.failure(FFmpegError(rawValue: found)) }
  }

  private func chooseStream() throws(DecoderFailure) {
    streamIndex = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard streamIndex >= 0 else { throw withoutSound }
    for stream in container.streams where stream.pointee.index != streamIndex {
      stream.pointee.discard = AVDISCARD_ALL
    }
  }

  private func openDecoder() throws(DecoderFailure) {
    guard let stream, let parameters = stream.pointee.codecpar else {
      throw DecoderFailure(.noSound, "there is no sound in it")
    }
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id),
      AllowLists.allows(decoder: String(cString: decoder.pointee.name)),
      let codec = avcodec_alloc_context3(decoder)
    else {
      throw DecoderFailure(.notAudio, "its sound is \(codecName), which Tutti does not play")
    }
    self.codec = codec
    avcodec_parameters_to_context(codec, parameters)
    codec.pointee.pkt_timebase = stream.pointee.time_base
    codec.pointee.thread_count = 1
    if parameters.pointee.codec_id == AV_CODEC_ID_FLAC {
      // A damaged frame is full-scale noise: better none.
      codec.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE
    }
    let result = avcodec_open2(codec, decoder, nil)
    guard result >= 0 else {
      throw DecoderFailure(.damaged, "it is damaged (\(FFmpegError(rawValue: result).text))")
    }
  }
}

extension MediaSource {
  /// Why nothing comes out: a format that is recognised by guess was guessed wrong, else the
  /// file is what it says and holds no sound.
  var withoutSound: DecoderFailure {
    let guessed = ["", "aac", "flac", "mp3"].contains(containerName)
    return guessed ? .notAudio : DecoderFailure(.noSound, "there is no sound in it")
  }
}

// MARK: - Reading

extension MediaSource {
  /// Where it was container.
  var location: MediaLocation { container.location }

  /// What an MP4 file presents of its sound, where that is one plain span.
  var edit: MP4Edit? { container.edit }

  private var context: UnsafeMutablePointer<AVFormatContext>? { container.context }

  /// The chosen stream.
  var stream: UnsafeMutablePointer<AVStream>? { context?.pointee.streams?[Int(streamIndex)] }

  /// Decodes the next frame into `frame`.
  ///
  /// - Parameter isWanted: Packets for which it says no are passed over undecoded.
  /// - Returns: Whether there was one; false at the end.
  /// - Throws: `DecoderFailure` if nothing in there can be decoded.
  func readFrame(
    where isWanted: (UnsafePointer<AVPacket>) -> Bool = { _ in true }
  ) throws(DecoderFailure) -> Bool {
    while true {
      let result = avcodec_receive_frame(codec, frame)
      if result >= 0 {
        if badPackets != nil { container.endSearch() }
        badPackets = nil
        return true
      }
      switch FFmpegError(rawValue: result) {
      case .endOfFile: return false
      case .again: break
      default: try countBadPacket()
      }
      if sendPacket(where: isWanted) == .invalidData { try countBadPacket() }
    }
  }

  /// Gives the decoder the next packet, or the end.
  ///
  /// - Returns: What the decoder said to it.
  private func sendPacket(where isWanted: (UnsafePointer<AVPacket>) -> Bool) -> FFmpegError {
    guard let packet else { return .endOfFile }
    while !isDraining {
      let result = av_read_frame(context, packet)
      guard result >= 0 else {
        let error = FFmpegError(rawValue: result)
        if error != .endOfFile { brokenOff = error }
        break
      }
      defer { av_packet_unref(packet) }
      guard packet.pointee.stream_index == streamIndex, isWanted(packet) else { continue }
      if container.broadcast != nil { noteTitle(in: packet) }
      return FFmpegError(rawValue: avcodec_send_packet(codec, packet))
    }
    isDraining = true
    return FFmpegError(rawValue: avcodec_send_packet(codec, nil))
  }

  private func countBadPacket() throws(DecoderFailure) {
    guard let count = badPackets else { return }
    badPackets = count + 1
    guard count >= Self.badPacketLimit else { return }
    throw DecoderFailure(.damaged, "it is damaged: none of its sound can be decoded")
  }

  /// Goes to the last packet that begins at or before `timestamp`, in the stream's time base.
  ///
  /// - Returns: Whether the container could.
  func seek(to timestamp: Int64) -> Bool {
    guard av_seek_frame(context, streamIndex, timestamp, AVSEEK_FLAG_BACKWARD) >= 0 else {
      return false
    }
    forgetPast()
    return true
  }

  /// Makes the decoder ready for a packet that does not follow the last one.
  func forgetPast() {
    avcodec_flush_buffers(codec)
    isDraining = false
  }
}

// MARK: - Description

extension MediaSource {
  /// The short name of the codec, such as "flac".
  var codecName: String {
    guard let parameters = stream?.pointee.codecpar else { return "unknown" }
    return String(cString: avcodec_get_name(parameters.pointee.codec_id))
  }

  /// The short name of the container, such as "ogg", or several with commas.
  var containerName: String { container.name }

  /// A tag of the container, else of the stream (Ogg), or "".
  func tag(_ key: String) -> String {
    for tags in [context?.pointee.metadata, stream?.pointee.metadata] {
      let value = OpenContainer.value(key, in: tags)
      if !value.isEmpty { return value }
    }
    return ""
  }

  /// Whether the length comes from the container, not from the bit rate.
  var hasMeasuredDuration: Bool {
    context?.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
  }

  /// The length in seconds, as the container announces it.
  var durationSeconds: Double? {
    if let stream, stream.pointee.duration != tutti_no_timestamp, stream.pointee.duration > 0 {
      return Double(stream.pointee.duration) * av_q2d(stream.pointee.time_base)
    }
    guard let duration = context?.pointee.duration, duration != tutti_no_timestamp, duration > 0
    else { return nil }
    return Double(duration) / Double(AV_TIME_BASE)
  }
}
