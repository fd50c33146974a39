// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import DaemonProcess
internal import Glibc
internal import LinuxNetworking

/// `tutti-speaker`, from its arguments to its exit code.
public enum SpeakerProgram {
  /// Runs the program.
  ///
  /// - Parameter arguments: The words after the program's name.
  /// - Returns: 0 when all went well, 1 when something failed, 2 for a mistake in the arguments.
  public static func run(_ arguments: [String]) -> Int32 {
    do throws(CommandLineError) {
      switch try SpeakerOptions.program.parse(arguments, environment: environment()) {
      case .print(let text):
        write(text, to: 1)
        return 0
      case .run(let given): return obey(given)
      }
    } catch {
      write("tutti-speaker: \(error)", to: 2)
      return 2
    }
  }

  private static func obey(_ given: ParsedArguments) -> Int32 {
    if given[SpeakerOptions.listOutputs] {
      write(OutputList.text(), to: 1)
      return 0
    }
    do throws(ProcessError) {
      let configuration = try SpeakerConfiguration(given)
      if given[SpeakerOptions.testTone] {
        try TestTone.play(on: configuration.output)
      } else {
        try serve(configuration, given)
      }
      return 0
    } catch {
      write("tutti-speaker: \(error)", to: 2)
      return 1
    }
  }

  private static func serve(
    _ configuration: SpeakerConfiguration, _ given: ParsedArguments
  ) throws(ProcessError) {
    // Before any thread starts: they inherit the blocked signals.
    let signals = SignalWaiter()
    let log = Log(
      .standardError(
        level: given[SpeakerOptions.logLevel], format: given[SpeakerOptions.logFormat]))
    try OutputList.check(configuration.output)
    let path = try StateDirectory.resolve(
      flag: given[SpeakerOptions.stateDirectory], program: "tutti-speaker")
    let state = try StateDirectory(path: path, program: "tutti-speaker")
    lockMemory(log: log)
    let speaker = try Speaker(configuration, state: state, log: log)
    ServiceNotifier.ready(status: "room \"\(speaker.name)\" on port \(speaker.address.port)")
    _ = signals.next()
    log.notice("stopping")
    ServiceNotifier.stopping()
    speaker.stop()
  }

  /// The part of the environment that options may come from.
  private static func environment() -> [String: String] {
    var values: [String: String] = [:]
    for option in SpeakerOptions.program.options {
      let name = SpeakerOptions.program.environmentName(of: option.specification)
      values[name] = Environment.value(name)
    }
    return values
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let line = Array("\(text)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
