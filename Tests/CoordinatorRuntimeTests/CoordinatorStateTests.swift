// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ControlAPI
import DaemonProcess
import DecoderProtocol
import Foundation
import House
import Synchronization
import Testing

@testable import CoordinatorRuntime

/// A directory that goes away with the test.
private final class Scratch {
  let url = FileManager.default.temporaryDirectory.appending(path: "tutti-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ path: String, _ text: String = "sound") throws -> String {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}

@Suite struct CoordinatorMusicFoldersTests {
  @Test func `a file inside is taken, one outside is not`() throws {
    let scratch = try Scratch()
    let inside = try scratch.file("music/a.flac")
    let outside = try scratch.file("secret.flac")
    let folders = try MusicFolders([scratch.url.appending(path: "music").path])
    #expect(try folders.files(at: inside).count == 1)
    #expect(throws: MusicFolders.Refusal.self) { try folders.files(at: outside) }
    #expect(throws: MusicFolders.Refusal.self) {
      try folders.files(at: scratch.url.path + "/music/../secret.flac")
    }
    #expect(throws: MusicFolders.Refusal.self) { try folders.files(at: "a.flac") }
  }

  @Test func `a folder whose name only begins alike is outside`() throws {
    let scratch = try Scratch()
    _ = try scratch.file("music/a.flac")
    let twin = try scratch.file("music2/b.flac")
    let folders = try MusicFolders([scratch.url.appending(path: "music").path])
    #expect(throws: MusicFolders.Refusal.self) { try folders.files(at: twin) }
  }

  @Test func `a link does not lead out of the folder`() throws {
    let scratch = try Scratch()
    _ = try scratch.file("music/a.flac")
    let outside = try scratch.file("secret.flac")
    let link = scratch.url.appending(path: "music/link.flac").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
    let folders = try MusicFolders([scratch.url.appending(path: "music").path])
    #expect(throws: MusicFolders.Refusal.self) { try folders.files(at: link) }
  }

  @Test func `a folder stands for the music in it, in order, without loops`() throws {
    let scratch = try Scratch()
    for name in ["b/02.flac", "b/01.flac", "a.MP3", "cover.jpg", ".hidden.flac"] {
      _ = try scratch.file("music/\(name)")
    }
    let music = scratch.url.appending(path: "music").path
    try FileManager.default.createSymbolicLink(
      atPath: music + "/b/loop", withDestinationPath: music)
    let names = try MusicFolders([music]).files(at: music).map { $0.split(separator: "/").last }
    #expect(names == ["a.MP3", "01.flac", "02.flac"])
  }

  @Test func `a music folder that is not there is an error in words`() throws {
    let error = #expect(throws: ProcessError.self) { try MusicFolders(["/nonexistent"]) }
    #expect(error?.description.contains("/nonexistent is not there") == true)
  }
}

@Suite struct CoordinatorIntakeTests {
  private func intake() throws -> (MediaIntake, Scratch) {
    let scratch = try Scratch()
    let spool = try UploadSpool(directory: scratch.url.appending(path: "spool").path, capacity: 100)
    return (MediaIntake(folders: try MusicFolders([]), spool: spool), scratch)
  }

  @Test(arguments: [
    "ftp://host/a.mp3", "http:///a.mp3", "http:a", "file:///etc/passwd", "http://h/a b",
    "https://" + String(repeating: "a", count: 5_000), "",
  ]) func `what is no http address is refused`(url: String) throws {
    let (intake, _) = try intake()
    let outcome = intake.take([.url(url)])
    #expect(outcome.additions.isEmpty)
    #expect(outcome.refused.count == 1)
  }

  @Test func `an address is called by its file`() throws {
    let (intake, _) = try intake()
    let outcome = intake.take([
      .url("http://nas/Caf%C3%A9/01%20Aria.flac?x=1"), .url("https://radio.example"),
    ])
    #expect(outcome.additions.map(\.label) == ["01 Aria", "radio.example"])
  }
}

@Suite struct CoordinatorSpoolTests {
  @Test func `an upload is kept under its own name and found again`() throws {
    let scratch = try Scratch()
    let spool = try UploadSpool(directory: scratch.url.appending(path: "spool").path, capacity: 100)
    let arrived = try scratch.file("spool/incoming/x")
    let upload = try spool.take(arrived, named: "../../Aria.flac", inUse: [], now: 0)
    #expect(upload.name == "Aria.flac")
    #expect(spool.upload(upload.id)?.path == upload.path)
    #expect(spool.upload("../../../etc/pas") == nil)
    #expect(!FileManager.default.fileExists(atPath: arrived))
  }

