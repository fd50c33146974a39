// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import DecoderProtocol
import House
import LinuxNetworking
import Testing

@testable import CoordinatorRuntime

@Suite struct CoordinatorLoudnessTests {
  @Test(arguments: [
    (LoudnessMode.auto, [LoudnessMode.album, .album, .track]), (.track, [.track, .track, .track]),
    (.off, [.off, .off, .off]),
  ])
  func `neighbours of one folder are an album`(
    mode: LoudnessMode, expected: [LoudnessMode]
  ) async throws {
    let house = try await TestHouse(loudness: mode)
    let items = ["/m/one/a.flac", "/m/one/b.flac", "/m/two/c.flac"].map {
      PlayQueue.Addition(source: .file(path: $0), label: $0)
    }
    let modes = await house.coordinator.modes(of: items)
    #expect(modes == expected)
    await house.kill()
  }

  @Test func `samples are multiplied, once, by what the tags say`() throws {
    let track = TrackRequest(itemID: ItemID(rawValue: 1), location: .file(path: "/1"))
    var louder = track
    louder.loudness = .track
    #expect(try level(of: track) == 0.5)
    #expect(abs(try level(of: louder) - 0.25) < 1e-3)
  }

  /// The sample that a reader makes of one half.
  private func level(of track: TrackRequest) throws -> Float {
    let done = try Poller()
    let history = try PCMHistory(first: track, behind: 100, ahead: 100) {}
    let reader = TrackReader(
      history: history, sources: HalfSources(done: done), inputs: LiveInputs([]), report: { _ in })
    try reader.start(log: .discarding)
    while history.extent.end < 10 { done.wait(until: LocalClock.now() + .milliseconds(5)) { _ in } }
    var block: [Float] = []
    history.read(1, from: 0, into: &block)
    history.cancel()
    return block[0]
  }
}

extension Coordinator {
  fileprivate func modes(of items: [PlayQueue.Addition]) -> [LoudnessMode] {
    _ = try? transport.perform(.add(items))
    return transport.queue.items.map(loudness)
  }
}

/// Ten frames of one half, whose tags say 6 dB less.
private struct HalfSources: PCMSourceOpener {
  let done: Poller

  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource { Half(done: done) }

  func loudness(of location: MediaLocation) -> MeasuredLoudness? {
    MeasuredLoudness(trackGain: -6.0206, trackPeak: 1)
  }

  private struct Half: PCMSource {
    let done: Poller
    var info: MediaInfo { MediaInfo() }
    func next() -> PCMRead {
      done.wake()
      return .samples([Float](repeating: 0.5, count: 20))
    }
    func cancel() {}
  }
}
