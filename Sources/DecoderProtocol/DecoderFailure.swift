// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Why a source cannot be played.
public struct DecoderFailure: Error, Sendable, Hashable {
  /// What kind of trouble it is. Raw values are on the wire: only append.
  public enum Reason: UInt8, Sendable, CaseIterable {
    /// None of the others; the text says more.
    case other = 0
    /// There is no such file.
    case missing = 1
    /// The file may not be read by this user.
    case notPermitted = 2
    /// A directory, FIFO, socket or device where a file should be.
    case notAFile = 3
    /// The file has no bytes.
    case empty = 4
    /// The contents are no format that Tutti plays.
    case notAudio = 5
    /// A known format, but there is no sound in it.
    case noSound = 6
    /// A known format, but damaged beyond playing.
    case damaged = 7
    /// The server cannot be reached, or broke off.
    case network = 8
    /// The server answered, but refuses (404, 403 and their like).
    case refusedByServer = 9
    /// An address of a kind that Tutti does not open.
    case unsupportedAddress = 10
    /// The decoder's process crashed or was killed. Said by the client, never by the decoder.
    case decoderDied = 11
    /// The decoder's process gave nothing for too long. Said by the client.
    case decoderHung = 12
    /// `tutti-decoder` cannot be started, or is not ours. Said by the client.
    case decoderUnavailable = 13
    /// Reading the file failed half way (a bad disk, a vanished mount).
    case readError = 14
    /// There is no picture in it.
    case noPicture = 15
    /// It is larger than Tutti is willing to read (a picture of 100 megapixels).
    case tooLarge = 16
  }

  /// What kind of trouble it is.
  public var reason: Reason
  /// What happened, for people, to go after "NAME cannot be played: ", such as "it is a directory".
  public var text: String

  /// A failure with its explanation.
  public init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}

extension DecoderFailure: CustomStringConvertible {
  /// The explanation.
  public var description: String { text }
}
