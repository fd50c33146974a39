// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import COpus

/// Decodes Opus packets into 48 kHz stereo floats.
///
/// One decoder for each generation: the encoder starts each one afresh, and only a fresh decoder is at
/// full quality from the first packet. Joining in the middle takes 4 packets until it is (5, 10, 15, 20,
/// 26 dB over the first ones, measured): decode those and throw the result away.
///
/// libopus: "a single codec state may only be accessed from a single thread at a time"; see `OpusEncoder`.
@safe public struct OpusDecoder: ~Copyable, @unchecked Sendable {
  // @unchecked: the pointer is owned by this value alone, which moves between threads as a whole.
  private let state: OpaquePointer

  /// A fresh decoder.
  ///
  /// - Throws: `OpusError.outOfMemory`, or what libopus reports.
  public init() throws(OpusError) {
    var code: Int32 = 0
    let created = opus_decoder_create(
      Int32(OpusFormat.sampleRate), Int32(OpusFormat.channels), &code)
    guard let created else { throw OpusError(rawValue: code) }
    state = created
  }

  deinit { opus_decoder_destroy(state) }

  /// Decodes one packet.
  ///
  /// - Parameters:
  ///   - packet: The payload of one RTP packet. Outside data: anything may be in it.
  ///   - interleaved: Room for the frames, two samples each; 960 frames for our own streams.
  /// - Returns: Frames decoded.
  /// - Throws: `OpusError.invalidPacket` or `.bufferTooSmall`; nothing useful is in the buffer then.
  public mutating func decode(
    _ packet: Span<UInt8>, into interleaved: inout MutableSpan<Float>
  ) throws(OpusError) -> Int {
    // libopus takes an empty packet for a lost one and makes music up; we ask for that by name.
    guard !packet.isEmpty else { throw .invalidPacket }
    let room = Int32(clamping: interleaved.count / OpusFormat.channels)
    let result = packet.withUnsafeBufferPointer { bytes in
      interleaved.withUnsafeMutableBufferPointer { samples in
        guard let output = samples.baseAddress else { return OPUS_BUFFER_TOO_SMALL }
        return opus_decode_float(
          state, bytes.baseAddress, opus_int32(bytes.count), output, room, 0)
      }
    }
    return try OpusError.check(result)
  }

  /// Makes up music for a packet that never came.
  ///
  /// It falls by 2 to 16 dB and at 100 ms jumps *back* to noise (measured, libopus 1.3.1): fade it to zero
  /// by then and stop asking.
  ///
  /// - Parameters:
  ///   - frames: A multiple of 120 (2.5 ms), at most 5,760.
  ///   - interleaved: Room for them.
  /// - Returns: Frames made.
  /// - Throws: `OpusError.badArgument` for another number; `.bufferTooSmall`.
  public mutating func conceal(
    frames: Int, into interleaved: inout MutableSpan<Float>
  ) throws(OpusError) -> Int {
    guard frames > 0, frames % 120 == 0, frames <= OpusFormat.maximumPacketFrames else {
      throw .badArgument
    }
    guard interleaved.count >= frames * OpusFormat.channels else { throw .bufferTooSmall }
    let result = interleaved.withUnsafeMutableBufferPointer { samples in
      guard let output = samples.baseAddress else { return OPUS_BUFFER_TOO_SMALL }
      return opus_decode_float(state, nil, 0, output, Int32(frames), 0)
    }
    return try OpusError.check(result)
  }
}
