// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// A live input with the real programs and a real pipe.
@Suite(.serialized) struct LivePipeTests {
  /// A tone into the pipe, a second of it a second; or as fast as the pipe takes it.
  private func writer(to pipe: String, clocked: Bool) throws -> RunningProgram {
    try RunningProgram(
      at: "/usr/bin/ffmpeg",
      ["-v", "error", "-y"] + (clocked ? ["-re"] : []) + [
        "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-ac", "2", "-f", "s16le",
        pipe,
      ])
  }

  /// The loudest sample that was recorded in the last `seconds`.
  private func loudness(of room: String, in house: TestHouse, last seconds: Int) throws -> Int16 {
    let bytes = try Data(contentsOf: URL(filePath: house.place.path(room) + ".wav"))
    let tail = bytes.suffix(seconds * 48_000 * 4)
    return tail.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 1, by: 2).map { offset in
        abs(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: Int16.self)) / 2)
      }.max() ?? 0
    }
  }

  private func isPlaying(_ state: StateDocument) -> Bool {
    state.groups.first?.playback.state == .playing
      && state.rooms.allSatisfy { $0.state == .playing }
  }

  @Test
  func `a pipe is played, paused and resumed in two rooms, with a writer that comes and goes`()
    throws
  {
    let house = try TestHouse(rooms: ["Kitchen", "Living room"], inputs: ["tv"])
    let pipe = house.place.path("tv.pipe")
    try #require(house.untilRoomsAppear(2))
    #expect(try house.tutti("play", "input:tv").code == 0)
    let silent = try house.state(isPlaying)
    #expect(silent.groups.first?.playback.item?.location == "input:tv")
    #expect(silent.groups.first?.playback.delayMilliseconds == 400)
    #expect(silent.coordinator.inputs == ["tv"])

    var source = try writer(to: pipe, clocked: true)
    _ = try house.state { ($0.groups.first?.playback.positionSeconds ?? 0) > 4 }
    #expect(try loudness(of: "Kitchen", in: house, last: 2) > 10)
    kill(source.process.processIdentifier, SIGKILL)
    source = try writer(to: pipe, clocked: false)
    let before = try house.state { ($0.groups.first?.playback.positionSeconds ?? 0) > 8 }
    #expect(isPlaying(before))
    #expect(try loudness(of: "Living room", in: house, last: 2) > 10)

    let seek = try house.tutti("seek", "10")
    #expect(seek.code == 1)
    #expect(seek.text.contains("as it comes"), "\(seek.text)")
    #expect(try house.tutti("pause").code == 0)
    _ = try house.state { $0.groups.first?.playback.state == .paused }
    #expect(try house.tutti("resume").code == 0)
    let resumed = try house.state {
      isPlaying($0) && ($0.groups.first?.playback.positionSeconds ?? 0) > 1
    }
    #expect(isPlaying(resumed))
    // One that is held up by the pipe would not notice a friendly request.
    kill(source.process.processIdentifier, SIGKILL)
  }

  @Test func `an input that plays goes on by itself after the coordinator was killed`() throws {
    let house = try TestHouse(rooms: ["Kitchen"], inputs: ["tv"])
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", "input:tv").code == 0)
    _ = try house.state(isPlaying)
    try house.restartCoordinator(with: SIGKILL)
    try #require(house.untilRoomsAppear(1))
    #expect(isPlaying(try house.state(isPlaying)))
  }

  @Test func `an input that nobody gave is refused with the names of those there are`() throws {
    let house = try TestHouse(rooms: [], inputs: ["tv"])
    _ = try house.state { _ in true }
    let answer = try house.tutti("play", "input:radio")
    #expect(answer.code == 1)
    #expect(answer.text.contains("there are: tv"), "\(answer.text)")
  }
}
