// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing

/// The arrows and the promises of purity, held by reading the sources.
@Suite struct ArchitectureTests {
  static let tree = SourceTree()
  static let sources = tree.files(below: "Sources")

  static let pure: Set<String> = [
    "AudioTime", "WireProtocol", "DecoderProtocol", "ClockSync", "RealtimeAudio", "Playout",
    "House", "LiveInput", "Catalogue", "ControlAPI", "CommandLineOptions", "TagRules",
  ]
  static let speakerSide: Set<String> = [
    "ALSAOutput", "AvahiDiscovery", "DaemonProcess", "LinuxNetworking", "OpusCodec", "SecureLink",
    "SpeakerRuntime", "tutti-speaker",
  ]
  static let foundations: Set<String> = ["Foundation", "FoundationEssentials", "Dispatch"]

  @Test func `the tree is where these tests look for it`() {
    #expect(Self.sources.count > 50)
    #expect(Set(Self.sources.map(\.target)).isSuperset(of: Self.pure))
  }

  @Test(arguments: sources.filter { pure.contains($0.target) })
  func `pure cores import no system`(file: SourceTree.File) {
    let allowed = file.target == "ControlAPI" ? ["FoundationEssentials"] : []
    let forbidden = Self.foundations.union(["Glibc", "Synchronization"])
      .subtracting(allowed)
      .subtracting(file.target == "RealtimeAudio" ? ["Synchronization"] : [])
    #expect(forbidden.isDisjoint(with: file.imports), "\(file) imports \(file.imports)")
  }

  @Test(arguments: sources.filter { pure.contains($0.target) })
  func `pure cores read no clock and never wait`(file: SourceTree.File) {
    let banned = [
      "ContinuousClock", "SuspendingClock", "Date()", "clock_gettime", "tutti_monotonic_raw_ns",
      "Task.sleep", "usleep(", "Task {", "DispatchQueue",
    ]
    for (number, line) in file.code.enumerated() {
      for word in banned where line.contains(word) {
        Issue.record("\(file):\(number + 1) uses \(word)")
      }
    }
  }

  @Test(arguments: sources.filter { speakerSide.contains($0.target) })
  func `a speaker needs neither Foundation nor FFmpeg nor SQLite`(file: SourceTree.File) {
    let heavy = Self.foundations.union(["CFFmpeg", "MediaDecoding", "CSQLite", "SQLiteDatabase"])
    #expect(heavy.isDisjoint(with: file.imports), "\(file) imports \(file.imports)")
  }

  @Test(arguments: sources)
  func `each C library has one owner`(file: SourceTree.File) {
    let owners = [
      "COpus": "OpusCodec", "CALSA": "ALSAOutput", "CAvahi": "AvahiDiscovery",
      "CFFmpeg": "MediaDecoding", "CSQLite": "SQLiteDatabase", "COpenSSL": "SecureLink",
      "CWebSockets": "HTTPService", "CCurl": "HTTPClient", "CTagLib": "TagReading",
    ]
    for module in file.imports {
      guard let owner = owners[module] else { continue }
      #expect(file.target == owner, "\(file) imports \(module), which is \(owner)'s")
    }
  }

  @Test func `FFmpeg and TagLib reach no program but the decoder`() {
    let users = { (module: String) in
      Set(Self.sources.filter { $0.imports.contains(module) }.map(\.target))
    }
    #expect(users("MediaDecoding") == ["tutti-decoder"])
    #expect(users("TagReading") == ["MediaDecoding"])
  }

  @Test(arguments: sources.filter { $0.target == "RealtimeAudio" })
  func `every function of the real-time target is checked for locks`(file: SourceTree.File) {
    for (number, line) in file.code.enumerated() where declaresCode(line) {
      let before = file.code[max(0, number - 4)..<number]
        .reversed().prefix { $0.trimmingCharacters(in: .whitespaces).hasPrefix("@") }
      let marked = line.contains("@_noLocks") || before.contains { $0.contains("@_noLocks") }
      let setUp = line.contains("init(") || line.contains("deinit") || isSetUp(file, number)
      #expect(marked || setUp, "\(file):\(number + 1) lacks @_noLocks")
    }
  }

  private func declaresCode(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    guard let at = words.firstIndex(of: "func") else { return false }
    return words[..<at].allSatisfy { $0.first?.isLetter == true || $0.hasPrefix("@") }
  }

  /// Functions that run before the audio thread exists say so on the line above.
  private func isSetUp(_ file: SourceTree.File, _ number: Int) -> Bool {
    file.lines[max(0, number - 6)..<number].contains { $0.contains("Not real-time") }
  }

  @Test func `executables hold no logic`() {
    for file in Self.sources where file.target == "tutti" || file.target.hasPrefix("tutti-") {
      #expect(file.lines.count <= 100, "\(file) has \(file.lines.count) lines")
    }
  }
}
