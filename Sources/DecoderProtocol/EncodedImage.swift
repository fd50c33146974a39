// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A picture as JPEG, upright, its sides in the proportion of the original's.
public struct EncodedImage: Sendable, Hashable {
  /// The longest edge that may be asked for, in pixels.
  public static var maximumEdge: Int { 2_048 }
  /// The most bytes of JPEG in a reply.
  public static var maximumBytes: Int { 1_000_000 }

  /// Pixels across, from 1.
  public var width: Int
  /// Pixels down, from 1.
  public var height: Int
  /// The JPEG file, at most `maximumBytes`.
  public var bytes: [UInt8]

  /// A picture of that size.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}

extension EncodedImage {
  func write(to writer: inout ByteWriter) {
    writer.write(UInt16(clamping: width))
    writer.write(UInt16(clamping: height))
    writer.write(UInt32(bytes.count))
    writer.write(bytes: bytes)
  }

  init(reading reader: inout ByteReader) throws(DecoderProtocolError) {
    width = Int(try reader.readUInt16())
    height = Int(try reader.readUInt16())
    let count = Int(try reader.readUInt32())
    guard width > 0, height > 0, count <= Self.maximumBytes else { throw .invalidField }
    bytes = try reader.readBytes(count)
  }
}
