// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Cuts a byte stream into control messages.
///
/// Append what was read, then call `next()` until it returns nil. It keeps at most what was
/// appended: a length is checked before anything is kept for it. After an error the stream has lost
/// its frames and the link must be closed; every further call throws the same error.
public struct ControlFrameDecoder: Sendable {
  /// The length in front of each message, big-endian.
  public static let lengthBytes = 4

  private var buffer: [UInt8] = []
  /// Bytes of `buffer` that are used up.
  private var consumed = 0
  private var failure: WireError?

  /// Messages of a kind that this build does not know, stepped over.
  public private(set) var ignoredMessages = 0

  /// A decoder at the start of a stream.
  public init() {}

  /// Takes what was read from the link.
  public mutating func append(_ bytes: Span<UInt8>) {
    // Moving the rest only when half is used keeps the cost linear.
    if consumed > buffer.count / 2 {
      buffer.removeFirst(consumed)
      consumed = 0
    }
    for index in bytes.indices { buffer.append(bytes[index]) }
  }

  /// The next whole message.
  ///
  /// - Returns: A message, or nil when more bytes are needed.
  /// - Throws: `WireError`: close the link.
  public mutating func next() throws(WireError) -> ControlMessage? {
    if let failure { throw failure }
    do throws(WireError) {
      return try nextMessage()
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func nextMessage() throws(WireError) -> ControlMessage? {
    while let range = try nextFrame() {
      consumed = range.upperBound
      do throws(WireError) {
        return try ControlMessage(decoding: buffer.span.extracting(range))
      } catch .unknownMessage {
        ignoredMessages += 1
      }
    }
    return nil
  }

  /// Where the next frame lies in `buffer`, if it is all there.
  private func nextFrame() throws(WireError) -> Range<Int>? {
    let available = buffer.count - consumed
    guard available >= Self.lengthBytes else { return nil }
    let length = Int(buffer.span.uint32(at: consumed))
    guard length <= ControlLimits.messageBytes else { throw .frameTooLarge(bytes: length) }
    guard available - Self.lengthBytes >= length else { return nil }
    let start = consumed + Self.lengthBytes
    return start..<(start + length)
  }
}
