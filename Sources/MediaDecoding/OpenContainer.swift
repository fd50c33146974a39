// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol
import Glibc
import TagRules

/// A file or stream that libavformat has recognised, with nothing decoded yet. One thread at a time.
final class OpenContainer {
  let location: MediaLocation
  /// Owned; not null while this object lives.
  private(set) var context: UnsafeMutablePointer<AVFormatContext>?
  /// What an MP4 file presents of its sound, where that is one plain span.
  let edit: MP4Edit?
  // One of them, kept alive for as long as `context` reads through it.
  private let file: FileInput?
  private let network: NetworkInput?
  /// The live stream, if it is one.
  let broadcast: BroadcastInput?

  /// Opens a file or an address.
  ///
  /// - Throws: `DecoderFailure` that says why it cannot be played.
  convenience init(_ location: MediaLocation) throws(DecoderFailure) {
    switch location {
    case .file(let path):
      try self.init(location, file: try FileInput(path: path))
    case .url(let text):
      let address = try NetworkAddress(text)
      let found = try AddressResolver.connect(to: address)
      if found.connection.stationHeaders.isEmpty {
        let input = NetworkInput(found.connection, address: found.address)
        try self.init(location, network: input)
      } else {
        try self.init(location, broadcast: try BroadcastInput(found.connection, address: address))
      }
    }
  }

  /// Opens a file that is open already.
  convenience init(_ file: FileInput, path: String) throws(DecoderFailure) {
    try self.init(.file(path: path), file: file)
  }

  private init(
    _ location: MediaLocation, file: FileInput? = nil, network: NetworkInput? = nil,
    broadcast: BroadcastInput? = nil
  ) throws(DecoderFailure) {
    self.location = location
    (self.file, self.network, self.broadcast) = (file, network, broadcast)
    edit = file?.mp4Edit()
    guard let context = avformat_alloc_context() else {
      throw DecoderFailure(.other, "there is no memory left for it")
    }
    self.context = context
    context.pointee.pb = file?.context ?? network?.context ?? broadcast?.context
    context.pointee.io_open = refuseToOpen
    try open()
  }

  deinit { avformat_close_input(&context) }

  /// What libavformat may read before it says what a live stream is: bytes for the format, bytes and
  /// microseconds of sound for its parameters. Without limits it listens for five seconds first.
  private static let liveLimits = [
    ("formatprobesize", "16384"), ("probesize", "65536"), ("analyzeduration", "200000"),
  ]

  /// Whether the file ends before what it announces, where libavformat does not tell.
  func isCutShort() -> Bool {
    guard let file else { return false }
    return file.isOggCutShort() || file.isPCMCutShort()
  }

  /// Lets libavformat look for the first frame, but not to the end of a file of gigabytes, where the
  /// format is known by guess only.
  func limitSearch() {
    let largestSearch = 16 << 20
    if ["aac", "mp3"].contains(name) { file?.allowance = largestSearch }
  }

  /// The first frame has been found: all of the file may be read.
  func endSearch() { file?.allowance = nil }

  /// What an error means that came while the container was recognised.
  func failure(_ error: FFmpegError) -> DecoderFailure {
    let failure = error.whenOpening(location)
    guard let file, failure.reason == .readError, !file.hasFailed else { return failure }
    // The disk is well: so libavformat says that the contents make no sense to it.
    if error.rawValue == -EIO {
      return DecoderFailure(.damaged, "it is cut short: it ends before its first sound")
    }
    return DecoderFailure(.damaged, "it is damaged (\(error.text))")
  }

  /// Bytes of the file; nil for an address.
  var fileSize: Int? { file?.size }

  private func open() throws(DecoderFailure) {
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "format_whitelist", AllowLists.demuxers, 0)
    av_dict_set(&options, "codec_whitelist", AllowLists.decoders, 0)
    if broadcast != nil {
      for (key, value) in Self.liveLimits { av_dict_set(&options, key, value, 0) }
    }
    if let edit, edit.reachesEnd, edit.format == "mp4a" {
      // Else libavformat drops the last packet when the rounded edit ends before it.
      av_dict_set(&options, "advanced_editlist", "0", 0)
    }
    // What a file is, its contents say; the ending of its name has to help where a cover picture
    // of megabytes comes first, and would make any bytes named .mp3 sound.
    let isTagged = file.map { $0.peek(at: 0, count: 3) == Array("ID3".utf8) } ?? true
    let name = isTagged ? location.text.split(separator: "/").last.map(String.init) : nil
    let format = broadcast?.format.flatMap { av_find_input_format($0) }
    let result = avformat_open_input(&context, name, format, &options)
    // On failure libavformat has freed the context and set it to nil.
    guard result >= 0 else {
      if file?.lacksMP4Index() == true {
        throw DecoderFailure(.damaged, "it is cut short: the index of the MP4 file is missing")
      }
      throw failure(FFmpegError(rawValue: result))
    }
  }
}

/// Stands where libavformat would open further files that a file names.
private func refuseToOpen(
  _ container: UnsafeMutablePointer<AVFormatContext>?,
  _ context: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
  _ address: UnsafePointer<CChar>?, _ flags: CInt, _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> CInt { -EACCES }

// MARK: - Description

extension OpenContainer {
  /// The short name of the container, such as "ogg", or several with commas.
  var name: String {
    guard let name = context?.pointee.iformat?.pointee.name else { return "" }
    return String(cString: name)
  }

  /// The streams of the file.
  var streams: [UnsafeMutablePointer<AVStream>] {
    guard let context, let streams = context.pointee.streams else { return [] }
    return (0..<Int(context.pointee.nb_streams)).compactMap { streams[$0] }
  }

  /// The chapters, as the file lists them.
  var chapters: [Chapter] {
    guard let context, let list = context.pointee.chapters else { return [] }
    return (0..<min(Int(context.pointee.nb_chapters), TrackTags.maximumChapters)).compactMap {
      index in
      guard let chapter = list[index]?.pointee else { return nil }
      let start = av_rescale_q(chapter.start, chapter.time_base, AVRational(num: 1, den: 1_000))
      return Chapter(
        startMilliseconds: Int(max(0, start)), title: Self.value("title", in: chapter.metadata))
    }
  }

  /// A value of a dictionary, or "".
  static func value(_ key: String, in dictionary: OpaquePointer?) -> String {
    av_dict_get(dictionary, key, nil, 0).map { value(of: $0.pointee) } ?? ""
  }

  /// The value of an entry, in whatever encoding the file has it.
  static func value(of entry: AVDictionaryEntry) -> String {
    guard let start = entry.value else { return "" }
    return LegacyText.text(Array(UnsafeRawBufferPointer(start: start, count: strlen(start))))
  }
}
