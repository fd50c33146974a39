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
  let location: MediaLocation
  /// The last frame decoded.
  let frame: UnsafeMutablePointer<AVFrame>
  /// Why reading stopped before the end, if it did.
  private(set) var brokenOff: FFmpegError?
  /// Packets that could not be decoded before the first frame; nil after it.
  private var badPackets: Int? = 0

  private var container: UnsafeMutablePointer<AVFormatContext>?
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var streamIndex: CInt = 0
  private var isDraining = false
  /// What an MP4 file presents of its sound, where that is one plain span.
  let edit: MP4Edit?
  // One of them, kept alive for as long as `container` reads through it.
  private let file: FileInput?
  private let network: NetworkInput?

  /// So many packets without one frame: these bytes are no such codec.
  private static let badPacketLimit = 500

  /// Opens a source and its first stream of sound.
  ///
  /// - Throws: `DecoderFailure` that says why it cannot be played.
  init(_ location: MediaLocation) throws(DecoderFailure) {
    self.location = location
    switch location {
    case .file(let path): (file, network) = (try FileInput(path: path), nil)
    case .url(let address): (file, network) = (nil, try NetworkInput(NetworkAddress(address)))
    }
    edit = file?.mp4Edit()
    guard let frame = av_frame_alloc(), let packet = av_packet_alloc(),
      let container = avformat_alloc_context()
    else { throw DecoderFailure(.other, "there is no memory left for it") }
    self.frame = frame
    self.packet = packet
    self.container = container
    container.pointee.pb = file?.context ?? network?.context
    container.pointee.io_open = refuseToOpen
    try openContainer()
    try chooseStream()
    try openDecoder()
  }

  deinit {
    avcodec_free_context(&codec)
    avformat_close_input(&container)
    av_packet_free(&packet)
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }
}

// MARK: - Opening

extension MediaSource {
  private func openContainer() throws(DecoderFailure) {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "format_whitelist", AllowLists.demuxers, 0)
    av_dict_set(&options, "codec_whitelist", AllowLists.decoders, 0)
    if let edit, edit.reachesEnd, edit.format == "mp4a" {
      // Else libavformat drops the last packet when the rounded edit ends before it.
      av_dict_set(&options, "advanced_editlist", "0", 0)
    }
    // What a file is, its contents say; the ending of its name has to help where a cover picture
    // of megabytes comes first, and would make any bytes named .mp3 sound.
    let isTagged = file.map { $0.peek(at: 0, count: 3) == Array("ID3".utf8) } ?? true
    let name = isTagged ? location.text.split(separator: "/").last.map(String.init) : nil
    let result = avformat_open_input(&container, name, nil, &options)
    // On failure libavformat has freed the context and set it to nil.
    guard result >= 0 else {
      if file?.lacksMP4Index() == true {
        throw DecoderFailure(.damaged, "it is cut short: the index of the MP4 file is missing")
      }
      throw FFmpegError(rawValue: result).whenOpening(location)
    }
    // MP3 and AAC say what they are in their first frames only.
    let found = avformat_find_stream_info(container, nil)
    guard found >= 0 else { throw FFmpegError(rawValue: found).whenOpening(location) }
  }

  private func chooseStream() throws(DecoderFailure) {
    streamIndex = av_find_best_stream(container, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard streamIndex >= 0 else { throw withoutSound }
    guard let streams = container?.pointee.streams, let count = container?.pointee.nb_streams
    else { return }
    for index in 0..<Int(count) where index != Int(streamIndex) {
      streams[index]?.pointee.discard = AVDISCARD_ALL
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

/// Stands where libavformat would open further files that a file names.
private func refuseToOpen(
  _ container: UnsafeMutablePointer<AVFormatContext>?,
  _ context: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
  _ address: UnsafePointer<CChar>?, _ flags: CInt, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> CInt { -EACCES }

// MARK: - Reading

extension MediaSource {
  /// The chosen stream.
  var stream: UnsafeMutablePointer<AVStream>? { container?.pointee.streams?[Int(streamIndex)] }

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
      let result = av_read_frame(container, packet)
      guard result >= 0 else {
        let error = FFmpegError(rawValue: result)
        if error != .endOfFile { brokenOff = error }
        break
      }
      defer { av_packet_unref(packet) }
      guard packet.pointee.stream_index == streamIndex, isWanted(packet) else { continue }
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
    guard av_seek_frame(container, streamIndex, timestamp, AVSEEK_FLAG_BACKWARD) >= 0 else {
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
  var containerName: String {
    guard let name = container?.pointee.iformat?.pointee.name else { return "" }
    return String(cString: name)
  }

  /// A tag of the container, else of the stream (Ogg), or "".
  func tag(_ key: String) -> String {
    for tags in [container?.pointee.metadata, stream?.pointee.metadata] {
      guard let entry = av_dict_get(tags, key, nil, 0), let value = entry.pointee.value else {
        continue
      }
      return String(cString: value)
    }
    return ""
  }

  /// Whether the length comes from the container, not from the bit rate.
  var hasMeasuredDuration: Bool {
    container?.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
  }

  /// The length in seconds, as the container announces it.
  var durationSeconds: Double? {
    if let stream, stream.pointee.duration != tutti_no_timestamp, stream.pointee.duration > 0 {
      return Double(stream.pointee.duration) * av_q2d(stream.pointee.time_base)
    }
    guard let duration = container?.pointee.duration, duration != tutti_no_timestamp, duration > 0
    else { return nil }
    return Double(duration) / Double(AV_TIME_BASE)
  }
}
