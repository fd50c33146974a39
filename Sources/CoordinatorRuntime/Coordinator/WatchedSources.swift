// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import DecoderProtocol
internal import House

/// Opens tracks by another opener, and says so when one breaks off before its end.
///
/// A truncated file is no failure: what there is of it plays, and the next track follows. But somebody
/// may want to copy it again, so there is one line about it.
struct WatchedSources: PCMSourceOpener {
  let sources: any PCMSourceOpener
  /// Knows what was measured of a file's loudness.
  var measure: @Sendable (_ path: String) -> MeasuredLoudness? = { _ in nil }
  let log: Log

  func loudness(of location: MediaLocation) -> MeasuredLoudness? {
    if case .file(let path) = location { measure(path) } else { nil }
  }

  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    WatchedSource(
      source: try sources.open(location, startFrame: startFrame), location: location, log: log)
  }
}

private struct WatchedSource: PCMSource {
  let source: any PCMSource
  let location: MediaLocation
  let log: Log

  var info: MediaInfo { source.info }

  func next() -> PCMRead {
    let read = source.next()
    if case .end(let end) = read, end.ending == .truncated {
      log.warning("\(location.text) breaks off after \(seconds(end.sourceFrames)) s\(promised)")
    }
    return read
  }

  func cancel() { source.cancel() }

  private var promised: String {
    info.durationFrames.map { ", though it says it has \(seconds($0)) s" } ?? ""
  }

  private func seconds(_ frames: Int64) -> Double {
    (Double(frames) / Double(MediaFrame.rate) * 100).rounded() / 100
  }
}