  @Test func `old uploads make room, those in the queue do not`() throws {
    let scratch = try Scratch()
    let spool = try UploadSpool(directory: scratch.url.appending(path: "spool").path, capacity: 10)
    func arrive() throws -> String { try scratch.file("spool/incoming/x", "12345") }
    let first = try spool.take(try arrive(), named: "a", inUse: [], now: 0)
    let second = try spool.take(try arrive(), named: "b", inUse: [], now: 0)
    let third = try spool.take(try arrive(), named: "c", inUse: [first.id], now: 0)
    #expect(spool.upload(first.id) != nil)
    #expect(spool.upload(second.id) == nil)
    let path = try arrive()
    #expect(throws: UploadSpool.Refusal.full(needed: 5, capacity: 10)) {
      try spool.take(path, named: "d", inUse: [first.id, third.id], now: 0)
    }
  }

  @Test func `what nobody needs is swept after a while`() throws {
    let scratch = try Scratch()
    let spool = try UploadSpool(directory: scratch.url.appending(path: "spool").path, capacity: 100)
    let kept = try spool.take(try scratch.file("spool/incoming/x"), named: "a", inUse: [], now: 0)
    let idle = try spool.take(try scratch.file("spool/incoming/y"), named: "b", inUse: [], now: 0)
    let now = Int(Date().timeIntervalSince1970)
    #expect(spool.sweep(inUse: [kept.id], now: now) == 0)
    #expect(spool.sweep(inUse: [kept.id], now: now + UploadSpool.grace + 60) == 1)
    #expect(spool.upload(idle.id) == nil)
  }

  @Test func `a long name keeps its ending`() {
    let name = UploadSpool.cleaned(String(repeating: "é", count: 300) + ".flac")
    #expect(name.hasSuffix(".flac"))
    #expect(name.utf8.count <= UploadSpool.nameLimit)
    #expect(UploadSpool.cleaned("///") == "upload")
  }
}

@Suite struct CoordinatorWatchedSourcesTests {
  /// A source that has an end and nothing else.
  private struct Ended: PCMSource, PCMSourceOpener {
    var ending: DecoderEnd.Ending
    var info: MediaInfo {
      var info = MediaInfo()
      info.durationFrames = 20 * MediaFrame.rate
      return info
    }
    func next() -> PCMRead { .end(DecoderEnd(sourceFrames: 12 * MediaFrame.rate, ending: ending)) }
    func cancel() {}
    func open(
      _ location: MediaLocation, startFrame: Int64
    ) throws(DecoderFailure) -> any PCMSource { self }
  }

  @Test(arguments: [DecoderEnd.Ending.complete, .truncated, .stopped])
  func `a track that breaks off is worth one line that names it`(ending: DecoderEnd.Ending) throws {
    let lines = Mutex<[String]>([])
    let log = Log(LogSink(level: .info) { line in lines.withLock { $0.append(line) } })
    let sources = WatchedSources(sources: Ended(ending: ending), log: log)
    _ = try sources.open(.file(path: "/m/a.flac"), startFrame: 0).next()
    let said = lines.withLock { $0 }
    #expect(said.count == (ending == .truncated ? 1 : 0))
    #expect(said.allSatisfy { $0.contains("/m/a.flac breaks off after 12.0 s") })
  }
}

@Suite struct CoordinatorBulletinTests {
  private func room(_ id: String) -> RoomDocument {
    RoomDocument(id: id, name: id, state: .idle, groupID: "house")
  }

  private func group(position: Double? = nil, revision: UInt64 = 1) -> GroupDocument {
    GroupDocument(
      id: "house", name: "All rooms", roomIDs: [], volume: 0, isMuted: false,
      playback: PlaybackDocument(
        state: position == nil ? .stopped : .playing, positionSeconds: position),
      queue: QueueDocument(revision: revision, items: []))
  }

  @Test func `only changes are told, and time only when asked for`() {
    var bulletin = Bulletin()
    let names = { (events: [EventDocument]) in events.map(\.name) }
    let first = bulletin.changes(rooms: [room("a")], groups: [group()], progress: false)
    #expect(names(first) == ["room", "group"])
    let revision = bulletin.revision
    #expect(bulletin.changes(rooms: [room("a")], groups: [group()], progress: false).isEmpty)
    #expect(bulletin.revision == revision)
    let playing = bulletin.changes(
      rooms: [room("a")], groups: [group(position: 1)], progress: false)
    #expect(names(playing) == ["playback"])
    let later = bulletin.changes(rooms: [room("a")], groups: [group(position: 2)], progress: false)
    #expect(later.isEmpty)
    let tick = bulletin.changes(rooms: [room("a")], groups: [group(position: 3)], progress: true)
    #expect(names(tick) == ["playback"])
    let edit = bulletin.changes(
      rooms: [], groups: [group(position: 3, revision: 2)], progress: false)
    #expect(edit == [.roomForgotten(id: "a"), .queue(groupID: "house", group(revision: 2).queue)])
  }
}
