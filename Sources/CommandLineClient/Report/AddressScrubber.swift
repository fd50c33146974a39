// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Makes addresses and paths in a text anonymous, whatever they are.
///
/// IPv4 and IPv6 addresses lose their last part, loopback and "any" stay; of URLs the scheme stays; names
/// that end in `.local` and paths go. A path may have blanks in it, so what follows one goes too, up to a
/// colon, a comma, a quote or a bracket: rather a word too many than a name that stays.
enum AddressScrubber {
  /// What is being left out.
  private enum Leaving { case nothing, path, address }

  /// The text without them.
  static func scrub(_ text: String) -> String {
    var result = ""
    var word = ""
    var leaving = Leaving.nothing
    for character in text + "\n" {
      guard separators.contains(character) else {
        word.append(character)
        continue
      }
      if leaving == .nothing {
        result += scrub(word: word)
        leaving = word.firstRange(of: "://") != nil ? .address : isPath(word) ? .path : .nothing
      }
      if leaving == .path, word.hasSuffix(":") {
        result += ":"
        leaving = .nothing
      }
      // Of a URL nearly everything may be part; of a path a blank may be.
      if leaving == .address ? addressEnds.contains(character) : character != " " {
        leaving = .nothing
      }
      if leaving == .nothing { result.append(character) }
      word = ""
    }
    return String(result.dropLast())
  }

  /// What no URL has in it (RFC 3986 appendix A).
  private static let addressEnds: Set<Character> = [" ", "\n", "\t", "\"", "<", ">", "`"]

  /// `/a/b`, `~/a`, `unix:/a`, and what `Redaction` has left of a path that begins in a known folder.
  private static func isPath(_ word: String) -> Bool {
    guard word.count > 1, word.firstRange(of: "://") == nil else { return false }
    let start = word.first == "/" || word.hasPrefix("~/") || word.contains(":/")
    return start || word.contains("}/")
  }

  private static let separators: Set<Character> = [
    " ", "\n", "\t", "\"", "'", "`", "(", ")", "<", ">", ",", ";", "=",
  ]

  private static func scrub(word: String) -> String {
    guard word.contains(where: { ".:/@".contains($0) }) else { return word }
    if let scheme = word.firstRange(of: "://") { return word[..<scheme.upperBound] + "{address}" }
    if isPath(word) {
      let colon = word.firstRange(of: ":/")
      return (colon.map { String(word[...$0.lowerBound]) } ?? "") + "{path}"
    }
    if word.contains("@") { return "{address}" }
    if word.lowercased().contains(".local") { return "{host}" }
    return scrub(address: word)
  }

  /// `192.168.1.7:7701`, `[fe80::1%2]:7701`, `fe80::1`, with whatever punctuation follows.
  private static func scrub(address word: String) -> String {
    let body = word.drop { $0 == "[" }
    let parts = body.prefix { $0 != ":" && $0 != "]" }.split(
      separator: ".", omittingEmptySubsequences: false)
    if parts.count >= 4, parts.prefix(4).allSatisfy({ isOctet(number($0)) }) {
      let shown = parts.prefix(3).joined(separator: ".")
      let rest =
        word.contains(":")
        ? ":" + word.split(separator: ":").dropFirst().joined(separator: ":") : ""
      return shown == "127.0.0" || shown == "0.0.0" ? word : shown + ".x" + rest
    }
    return scrub(sixth: word)
  }

  private static func scrub(sixth word: String) -> String {
    let inside = word.drop { $0 == "[" }.prefix { $0 != "]" && $0 != "%" }
    let groups = inside.split(separator: ":", omittingEmptySubsequences: false)
    let isAddress =
      groups.count >= 3 && groups.count <= 8 && inside.contains { $0.isHexDigit && !$0.isNumber }
      || inside.contains("::")
    guard isAddress, groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isHexDigit) }),
      inside != "::", inside != "::1"
    else { return word }
    let rest = word.firstIndex(of: "]").map { String(word[$0...]) } ?? ""
    return (word.hasPrefix("[") ? "[" : "") + (groups.first ?? "") + ":...:x" + rest
  }

  private static func number(_ text: Substring) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    // A full stop at the sentence's end follows the last.
    return digits.isEmpty || digits.count > 3 ? nil : Int(digits)
  }

  private static func isOctet(_ number: Int?) -> Bool { number.map { $0 < 256 } ?? false }
}
