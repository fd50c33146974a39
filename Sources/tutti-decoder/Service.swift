// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import MediaDecoding

/// Serves requests until the coordinator closes the pipe.
func runDecoder() {
  MediaLibrary.quiet()
  Confinement.enter()
  var service = Service()
  while let request = service.requests.next() {
    switch request {
    case .open(let location, let startFrame): service.play(location, from: startFrame)
    case .describe(let path): service.describe(path)
    case .artwork(let path, let edge): service.picture(of: path, edge: edge)
    case .stop: continue
    case .quit: return
    }
  }
}

/// The requests, and the one source that is being decoded.
private struct Service {
  var requests = RequestPipe()

  /// Decodes a source and writes what it gives, until the end or the next request.
  mutating func play(_ location: MediaLocation, from startFrame: Int64) {
    do throws(DecoderFailure) {
      let decoder = try MediaDecoder(location, startFrame: startFrame)
      answer(.info(decoder.info))
      decoder.onConnection { answer(.connection($0)) }
      var reached = startFrame
      while let samples = try decoder.next() {
        while let title = decoder.takeTitle() { answer(.title(title)) }
        answer(.samples(samples))
        reached += Int64(samples.count / 2)
        Confinement.noteProgress()
        if requests.hasRequest() {
          answer(.end(DecoderEnd(sourceFrames: reached, ending: .stopped)))
          return
        }
      }
      answer(.end(decoder.end ?? DecoderEnd(sourceFrames: reached)))
    } catch {
      answer(.failure(error))
    }
  }

  /// Makes a small picture of the one in the file at `path`.
  func picture(of path: String, edge: Int) {
    Confinement.noteProgress()
    do throws(DecoderFailure) {
      answer(.image(try ArtworkMaker.make(path: path, edge: edge)))
    } catch {
      answer(.failure(error))
    }
  }

  /// Says what the file at `path` says about itself.
  func describe(_ path: String) {
    Confinement.noteProgress()
    do throws(DecoderFailure) {
      answer(.tags(try MediaDescriber.describe(path: path)))
    } catch {
      answer(.failure(error))
    }
  }
}
