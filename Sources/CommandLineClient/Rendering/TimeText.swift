// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Times as people type and read them.
enum TimeText {
  /// Reads `90`, `1:30`, `1:02:03` or `12.5` as seconds; nil for anything else.
  static func seconds(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last, let rest = plainNumber(last) else {
      return nil
    }
    var total = 0.0
    for part in parts.dropLast() {
      guard part.allSatisfy(\.isWholeNumber), let value = Double(part) else { return nil }
      total = (total + value) * 60
    }
    guard parts.count == 1 || rest < 60 else { return nil }
    return total + rest
  }

  /// `1:02:03` or `4:05`; rounded down, as clocks show time.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "-:--" }
    let whole = Int(max(0, seconds))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = twoDigits(rest)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  private static func plainNumber(_ text: Substring) -> Double? {
    guard let first = text.first, first.isWholeNumber,
      text.allSatisfy({ $0.isWholeNumber || $0 == "." })
    else { return nil }
    return Double(text)
  }

  private static func plainNumber(_ text: some StringProtocol) -> Double? {
    plainNumber(Substring(text))
  }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
