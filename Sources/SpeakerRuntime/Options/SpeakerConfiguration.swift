// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import DaemonProcess
public import LinuxNetworking

/// What a speaker is told at its start.
public struct SpeakerConfiguration: Sendable {
  /// The room's name; nil keeps the saved one, or the host's at first.
  public var name: String?
  /// Where the sound goes.
  public var output = OutputSelection.null
  /// Where to listen, TCP and UDP.
  public var listen = SocketAddress.any(port: 7_701)
  /// Whether to announce the room on the network.
  public var usesZeroconf = true
  /// The frequency error of the crystal that `null` and `wav` simulate, for tests.
  public var simulatedCardPPM = 0.0

  /// A configuration that plays nowhere, for tests to fill in.
  public init() {}
}

extension SpeakerConfiguration {
  /// Reads a checked command line.
  ///
  /// - Parameter given: What the user gave.
  /// - Throws: `ProcessError` for what this version cannot do yet and for an odd `--listen`.
  init(_ given: ParsedArguments) throws(ProcessError) {
    try Self.refuseWhatIsNotThereYet(given)
    name = given[SpeakerOptions.name]
    output = given[SpeakerOptions.output]
    usesZeroconf = !given[SpeakerOptions.noZeroconf]
    let port = UInt16(given[SpeakerOptions.port])
    let address = given[SpeakerOptions.listen]
    do {
      listen = try SocketAddress(literal: address).with(port: port)
    } catch {
      throw ProcessError(
        "--listen is \(address), which is not an address",
        advice: "give an address of this host, such as 192.168.1.7, or :: for all")
    }
  }

  private static func refuseWhatIsNotThereYet(_ given: ParsedArguments) throws(ProcessError) {
    let mixer = given[SpeakerOptions.mixer]
    guard mixer == "software" else {
      throw ProcessError("--mixer \(mixer): not yet", advice: "use --mixer software")
    }
    if let pair = given[SpeakerOptions.pair], pair != .automatic {
      throw ProcessError(
        "--pair \(pair.rawValue): not yet", advice: "use --pair automatic, on a network you trust")
    }
    if given.isGiven(SpeakerOptions.pairSecretFile) {
      throw ProcessError("--pair-secret-file: not yet", advice: "leave it out")
    }
    if given[SpeakerOptions.resetPairing] {
      throw ProcessError("--reset-pairing: not yet", advice: "this version does not pair at all")
    }
  }
}
