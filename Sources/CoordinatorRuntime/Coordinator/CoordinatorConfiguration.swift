// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import CommandLineOptions
internal import DaemonProcess
public import House
public import LinuxNetworking

/// What a coordinator is told at its start.
public struct CoordinatorConfiguration: Sendable {
  /// The house's name.
  public var name = "Tutti"
  /// Where stream and clock are served (UDP).
  public var listen = SocketAddress.any(port: 7_700)
  /// The TCP port of the API on this host; 0 takes any free one, nil opens none.
  public var apiPort: Int? = 7_700
  /// Folders whose files may be played by name, as they were given.
  public var musicFolders: [String] = []
  /// How often music folders that cannot be watched are scanned; nil: never.
  public var rescanInterval: Nanoseconds? = .seconds(900)
  /// Speakers to call, as `HOST[:PORT]`.
  public var speakers: [String] = []
  /// Live inputs, by their names.
  public var inputs: [InputConfiguration] = []
  /// How much music the rooms hold.
  public var playoutDelay = Nanoseconds.seconds(6)
  /// How tracks of different loudness are brought together.
  public var loudness = LoudnessMode.off
  /// Whether to look for speakers and announce the house by multicast.
  public var usesZeroconf = true
  /// The decoder program; nil: `tutti-decoder` beside this program, else on the PATH.
  public var decoderPath: String?
  /// The most that uploads may take on disk, in octets: some hours of lossless music.
  public var spoolBytes: UInt64 = 8 << 30

  /// A configuration for tests to fill in.
  public init() {}
}

extension CoordinatorConfiguration {
  /// Reads a checked command line.
  ///
  /// - Parameter given: What the user gave.
  /// - Throws: `ProcessError` for what this version cannot do yet and for odd addresses.
  init(_ given: ParsedArguments) throws(ProcessError) {
    if given[CoordinatorOptions.pairing] == .confirm {
      throw ProcessError(
        "--pairing confirm: not yet", advice: "use --pairing automatic, on a network you trust")
    }
    name = given[CoordinatorOptions.name] ?? Environment.hostName
    let port = given[CoordinatorOptions.port]
    listen = try Self.address(given[CoordinatorOptions.listen]).with(port: UInt16(port))
    apiPort = port
    musicFolders = given.values(of: CoordinatorOptions.music)
    let minutes = given[CoordinatorOptions.rescanInterval]
    rescanInterval = minutes == 0 ? nil : .seconds(Int64(minutes) * 60)
    speakers = given.values(of: CoordinatorOptions.speaker)
    for speaker in speakers { try Self.check(speaker: speaker) }
    playoutDelay = .milliseconds(Int64(given[CoordinatorOptions.playoutDelay]))
    inputs = try InputConfiguration.all(
      given.values(of: CoordinatorOptions.input),
      pinned: given.isGiven(CoordinatorOptions.playoutDelay) ? playoutDelay : nil)
    loudness = given[CoordinatorOptions.replayGain]
    usesZeroconf = !given[CoordinatorOptions.noZeroconf]
  }

  private static func address(_ text: String) throws(ProcessError) -> SocketAddress {
    do {
      return try SocketAddress(literal: text)
    } catch {
      throw ProcessError(
        "--listen is \(text), which is not an address",
        advice: "give an address of this host, such as 192.168.1.7, or :: for all")
    }
  }

  private static func check(speaker: String) throws(ProcessError) {
    do {
      _ = try SocketAddress.split(speaker, defaultPort: speakerPort)
    } catch {
      throw ProcessError("--speaker \(speaker): \(error.reason)", advice: "give HOST or HOST:PORT")
    }
  }
}

/// Where speakers listen unless they are told otherwise.
let speakerPort: UInt16 = 7_701
