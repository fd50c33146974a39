// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import SQLiteDatabase
internal import StateStore
internal import WireProtocol

extension Coordinator {
  /// The fade of the last sound: long enough to be heard as one.
  static var farewellFade: Nanoseconds { .milliseconds(300) }

  /// Ends in good order: the rooms fade out and wait, and the music keeps its place, paused.
  ///
  /// Somebody has ended the program on purpose; music that begins by itself when it is started again
  /// would be a surprise.
  func shutDown() async {
    guard !isShuttingDown else { return }
    if transport.state == .playing {
      log.notice("fading out and keeping the place")
      _ = try? transport.perform(.pause)
    }
    rememberPlace()
    settle()
    isShuttingDown = true
    await player.shutdown(fade: Self.farewellFade)
    broadcast(.goodbye(Goodbye(reason: .shuttingDown, detail: "the coordinator stops")))
    for link in links.values { close(link, because: "the coordinator stops") }
    for contact in contacts.keys { dropContact(contact) }
    parts.store.attempt { () throws(SQLiteError) in try parts.store.store.checkpoint() }
  }
}
