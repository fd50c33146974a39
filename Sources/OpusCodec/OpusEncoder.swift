// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import COpus

/// Encodes 48 kHz stereo music into Opus packets, mostly of 20 ms, at a variable bit rate.
///
/// The first `lookAhead` decoded frames are the encoder's run-up: source frame 0 comes out of a fresh
/// decoder as frame `lookAhead`. After `reset` and with a fresh decoder the music is at full quality
/// from its first frame (measured, libopus 1.3.1), so a generation needs no pre-roll.
///
/// libopus: "a single codec state may only be accessed from a single thread at a time". The type is not
/// copyable and its methods are mutating, so the compiler holds us to it.
@safe public struct OpusEncoder: ~Copyable, @unchecked Sendable {
  // @unchecked: the pointer is owned by this value alone, which moves between threads as a whole.
  private let state: OpaquePointer

  /// Frames by which decoded music lags behind the source: 312 in libopus 1.3.1.
  public let lookAhead: Int

  /// An encoder for music.
  ///
  /// - Parameters:
  ///   - bitRate: Average bits per second; brought into `OpusFormat.bitRates`.
  ///   - complexity: 0 to 10; 10 costs 66 us per 10 ms of music and sounds best.
  /// - Throws: `OpusError.outOfMemory`, or what libopus finds wrong with its arguments.
  public init(bitRate: Int = 192_000, complexity: Int = 10) throws(OpusError) {
    (state, lookAhead) = try Self.create(bitRate: bitRate, complexity: complexity)
  }

  deinit { opus_encoder_destroy(state) }

  /// Changes the average bit rate from the next packet on.
  ///
  /// - Parameter bitsPerSecond: Brought into `OpusFormat.bitRates`.
  /// - Throws: What libopus reports.
  public mutating func setBitRate(_ bitsPerSecond: Int) throws(OpusError) {
    let rate = Self.acceptable(bitsPerSecond)
    _ = try OpusError.check(tutti_opus_set(state, OPUS_SET_BITRATE_REQUEST, rate))
  }

  /// Forgets the music so far; the next packet is the first of a generation. The settings stay.
  public mutating func reset() { _ = tutti_opus_reset(state) }

  /// Encodes one packet.
  ///
  /// - Parameters:
  ///   - interleaved: 960 stereo frames, or 120, 240 or 480, left first, full scale at 1.
  ///   - packet: The packet is appended, so that a header may stand before it.
  /// - Returns: Bytes appended, at most `OpusFormat.maximumPacketBytes`.
  /// - Throws: `OpusError.badArgument` for another number of frames; what libopus reports.
  @discardableResult
  public mutating func encode(
    _ interleaved: Span<Float>, into packet: inout [UInt8]
  ) throws(OpusError) -> Int {
    let frames = interleaved.count / OpusFormat.channels
    guard interleaved.count % OpusFormat.channels == 0, OpusFormat.packetLengths.contains(frames)
    else {
      throw .badArgument
    }
    let start = packet.count
    packet.append(contentsOf: repeatElement(0, count: OpusFormat.maximumPacketBytes))
    let result = interleaved.withUnsafeBufferPointer { samples in
      packet.withUnsafeMutableBufferPointer { bytes in
        guard let input = samples.baseAddress, let output = bytes.baseAddress else {
          return OPUS_BAD_ARG
        }
        return opus_encode_float(
          state, input, Int32(frames), output + start,
          opus_int32(OpusFormat.maximumPacketBytes))
      }
    }
    packet.removeLast(OpusFormat.maximumPacketBytes - Int(max(0, result)))
    return try OpusError.check(result)
  }

  /// Allocates and sets up libopus's state; frees it again if anything fails.
  private static func create(
    bitRate: Int, complexity: Int
  ) throws(OpusError) -> (state: OpaquePointer, lookAhead: Int) {
    var code: Int32 = 0
    let created = opus_encoder_create(
      Int32(OpusFormat.sampleRate), Int32(OpusFormat.channels), OPUS_APPLICATION_AUDIO, &code)
    guard let created else { throw OpusError(rawValue: code) }
    var lookAhead: opus_int32 = 0
    let results = [
      tutti_opus_look_ahead(created, &lookAhead),
      tutti_opus_set(created, OPUS_SET_VBR_REQUEST, 1),
      tutti_opus_set(created, OPUS_SET_COMPLEXITY_REQUEST, opus_int32(max(0, min(10, complexity)))),
      tutti_opus_set(created, OPUS_SET_BITRATE_REQUEST, acceptable(bitRate)),
    ]
    if let failed = results.first(where: { $0 < 0 }) {
      opus_encoder_destroy(created)
      throw OpusError(rawValue: failed)
    }
    return (created, Int(lookAhead))
  }

  private static func acceptable(_ bitRate: Int) -> opus_int32 {
    let range = OpusFormat.bitRates
    return opus_int32(min(max(bitRate, range.lowerBound), range.upperBound))
  }
}
