// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import House
import Testing

@testable import CoordinatorRuntime

@Suite struct InputConfigurationTests {
  @Test func `a name and a pipe are enough`() throws {
    let input = try InputConfiguration("tv=pipe:/run/tv")
    #expect(input == InputConfiguration(name: "tv", path: "/run/tv"))
    #expect(input.delay == .live)
    #expect(input.rate == 48_000)
  }

  @Test(arguments: [
    ("a=pipe:/p,delay=low", AdaptiveDelay.Mode.lowDelay, 48_000, "/p"),
    ("a=pipe:/p,rate=44100,delay=adaptive", .live, 44_100, "/p"),
    ("a=pipe:/p,q,delay=300,rate=8000", .pinned(.milliseconds(300)), 8_000, "/p,q"),
    ("a=pipe:/p=1,x=2", .live, 48_000, "/p=1,x=2"),
  ])
  func `all that can be said`(
    text: String, delay: AdaptiveDelay.Mode, rate: Int, path: String
  ) throws {
    let input = try InputConfiguration(text)
    #expect(input.delay == delay)
    #expect(input.rate == rate)
    #expect(input.path == path)
  }

  @Test(arguments: [
    "", "tv", "tv=", "=pipe:/p", "tv=/p", "tv=pipe:", "tv=pipe:p", "t v=pipe:/p", "tv=file:/p",
    "tv=pipe:/p,delay=39", "tv=pipe:/p,delay=often", "tv=pipe:/p,rate=96000", "tv=pipe:/p,rate=",
  ])
  func `what cannot be is refused with advice`(text: String) {
    #expect {
      try InputConfiguration(text)
    } throws: { error in
      (error as? ProcessError).map { !$0.advice.isEmpty && $0.problem.contains("--input") } == true
    }
  }

  @Test func `one name, one pipe; and the house's delay rules when it was given`() throws {
    let texts = ["a=pipe:/p", "b=pipe:/q,delay=low"]
    let inputs = try InputConfiguration.all(texts, pinned: .seconds(1))
    #expect(inputs.allSatisfy { $0.delay == .pinned(.seconds(1)) })
    #expect(throws: ProcessError.self) {
      try InputConfiguration.all(["a=pipe:/p", "a=pipe:/q"], pinned: nil)
    }
    #expect(throws: ProcessError.self) {
      try InputConfiguration.all(["a=pipe:/p", "b=pipe:/p"], pinned: nil)
    }
  }
}
