// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ControlAPI
import Testing
import WireProtocol

@testable import CoordinatorRuntime

@Suite struct RoomHealthTests {
  @Test func `a host that is fast is shown as fast`() throws {
    var report = StateReport()
    // To a host that is 25 ppm fast the media clock seems slow.
    report.hostFrequency = PartsPerMillion(-25)
    report.cardFrequency = PartsPerMillion(40)
    let health = RoomHealthDocument(report)
    #expect(abs(try #require(health.hostFrequencyPPM) - 25) < 0.001)
    #expect(health.cardFrequencyPPM == 40)
    #expect(RoomHealthDocument(StateReport()).hostFrequencyPPM == nil)
  }
}
