// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// One server-sent event.
public struct ServerEvent: Sendable, Hashable {
  /// The event's name; `message` when the server gave none.
  public var name: String
  /// Its data, lines joined.
  public var data: [UInt8]
  /// The last id seen, to be sent as `Last-Event-ID` when connecting again.
  public var id: String?
}

/// Cuts a byte stream into server-sent events.
///
/// - Source: WHATWG HTML, section 9.2.6 "Interpreting an event stream".
public struct EventStreamParser: Sendable {
  /// More than any event of the API: a line that grows beyond this is dropped.
  static let longestLine = 4 << 20

  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  private var id: String?
  private var skipsLineFeed = false

  /// A parser at the start of a stream.
  public init() {}

  /// Takes bytes in any portions.
  ///
  /// - Parameter bytes: What came.
  /// - Returns: The events that are complete now, in order.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      if skipsLineFeed, byte == 0x0A {
        skipsLineFeed = false
        continue
      }
      skipsLineFeed = byte == 0x0D
      guard byte == 0x0A || byte == 0x0D else {
        if line.count < Self.longestLine { line.append(byte) }
        continue
      }
      if line.isEmpty { finishEvent(into: &events) } else { finishLine() }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func finishLine() {
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let field = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
    var value = colon.map { line[line.index(after: $0)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch field {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { data.append(0x0A) }
      data.append(contentsOf: value)
      hasData = true
    case "id": id = String(decoding: value, as: UTF8.self)
    default: break  // comments begin with a colon; unknown fields are passed over
    }
  }

  private mutating func finishEvent(into events: inout [ServerEvent]) {
    if hasData {
      events.append(ServerEvent(name: name.isEmpty ? "message" : name, data: data, id: id))
    }
    name = ""
    data = []
    hasData = false
  }
}
