// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

@Suite struct DecoderMessageTests {
  static let requests: [DecoderRequest] = [
    .open(.file(path: "/music/Ärger im Paradies.flac"), startFrame: 0),
    .open(.url("https://example.org/a?b=c"), startFrame: 1_234_567_890_123),
    .open(.file(path: String(repeating: "\u{10FF80}", count: 4_096)), startFrame: 0),
    .stop,
    .quit,
    .describe(path: "/music/na\u{10FFEF}ve.mp3"),
    .artwork(path: "/music/cover.png", edge: 256),
  ]

  static let replies: [DecoderReply] = [
    .info(MediaInfo()),
    .info(fullInfo),
    .samples([0, -1]),
    .samples((0..<8_192).map { Float($0) / 8_192 }),
    .end(DecoderEnd(sourceFrames: 0)),
    .end(DecoderEnd(sourceFrames: .max, ending: .truncated)),
    .end(DecoderEnd(sourceFrames: 48_000, ending: .stopped)),
    .failure(DecoderFailure(.missing, "no such file")),
    .tags(TrackTags()),
    .tags(TrackTagsTests.full),
    .image(EncodedImage(width: 1, height: 2_048, bytes: [0xFF, 0xD8, 0xFF])),
    .title(StreamTitle(title: "")),
    .title(StreamTitle(artist: "Björk", title: "Jóga")),
    .connection(.connected),
    .connection(.lost(reason: "connection refused", nextTryMilliseconds: 8_000)),
  ]

  static var fullInfo: MediaInfo {
    var info = MediaInfo()
    info.title = "Lacrimosa"
    info.artist = "W. A. Mozart 🎼"
    info.album = "Requiem"
    info.trackNumber = 8
    info.durationFrames = 0
    info.codec = "flac"
    info.sampleRate = 44_100
    info.channels = 2
    info.isLive = true
    info.genre = "Classical"
    info.kilobitsPerSecond = 128
    return info
  }

  @Test(arguments: requests.indices)
  func `a request survives the way there and back`(index: Int) throws {
    let request = Self.requests[index]
    var reader = DecoderRequestReader()
    reader.append(encoded(request).span)
    #expect(try reader.next() == request)
    #expect(try reader.next() == nil)
  }

  @Test(arguments: replies.indices)
  func `a reply survives the way there and back`(index: Int) throws {
    let reply = Self.replies[index]
    var reader = DecoderReplyReader()
    reader.append(encoded(reply).span)
    #expect(try reader.next() == reply)
    #expect(try reader.next() == nil)
    #expect(!reader.isInsideReply)
  }

  @Test(arguments: DecoderFailure.Reason.allCases)
  func `every reason survives the way there and back`(reason: DecoderFailure.Reason) throws {
    var reader = DecoderReplyReader()
    reader.append(encoded(.failure(DecoderFailure(reason, ""))).span)
    #expect(try reader.next() == .failure(DecoderFailure(reason, "")))
  }

  @Test(arguments: [1, 2, 7, 8, 9, 1_000])
  func `replies are put together from portions of any size`(portion: Int) throws {
    let bytes = Self.replies.flatMap { encoded($0) }
    var reader = DecoderReplyReader()
    var seen: [DecoderReply] = []
    for start in stride(from: 0, to: bytes.count, by: portion) {
      reader.append(Array(bytes[start..<min(start + portion, bytes.count)]).span)
      while let reply = try reader.next() { seen.append(reply) }
    }
    #expect(seen == Self.replies)
  }

  @Test func `a text too long is cut at a character`() throws {
    var info = MediaInfo()
    info.title = String(repeating: "é", count: 3_000) + "x"
    var reader = DecoderReplyReader()
    reader.append(encoded(.info(info)).span)
    guard case .info(let read) = try reader.next() else {
      Issue.record("no info")
      return
    }
    #expect(read.title == String(repeating: "é", count: DecoderFraming.maximumText / 2))
  }

  @Test func `an open request has these bytes`() {
    let bytes = encoded(.open(.file(path: "/a"), startFrame: 0x0102))
    let payload: [UInt8] = [2, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x2F, 0x61]
    #expect(bytes == [1, 0, 0, 0, 13, 0, 0, 0] + payload)
  }

  @Test func `samples have these bytes`() {
    let bytes = encoded(.samples([1, -0.5]))
    #expect(bytes == [17, 0, 0, 0, 8, 0, 0, 0] + [0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF])
  }
}

func encoded(_ request: DecoderRequest) -> [UInt8] {
  var bytes: [UInt8] = []
  request.append(to: &bytes)
  return bytes
}

func encoded(_ reply: DecoderReply) -> [UInt8] {
  var bytes: [UInt8] = []
  reply.append(to: &bytes)
  return bytes
}
