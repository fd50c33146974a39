// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
public import House

/// A live input as it was asked for: `NAME=pipe:PATH[,delay=D][,rate=HZ]`.
public struct InputConfiguration: Sendable, Hashable {
  /// What it is called in `input:NAME`.
  public var name: String
  /// The named pipe that it is read from.
  public var path: String
  /// How its playout delay is found.
  public var delay: AdaptiveDelay.Mode
  /// Frames per second that its source claims.
  public var rate: Int

  /// The rates that can be matched to the house's. Above, what nobody hears would fold back.
  static let rates = 8_000...48_000
  /// Pinned delays, in milliseconds: as for the whole house.
  static let delays = 40...30_000
  private static let longestName = 64

  /// An input; by default adaptive, at 48 kHz.
  public init(
    name: String, path: String, delay: AdaptiveDelay.Mode = .live, rate: Int = 48_000
  ) {
    self.name = name
    self.path = path
    self.delay = delay
    self.rate = rate
  }

  /// Reads the inputs of a command line.
  ///
  /// - Parameters:
  ///   - texts: One for each input.
  ///   - pinned: The house's delay, when it was asked for explicitly; it rules.
  /// - Returns: The inputs, in order.
  /// - Throws: `ProcessError` with what is wrong and what to try.
  static func all(
    _ texts: [String], pinned: Nanoseconds?
  ) throws(ProcessError) -> [InputConfiguration] {
    var inputs: [InputConfiguration] = []
    for text in texts {
      var input = try InputConfiguration(text)
      if let pinned { input.delay = .pinned(pinned) }
      guard !inputs.contains(where: { $0.name == input.name || $0.path == input.path }) else {
        throw ProcessError(
          "--input \(text): its name or its pipe is given twice", advice: "give each once")
      }
      inputs.append(input)
    }
    return inputs
  }

  /// Reads one.
  ///
  /// - Parameter text: As on the command line. A comma in the path is part of it unless `delay=` or
  ///   `rate=` follows.
  /// - Throws: `ProcessError` with what is wrong and what to try.
  init(_ text: String) throws(ProcessError) {
    let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard halves.count == 2, Self.isName(halves[0]), halves[1].hasPrefix("pipe:") else {
      throw Self.malformed(text)
    }
    var pieces = halves[1].dropFirst(5).split(separator: ",", omittingEmptySubsequences: false)
    self.init(name: halves[0], path: "")
    while let last = pieces.last, let equals = last.firstIndex(of: "="), pieces.count > 1,
      ["delay", "rate"].contains(last[..<equals])
    {
      try take(last[..<equals], String(last[last.index(after: equals)...]), of: text)
      pieces.removeLast()
    }
    path = pieces.joined(separator: ",")
    guard path.hasPrefix("/") else {
      throw ProcessError(
        "--input \(text): '\(path)' is no absolute path", advice: "give pipe:/run/tutti/NAME")
    }
  }

  private mutating func take(
    _ key: Substring, _ value: String, of text: String
  ) throws(ProcessError) {
    switch (key, value, Int(value)) {
    case ("delay", "adaptive", _): delay = .live
    case ("delay", "low", _): delay = .lowDelay
    case ("delay", _, let number?) where Self.delays.contains(number):
      delay = .pinned(.milliseconds(Int64(number)))
    case ("rate", _, let number?) where Self.rates.contains(number): rate = number
    case ("rate", _, _):
      throw ProcessError(
        "--input \(text): the rate '\(value)' cannot be played",
        advice: "let the source give 44100 or 48000 frames per second")
    default:
      throw ProcessError(
        "--input \(text): the delay '\(value)' is not known",
        advice: "give adaptive, low, or \(Self.delays.lowerBound) to \(Self.delays.upperBound) ms")
    }
  }

  private static func malformed(_ text: String) -> ProcessError {
    ProcessError(
      "--input \(text) cannot be understood",
      advice:
        "give NAME=pipe:/PATH[,delay=adaptive|low|MS][,rate=HZ], the name of letters, digits, "
        + "'-' and '_'")
  }

  private static func isName(_ text: String) -> Bool {
    (1...longestName).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
