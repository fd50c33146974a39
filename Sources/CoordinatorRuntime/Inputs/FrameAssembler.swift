// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Makes frames of the octets of a pipe: 16 bit, little-endian, left and right in turn.
struct FrameAssembler {
  static let bytesPerFrame = 4
  /// The beginning of a frame whose rest has not come.
  private var rest: [UInt8] = []

  /// A writer has gone in the middle of a frame: the next one begins with a whole one.
  mutating func forget() { rest.removeAll(keepingCapacity: true) }

  /// Adds the frames that are whole now.
  ///
  /// - Parameters:
  ///   - bytes: What was read.
  ///   - frames: Interleaved, full scale at 1.
  mutating func take(_ bytes: ArraySlice<UInt8>, into frames: inout [Float]) {
    rest.append(contentsOf: bytes)
    let whole = rest.count / Self.bytesPerFrame * Self.bytesPerFrame
    frames.reserveCapacity(frames.count + whole / 2)
    for index in stride(from: 0, to: whole, by: 2) {
      let sample = Int16(bitPattern: UInt16(rest[index]) | UInt16(rest[index + 1]) << 8)
      frames.append(Float(sample) * 0x1p-15)
    }
    rest.removeFirst(whole)
  }
}
