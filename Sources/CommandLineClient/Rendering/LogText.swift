// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// What happened to a room, as a person reads it: when, why, what was heard of it, what mended it.
struct LogText {
  let columns: Int
  let ink: Ink
  /// The time of day where the reader is.
  var clock: (_ unixSeconds: Double) -> String = localClock

  /// The last incidents, oldest first; nil is all of them.
  func lines(_ log: RoomLogDocument, last: Int? = nil) -> [String] {
    guard !log.incidents.isEmpty else { return ["nothing has happened in the last hour"] }
    return log.incidents.suffix(last ?? log.incidents.count).flatMap(incident)
  }

  private func incident(_ incident: IncidentDocument) -> [String] {
    let when = clock(incident.beganUnixSeconds)
    let indent = String(repeating: " ", count: when.count + 2)
    let paint: Ink.Paint = incident.durationSeconds == nil ? .bad : .plain
    let words = [
      ("", incident.cause), ("heard: ", incident.effect), ("mended: ", incident.repair),
    ]
    let oneLine = DisplayWidth.printable(words.map { $0.0 + $0.1 }.joined(separator: "; "))
    if indent.count + DisplayWidth.columns(oneLine) <= columns {
      return [ink.paint(when, paint) + "  " + oneLine]
    }
    var lines: [String] = []
    for (label, text) in words {
      for line in wrap(label + text, to: max(6, columns - indent.count)) {
        lines.append((lines.isEmpty ? ink.paint(when, paint) + "  " : indent) + line)
      }
    }
    return lines
  }
}

/// Text in lines of at most `width` columns, broken between words where that is possible.
func wrap(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in DisplayWidth.printable(text).split(separator: " ") {
    var rest = word[...]
    if !line.isEmpty, DisplayWidth.columns(line) + 1 + DisplayWidth.columns(rest) > width {
      lines.append(line)
      line = ""
    }
    while DisplayWidth.columns(rest) > width {
      // At least one character, or a wide one would never fit.
      let count = max(1, DisplayWidth.prefix(rest, width).count)
      lines.append(String(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    line += (line.isEmpty ? "" : " ") + rest
  }
  if !line.isEmpty || lines.isEmpty { lines.append(line) }
  return lines
}
