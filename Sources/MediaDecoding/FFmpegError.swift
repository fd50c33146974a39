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
      DecoderFailure(.refusedByServer, "is refused by the server (\(text))")
    case .notFound: DecoderFailure(.refusedByServer, "is not on the server (404 Not Found)")
    case .badRequest, .otherClientError, .serverError:
      DecoderFailure(.refusedByServer, "is answered with an error (\(text))")
    default: DecoderFailure(.network, "cannot be fetched: no answer from the server (\(text))")
    }
  }

  /// What it means when the first bytes of a source were looked at.
  func whenOpening(_ location: MediaLocation) -> DecoderFailure {
    switch self {
    case .invalidData, .endOfFile, .decoderNotFound, .invalidArgument: .notAudio
    default: whenReading(location, "cannot be read")
    }
  }

  /// What it means when reading went wrong, with `what` happened then.
  func whenReading(_ location: MediaLocation, _ what: String) -> DecoderFailure {
    switch location {
    case .file: DecoderFailure(.readError, "\(what): \(text)")
    case .url: DecoderFailure(.network, "\(what): the connection failed (\(text))")
    }
  }
}

extension DecoderFailure {
  /// The contents are something else.
  static var notAudio: DecoderFailure {
    DecoderFailure(
      .notAudio,
      "is no audio that Tutti plays (it plays FLAC, MP3, WAV, AIFF, Ogg Vorbis, Opus, AAC, ALAC)")
  }
}
