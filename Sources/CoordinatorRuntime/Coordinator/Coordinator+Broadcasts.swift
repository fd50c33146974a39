// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ControlAPI
internal import DaemonProcess
internal import DecoderProtocol
internal import House
internal import LinuxNetworking

/// What is known of a radio station of the queue.
struct Broadcast: Sendable {
  /// Titles that are remembered.
  static let mostTitles = 10

  /// What the rooms heard, the latest first.
  struct Heard: Sendable {
    var title: StreamTitle
    var since: WallTime
  }

  /// Why no bytes come, and when the next attempt is made.
  struct Loss: Sendable {
    var reason: String
    var nextTry: LocalInstant
  }

  var genre = ""
  var kilobitsPerSecond = 0
  var heard: [Heard] = []
  var loss: Loss?

  /// A title is heard from now on; an empty one ends the one before.
  mutating func hear(_ title: StreamTitle, at now: WallTime) {
    guard heard.first?.title != title else { return }
    heard.insert(Heard(title: title, since: now), at: 0)
    if heard.count > Self.mostTitles { heard.removeLast() }
  }
}

extension Coordinator {
  /// A live stream has been opened (again).
  func learnBroadcast(_ info: MediaInfo, of id: ItemID) {
    transport.noteLive(id)
    broadcasts[id, default: Broadcast()].genre = info.genre
    broadcasts[id]?.kilobitsPerSecond = info.kilobitsPerSecond
    broadcasts[id]?.loss = nil
    broadcasts = broadcasts.filter { transport.queue.item($0.key) != nil }
  }

  /// The rooms hear another title.
  func heard(_ title: StreamTitle, of id: ItemID) {
    guard broadcasts[id] != nil else { return }
    broadcasts[id]?.hear(title, at: wallTime())
    let text = [title.artist, title.title].filter { !$0.isEmpty }.joined(separator: " - ")
    if !text.isEmpty { log.info("\(stationName(id)): \(text)") }
  }

  /// The server of a live stream has gone, or is back.
  func connection(_ connection: StreamConnection, of id: ItemID) {
    // One that was never reached is not known yet.
    if case .station = transport.queue.item(id)?.source, broadcasts[id] == nil {
      broadcasts[id] = Broadcast()
    }
    guard let broadcast = broadcasts[id] else { return }
    switch connection {
    case .connected:
      guard broadcast.loss != nil else { return }
      broadcasts[id]?.loss = nil
      log.info("\(stationName(id)) is back")
    case .lost(let reason, let milliseconds):
      if broadcast.loss?.reason != reason {
        log.warning("\(stationName(id)): \(reason); trying again", kind: "broadcast")
      }
      let nextTry = LocalClock.now() + .milliseconds(Int64(milliseconds))
      broadcasts[id]?.loss = Broadcast.Loss(reason: reason, nextTry: nextTry)
    }
  }

  /// What nobody listens to any more is not being reconnected either.
  func leaveBroadcasts(except id: ItemID? = nil) {
    for key in broadcasts.keys where key != id { broadcasts[key]?.loss = nil }
  }

  func stationName(_ id: ItemID) -> String {
    media[id]?.title ?? transport.queue.item(id)?.label ?? "the station"
  }

  /// What a listener wants to know of a station.
  func broadcastDocument(of id: ItemID) -> BroadcastDocument? {
    guard let broadcast = broadcasts[id] else { return nil }
    var document = BroadcastDocument()
    document.genre = broadcast.genre.isEmpty ? nil : broadcast.genre
    document.kilobitsPerSecond =
      broadcast.kilobitsPerSecond > 0 ? broadcast.kilobitsPerSecond : nil
    document.titles = broadcast.heard.map { heard in
      HeardTitleDocument(
        artist: heard.title.artist.isEmpty ? nil : heard.title.artist, title: heard.title.title,
        sinceUnixSeconds: heard.since.seconds.rounded())
    }
    if let loss = broadcast.loss {
      document.connection = .reconnecting
      document.lossReason = loss.reason
      document.nextTrySeconds = secondsUntil(loss.nextTry)
    }
    return document
  }

  /// Why a station is not heard, in words; nil when all is well.
  func broadcastProblem(of id: ItemID) -> String? {
    guard let loss = broadcasts[id]?.loss else { return nil }
    let seconds = secondsUntil(loss.nextTry)
    let when = seconds > 0 ? "next try in \(seconds) s" : "trying now"
    return "reconnecting to \(stationName(id)): \(loss.reason), \(when)"
  }

  private func secondsUntil(_ moment: LocalInstant) -> Int {
    let rest = (moment - LocalClock.now()).count
    return rest > 0 ? Int((rest + 999_999_999) / 1_000_000_000) : 0
  }
}
