// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import DecoderProtocol
import Glibc

/// An error code of an FFmpeg library: a negated errno, or one of FFmpeg's own.
struct FFmpegError: Error, RawRepresentable, Hashable {
  var rawValue: CInt

  static let endOfFile = Self(rawValue: tutti_error_end_of_file)
  static let again = Self(rawValue: tutti_error_again)
  static let ioError = Self(rawValue: -EIO)
  static let timedOut = Self(rawValue: -ETIMEDOUT)
  static let invalidData = Self(rawValue: tutti_error_invalid_data)
  static let decoderNotFound = Self(rawValue: tutti_error_decoder_not_found)
  static let protocolNotFound = Self(rawValue: tutti_error_protocol_not_found)
  static let unauthorized = Self(rawValue: tutti_error_http_unauthorized)
  static let forbidden = Self(rawValue: tutti_error_http_forbidden)
  static let notFound = Self(rawValue: tutti_error_http_not_found)
  static let badRequest = Self(rawValue: tutti_error_http_bad_request)
  static let otherClientError = Self(rawValue: tutti_error_http_other_4xx)
  static let serverError = Self(rawValue: tutti_error_http_server)
  /// What libavformat says of a format that the allow-list does not have.
  static let invalidArgument = Self(rawValue: -EINVAL)

  /// FFmpeg's own words for it, such as "Invalid data found when processing input".
  var text: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard av_strerror(rawValue, buffer.baseAddress, buffer.count) == 0,
        let start = buffer.baseAddress
      else { return "error \(rawValue)" }
      return String(cString: start)
    }
  }

  /// What it means when a server was asked.
  var whenConnecting: DecoderFailure {
    switch self {
    case .unauthorized, .forbidden:
      DecoderFailure(.refusedByServer, "the server refuses it (\(text))")
    case .notFound: DecoderFailure(.refusedByServer, "the server has no such file (404 Not Found)")
    case .badRequest, .otherClientError, .serverError:
      DecoderFailure(.refusedByServer, "the server answers with an error (\(text))")
    case .invalidArgument, .protocolNotFound:
      DecoderFailure(.refusedByServer, "the server leads to an address that Tutti does not open")
    case .ioError:
      DecoderFailure(.network, "the server redirects in circles, or breaks off before its answer")
    default: DecoderFailure(.network, "the server does not answer (\(sentencePart))")
    }
  }

  /// What it means when a live stream stops, to go before "next try in 8 s".
  var whenLost: String {
    switch self {
    // What a clean end is when no length was announced.
    case .endOfFile, .ioError: "the server ended it"
    case .timedOut: "nothing came for \(NetworkConnection.silenceSeconds) s"
    default: sentencePart
    }
  }

  /// The text, to go into a sentence.
  private var sentencePart: String { text.prefix(1).lowercased() + text.dropFirst() }

  /// What it means when the first bytes of a source were looked at.
  func whenOpening(_ location: MediaLocation) -> DecoderFailure {
    switch self {
    case .invalidData, .endOfFile, .decoderNotFound, .invalidArgument: .notAudio
    default: whenReading(location)
    }
  }

  /// What it means when reading went wrong, perhaps after some seconds of sound.
  func whenReading(_ location: MediaLocation, after seconds: Int64 = 0) -> DecoderFailure {
    let place = seconds > 0 ? " after \(seconds) s" : ""
    return switch location {
    case .file: DecoderFailure(.readError, "reading it failed\(place) (\(text))")
    case .url: DecoderFailure(.network, "the connection broke off\(place) (\(text))")
    }
  }
}

extension DecoderFailure {
  /// The contents are something else.
  static var notAudio: DecoderFailure {
    DecoderFailure(
      .notAudio,
      "it is no audio that Tutti plays (FLAC, MP3, WAV, AIFF, Ogg Vorbis, Opus, AAC, ALAC, "
        + "WavPack, WMA)")
  }
}
