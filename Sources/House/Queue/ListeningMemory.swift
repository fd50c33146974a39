// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Decides when the place in a book or a podcast is worth remembering.
///
/// Asked once a second what is heard. Knows of one track at a time: the one that plays.
public struct ListeningMemory: Sendable {
  /// What to do.
  public enum Effect: Sendable, Hashable {
    /// Find out whether the library has the file, and whether its place is remembered.
    case lookUp(path: String)
    /// Keep the place in a song; nil: it has been heard to its end.
    case keep(song: Int64, milliseconds: Int64?)
  }

  /// What is heard now.
  public struct Heard: Sendable, Hashable {
    /// The file.
    public var path: String
    /// The place in it.
    public var milliseconds: Int64
    /// How long it is, when that is known.
    public var duration: Int64?
    /// Whether it goes on.
    public var isPlaying: Bool

    /// What is heard.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - milliseconds: The place in it.
    ///   - duration: How long it is.
    ///   - isPlaying: Whether it goes on.
    public init(path: String, milliseconds: Int64, duration: Int64?, isPlaying: Bool) {
      (self.path, self.milliseconds) = (path, milliseconds)
      (self.duration, self.isPlaying) = (duration, isPlaying)
    }
  }

  /// How far a place may be from the one that is kept: what is heard twice after a power cut.
  public static var step: Int64 { 10_000 }
  /// So close to the end there is only music and thanks.
  public static var ending: Int64 { 15_000 }

  private var path: String?
  private var song: Int64?
  private var kept: Int64?
  private var last: Int64?
  private var hasEnded = false

  /// Nothing has been heard.
  public init() {}

  /// The library has answered.
  ///
  /// - Parameters:
  ///   - song: The song whose place is to be remembered; nil when it is none of those.
  ///   - path: The file that was asked for; another one may be heard by now.
  public mutating func learn(_ song: Int64?, of path: String) {
    guard path == self.path else { return }
    self.song = song
  }

  /// Looks at what is heard.
  ///
  /// - Parameter heard: What is heard now; nil when nothing is.
  /// - Returns: What to do, in order.
  public mutating func notice(_ heard: Heard?) -> [Effect] {
    guard let heard, heard.path == path else {
      let farewell = leave()
      guard let heard else { return farewell }
      path = heard.path
      return farewell + [.lookUp(path: heard.path)]
    }
    guard let song else { return [] }
    last = heard.milliseconds
    if let duration = heard.duration, duration - heard.milliseconds < Self.ending {
      return end(song)
    }
    let distance = abs(heard.milliseconds - (kept ?? 0))
    guard distance >= Self.step || (!heard.isPlaying && distance > 0) else { return [] }
    (kept, hasEnded) = (heard.milliseconds, false)
    return [.keep(song: song, milliseconds: heard.milliseconds)]
  }

  private mutating func end(_ song: Int64) -> [Effect] {
    guard !hasEnded else { return [] }
    (hasEnded, kept) = (true, nil)
    return [.keep(song: song, milliseconds: nil)]
  }

  /// Something else is heard, or nothing.
  private mutating func leave() -> [Effect] {
    defer { self = ListeningMemory() }
    guard let song, let last, !hasEnded, last != kept else { return [] }
    return [.keep(song: song, milliseconds: last)]
  }
}
