// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

@Suite struct ControlMessageTests {
  @Test(arguments: vectors("control.txt").filter { $0["error"] == nil })
  func `vector is read and written byte for byte`(vector: Vector) throws {
    let bytes = vector.bytes
    let message = try ControlMessage(decoding: bytes.span)
    let expected = try #require(MessageSource.byVector[vector.name], "no value in MessageSource")
    #expect(message == expected)
    #expect(message.encode() == bytes)
  }

  @Test(arguments: vectors("control.txt").filter { $0["error"] != nil })
  func `malformed vector is refused`(vector: Vector) {
    let bytes = vector.bytes
    let result = outcome { () throws(WireError) -> String in
      "\(try ControlMessage(decoding: bytes.span))"
    }
    #expect(result == vector["error"])
  }

  @Test func `there is a vector for every message`() {
    let names = Set(vectors("control.txt").map(\.name))
    #expect(names.count >= 50)
    #expect(MessageSource.byVector.keys.allSatisfy(names.contains))
  }

  @Test func `unknown fields are stepped over, whatever their type`() throws {
    let token = ControlMessage.ping(1).encode()
    // Fields 200 of wire types 0, 1, 2 and 5, before and behind.
    let unknown = hexadecimal("c00c05" + "c10c0102030405060708" + "c20c03616263" + "c50c01020304")
    #expect(try ControlMessage(decoding: (unknown + token + unknown).span) == .ping(1))
    // Inside a body: 62 is ping, 09 the token's tag.
    let body = unknown + hexadecimal("090100000000000000") + unknown
    #expect(try ControlMessage(decoding: ([0x62, UInt8(body.count)] + body).span) == .ping(1))
  }

  @Test func `the last body of several wins`() throws {
    let bytes = ControlMessage.ping(1).encode() + ControlMessage.pong(2).encode()
    #expect(try ControlMessage(decoding: bytes.span) == .pong(2))
  }

  @Test func `states and reasons of a later version are read as the nearest word`() throws {
    let report = try ControlMessage(decoding: hexadecimal("5a020863").span)
    guard case .stateReport(let report) = report else {
      Issue.record("not a report")
      return
    }
    #expect(report.state == .trouble)
    let refusal = try ControlMessage(decoding: hexadecimal("12020863").span)
    #expect(refusal == .refusal(Refusal(reason: .other, detail: "")))
  }

  @Test func `long words are cut at a character`() throws {
    let name = String(repeating: "ü", count: 200)
    let bytes = ControlMessage.setName(SetName(name: "x" + name)).encode()
    let cut = "x" + String(repeating: "ü", count: 127)
    #expect(try ControlMessage(decoding: bytes.span) == .setName(SetName(name: cut)))
  }

  @Test func `volume is clamped when sent`() throws {
    for (wanted, sent) in [(-5, 0), (101, 100), (.max, 100)] {
      let bytes = ControlMessage.setVolume(SetVolume(volume: wanted, muted: false, serial: 1))
      let expected = SetVolume(volume: sent, muted: false, serial: 1)
      #expect(try ControlMessage(decoding: bytes.encode().span) == .setVolume(expected))
    }
  }
}
