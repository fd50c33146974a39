// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import Catalogue
import DecoderProtocol

// Where a live stream says what it plays: Shoutcast's metadata between the sound, which BroadcastInput
// has taken out, or the comments of the next link of an Ogg chain.

extension MediaSource {
  /// Notes what plays from `packet` on.
  func noteTitle(in packet: UnsafeMutablePointer<AVPacket>) {
    // A link of Ogg Opus.
    if let stream, stream.pointee.event_flags & tutti_stream_metadata_updated != 0 {
      stream.pointee.event_flags &= ~tutti_stream_metadata_updated
      noteComments()
    }
    if let title = container.broadcast?.title(at: packet.pointee.pos) { newTitle = title }
    // A link of Ogg Vorbis.
    var size = 0
    guard
      let data = av_packet_get_side_data(packet, AV_PKT_DATA_METADATA_UPDATE, &size), size > 0
    else { return }
    var comments: OpaquePointer?
    defer { av_dict_free(&comments) }
    guard av_packet_unpack_dictionary(data, size, &comments) >= 0 else { return }
    noteTitle(
      OpenContainer.value("artist", in: comments), OpenContainer.value("title", in: comments))
  }

  /// Notes what plays at the beginning of an Ogg stream.
  func noteFirstTitle() {
    guard container.broadcast != nil, newTitle == nil else { return }
    noteComments()
  }

  /// Notes the comments of the stream, and forgets them: libavformat would put those of the next link
  /// behind them.
  private func noteComments() {
    guard let stream else { return }
    let comments = stream.pointee.metadata
    noteTitle(
      OpenContainer.value("artist", in: comments), OpenContainer.value("title", in: comments))
    av_dict_free(&stream.pointee.metadata)
  }

  private func noteTitle(_ artist: String, _ title: String) {
    guard !artist.isEmpty || !title.isEmpty else { return }
    let lines = [artist, title].map { StationText.decode(Array($0.utf8)) }
    // Some encoders are told one text, as if they were Shoutcast's.
    newTitle =
      lines[0].isEmpty
      ? StationText.split(lines[1]) : StreamTitle(artist: lines[0], title: lines[1])
  }
}
