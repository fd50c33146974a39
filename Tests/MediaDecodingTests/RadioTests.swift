// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding
import Testing

/// What a decoder gives of a live stream.
struct Broadcast {
  let info: MediaInfo
  var samples: [Float] = []
  var titles: [(frame: Int, title: StreamTitle)] = []
  var news: [StreamConnection] = []

  var frames: Int { samples.count / 2 }

  /// Listens to so many frames.
  init(_ location: MediaLocation, frames wanted: Int, from start: Int64 = 0) throws {
    let decoder = try MediaDecoder(location, startFrame: start)
    info = decoder.info
    let log = NewsLog()
    decoder.onConnection { log.news.append($0) }
    while samples.count < wanted * 2, let block = try decoder.next() {
      while let title = decoder.takeTitle() { titles.append((samples.count / 2, title)) }
      samples += block
    }
    news = log.news
  }

  private final class NewsLog { var news: [StreamConnection] = [] }
}

@Suite(.serialized) struct RadioTests {
  static let seconds = 20

  /// A station that is eight seconds into a piece of twenty, at the pace of 128 kbit/s.
  private func station(_ workshop: Workshop, _ name: String = "a.mp3") throws -> RadioStation {
    let sound = Sound.frames(Self.seconds * 48_000, rate: 48_000)
    try workshop.write("a.wav", WAVFile(sound).bytes)
    try workshop.encode("a.wav", as: name, "-b:a", "128k")
    let titles = (0..<Self.seconds).flatMap { ["--title", "\($0)=Clock - \($0)"] }
    return try RadioStation(
      [workshop.path(name)], ["--epoch", "\(time(nil) - 8)"] + titles)
  }

  @Test(arguments: [
    "/stream", "/stream?shoutcast=1", "/moved/301?to=/stream", "/moved/302?to=/stream",
    "/moved/307?to=/stream", "/list.m3u", "/list.pls", "/list.m3u?to=~stream",
    "/moved/301?to=/list.pls%3Fto=/moved/302", "/stream?length=1000000", "/stream?metaint=0",
  ])
  func `every way to a station leads to live sound`(path: String) throws {
    let workshop = try Workshop()
    let station = try station(workshop)
    let broadcast = try Broadcast(station.location(path), frames: 100_000, from: 480_000)
    let info = broadcast.info
    #expect(info.isLive && info.durationFrames == nil)
    #expect(info.title == "Radio Loopback" && info.genre == "Tones")
    #expect(info.kilobitsPerSecond == 128)
    #expect(broadcast.frames >= 100_000 && broadcast.news.isEmpty)
    #expect(broadcast.titles.isEmpty == path.contains("metaint=0"))
    #expect(broadcast.titles.allSatisfy { $0.title.artist == "Clock" })
  }

  @Test(arguments: ["a.mp3", "a.aac"])
  func `a title stands where it was sent`(name: String) throws {
    let workshop = try Workshop()
    let station = try station(workshop, name)
    let titles = try Broadcast(station.location("/stream?metaint=800"), frames: 170_000).titles
    // Of the first, only the metadata's place is known, not the second's beginning.
    let changes = titles.dropFirst()
    #expect(changes.count >= 2)
    for (earlier, later) in zip(changes, changes.dropFirst()) {
      #expect(abs(later.frame - earlier.frame - 48_000) < 7_200, "50 ms of metadata, two blocks")
    }
  }

  @Test(arguments: ["close", "reset"])
  func `a connection that breaks is mended without a seam`(how: String) throws {
    let workshop = try Workshop()
    let station = try station(workshop)
    let broadcast = try Broadcast(
      station.location("/stream?after=1&how=\(how)"), frames: 48_000 * 11 / 2)
    let reason = how == "close" ? "the server ended it" : "connection reset by peer"
    guard case .lost(reason, let wait)? = broadcast.news.first else {
      Issue.record("\(broadcast.news)")
      return
    }
    #expect((400...600).contains(wait))
    #expect(broadcast.news.last == .connected)
    // The decoder had a burst of 4 s and a second more when the connection broke.
    let file = try Decoded(workshop.location("a.mp3")).samples
    let places = [4 * 48_000, 11 * 24_000 - 2_000].map { frame in
      place(of: Array(broadcast.samples[(frame * 2)..<(frame + 200) * 2]), in: file)
    }
    let (before, after) = (try #require(places[0]), try #require(places[1]))
    #expect(after - before == 11 * 24_000 - 2_000 - 4 * 48_000)
  }

  /// The frame of `sound` at which `part` is found, to the sample.
  private func place(of part: [Float], in sound: [Float]) -> Int? {
    (0..<(sound.count - part.count) / 2).first { frame in
      sound[frame * 2] == part[0]
        && sound[(frame * 2)..<(frame * 2 + part.count)].elementsEqual(part)
    }
  }

  @Test(arguments: ["ogg", "opus"])
  func `each link of an Ogg chain has its own title`(ending: String) throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(48_000, rate: 48_000)).bytes)
    let files = try (1...3).map { number in
      let name = "\(number).\(ending)"
      try workshop.encode(
        "a.wav", as: name, "-metadata", "artist=Björk", "-metadata", "title=Song \(number)")
      return workshop.path(name)
    }
    let station = try RadioStation(files)
    let broadcast = try Broadcast(
      station.location("/stream?chain=1&burst=30000"), frames: 48_000 * 5 / 2)
    #expect(broadcast.info.isLive && broadcast.info.title == "Radio Loopback")
    #expect(broadcast.titles.count >= 3)
    #expect(broadcast.titles.first?.frame == 0)
    for (earlier, later) in zip(broadcast.titles, broadcast.titles.dropFirst()) {
      #expect(earlier.title != later.title)
      #expect(abs(later.frame - earlier.frame - 48_000) < 4_800)
    }
    #expect(broadcast.titles.allSatisfy { $0.title.artist == "Björk" })
  }

  static let refusals: [(String, DecoderFailure.Reason, String)] = [
    ("/circle", .network, "circles"),
    ("/moved/302?to=file:///etc/passwd", .refusedByServer, "does not open"),
    ("/moved/302?to=/nothing", .refusedByServer, "404"),
    ("/list.m3u?to=~mms://radio/x", .notAudio, "list without an address"),
    ("/list.m3u?to=/list.m3u%3Fto=/list.m3u%253Fto=/list.m3u", .notAudio, "list of lists"),
    ("/list.m3u?to=/nothing", .refusedByServer, "404"),
    ("/list.m3u?to=~%23EXT-X-TARGETDURATION:5", .notAudio, "HLS"),
  ]

  @Test(arguments: refusals)
  func `what leads to no sound is refused in words`(
    path: String, reason: DecoderFailure.Reason, words: String
  ) throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(4_800, rate: 48_000)).bytes)
    let station = try RadioStation([workshop.path("a.wav")])
    let error = #expect(throws: DecoderFailure.self) {
      try Broadcast(station.location(path), frames: 1)
    }
    #expect(error?.reason == reason && error?.text.contains(words) == true, "\(error as Any)")
  }

  @Test func `a file of a server has an end and no station`() throws {
    let workshop = try Workshop()
    let station = try station(workshop)
    let decoded = try Decoded(station.location("/file"))
    #expect(!decoded.info.isLive && decoded.end?.ending == .complete)
    #expect(decoded.frames == Self.seconds * 48_000)
  }
}
