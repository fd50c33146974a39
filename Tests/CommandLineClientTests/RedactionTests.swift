// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct RedactionTests {
  /// A report with secrets in every place that was thought of.
  private static let report = """
    {"state": {"coordinator": {"name": "Villa Mueller", "version": "0.1.0", "musicFolders": ["/srv/private music"]},
      "groups": [{"queue": {"items": [{"id": 1, "title": "Geheimer Walzer", "artist": "Jane Private",
        "album": "X", "location": "/srv/private music/Geheim.flac", "durationSeconds": 61.5},
        {"id": 2, "title": "Radio", "location": "https://joe:hunter2@radio.example/live/secret?token=abc123"}]},
        "playback": {"problem": "Geheimer Walzer was passed over: /srv/private music/Geheim.flac: broken"}}],
      "rooms": [{"name": "Kitchen", "address": "192.168.178.23:7701", "output": "alsa:default",
        "detail": "no route to [2001:db8:12:34::beef]:7701"}]},
     "diagnosis": {"stateFolder": {"path": "/home/mueller/.state", "freeBytes": 18446744073709}, "zeroconf": {"announcedName": "Villa Mueller"}},
     "logs": [{"incidents": [{"cause": "nas.local did not answer; tried http://nas:8000/a?key=k3y",
       "effect": "lost /srv/private music/Anderes Lied.flac; nothing of Jane Private's was heard", "repair": "see /etc/tutti/secret.conf"}]}],
     "metrics": ["tutti_room_connected{room=\\"Kitchen\\"} 1"], "flag": true, "none": null}
    """

  private static let secrets = [
    "Villa", "Mueller", "mueller", "private", "Private", "Geheim", "Walzer", "Jane", "joe",
    "hunter2",
    "radio.example", "token", "abc123", "178.23", "beef", "nas", "k3y", "secret", "Anderes", "Lied",
    "/srv", "/home",
    "/etc",
  ]

  private func redacted() throws -> JSONValue {
    let value = try JSONDocument.decode(JSONValue.self, from: Array(Self.report.utf8))
    var redaction = Redaction(words: [("host", "nas"), ("user", "mueller")])
    return redaction.redact(value)
  }

  @Test func `no secret that was planted is left`() throws {
    let text = String(decoding: try JSONDocument.encode(try redacted()), as: UTF8.self)
    for secret in Self.secrets { #expect(!text.contains(secret), "\(secret) in \(text)") }
  }

  @Test func `what helps stays, and the same thing has the same mark`() throws {
    let report = try redacted()
    guard case .list(let rooms)? = report["state"]?["rooms"],
      case .list(let groups)? = report["state"]?["groups"],
      case .list(let items)? = groups[0]["queue"]?["items"],
      case .list(let logs)? = report["metrics"]
    else { throw Unexpected() }
    #expect(rooms[0]["name"] == .text("Kitchen"))
    #expect(rooms[0]["address"] == .text("192.168.178.x:7701"))
    #expect(rooms[0]["output"] == .text("alsa:default"))
    #expect(items[0]["durationSeconds"] == .number(61.5))
    #expect(logs == [.text("tutti_room_connected{room=\"Kitchen\"} 1")])
    #expect(report["diagnosis"]?["stateFolder"]?["freeBytes"] == .integer(18_446_744_073_709))
    #expect(
      report["state"]?["coordinator"]?["name"] == report["diagnosis"]?["zeroconf"]?["announcedName"]
    )
    guard case .text(let title)? = items[0]["title"],
      case .text(let problem)? = groups[0]["playback"]?["problem"]
    else { throw Unexpected() }
    #expect(problem.hasPrefix(title + " was passed over"))
    #expect(report["flag"] == .bool(true) && report["none"] == .null)
  }

  @Test(arguments: [
    ("192.168.1.7", "192.168.1.x"), ("at 10.0.0.5:7701.", "at 10.0.0.x:7701."),
    ("127.0.0.1:7700", "127.0.0.1:7700"),
    ("0.0.0.0", "0.0.0.0"), ("[fe80::1%eth0]:7701", "[fe80:...:x]:7701"), ("::1", "::1"),
    ("[::]:7700", "[::]:7700"),
    ("2001:db8::17", "2001:...:x"), ("http://u:p@h/x?y", "http://{address}"),
    ("unix:/a/b", "unix:{path}"),
    ("file '/a/b c' is", "file '{path}' is"), ("~/Music/x", "{path}"), ("kitchen.local", "{host}"),
    ("a@b.example", "{address}"),
    ("12:34:56", "12:34:56"), ("0.1.0", "0.1.0"), ("6.18.44-1", "6.18.44-1"), ("1/2", "1/2"),
    ("alsa:hw:0", "alsa:hw:0"),
    ("999.1.1.1", "999.1.1.1"), ("", ""), ("/a/b c d.flac: broken", "{path}: broken"),
    ("/a/b: broken", "{path}: broken"),
    ("{folder-1}/My Tune.flac, then", "{path}, then"),
    ("unix:{folder-1}/control.sock, running", "{path}, running"), (" a  b ", " a  b "),
    ("(http://a/b?k=v;w=(x),y) end", "(http://{address} end"),
  ])
  func `addresses and paths are made anonymous, figures are not`(text: String, clean: String) {
    #expect(AddressScrubber.scrub(text) == clean)
  }

  @Test func `a report's name is its time`() {
    #expect(ReportCommand.fileName(1_796_046_970) == "tutti-report-20261130-135610.json")
  }

  private struct Unexpected: Error {}
}
