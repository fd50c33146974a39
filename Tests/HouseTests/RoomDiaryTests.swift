// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing
import WireProtocol

@Suite struct RoomDiaryTests {
  /// Reports each second to a diary.
  private struct Scene {
    var room = ReportingRoom()
    var diary = RoomDiary()

    init() {
      diary.connected(runID: 1, wall: room.wall)
      pass(3)
    }

    mutating func pass(_ seconds: Int = 1, _ change: (inout StateReport) -> Void = { _ in }) {
      for _ in 0..<seconds {
        room.second += 1
        change(&room.report)
        diary.take(room.report, at: room.now, wall: room.wall)
      }
    }
  }

  @Test func `a quiet room has nothing to tell`() {
    var scene = Scene()
    scene.pass(4_000)
    #expect(scene.diary.incidents.isEmpty)
  }

  @Test func `what was counted before the first report is no incident`() {
    var scene = Scene()
    scene.diary = RoomDiary()
    scene.pass(5) { $0.lost = 77 }
    #expect(scene.diary.incidents.isEmpty)
  }

  @Test func `losses that follow each other are one incident, with its length`() throws {
    var scene = Scene()
    scene.pass {
      $0.lost += 3; $0.concealed += 3
    }
    scene.pass(3)
    scene.pass {
      $0.lost += 1; $0.concealed += 1
    }
    let open = try #require(scene.diary.incidents.first)
    #expect(open.ended == nil)
    #expect(open.repair == "not yet")
    scene.pass(6)
    let incident = try #require(scene.diary.incidents.first)
    #expect(scene.diary.incidents.count == 1)
    #expect(incident.kind == .loss)
    #expect(incident.seconds == 5)
    #expect(incident.cause == "4 packets lost on the way, 80 ms in all")
    #expect(incident.effect == "80 ms covered up")
    #expect(incident.repair == "no repeat came; the music went on")
    scene.pass(20)
    scene.pass {
      $0.late += 1; $0.concealed += 1
    }
    #expect(scene.diary.incidents.map(\.id) == [1, 2])
    #expect(scene.diary.incidents.last?.cause == "1 packet too late, 20 ms in all")
  }

  @Test func `packets that were sent again were not heard to be missing`() throws {
    var scene = Scene()
    scene.pass { $0.repaired += 5 }
    scene.pass(8)
    let incident = try #require(scene.diary.incidents.first)
    #expect(incident.cause == "5 packets missing at first")
    #expect(incident.effect == "nothing")
    #expect(incident.repair == "5 packets sent again in time")
  }

  @Test func `a dry run and the jump after it are one incident`() throws {
    var scene = Scene()
    scene.pass { $0.underruns += 1 }
    scene.pass { $0.resyncs += 1 }
    scene.pass(9)
    #expect(scene.diary.incidents.map(\.kind) == [.device])
    let incident = try #require(scene.diary.incidents.first)
    #expect(incident.cause == "the device ran dry")
    #expect(incident.repair == "started again after 2.0 s, back in time by a jump")
  }

  @Test func `a jump alone is told as such`() {
    var scene = Scene()
    scene.pass { $0.resyncs += 1 }
    scene.pass(9)
    #expect(scene.diary.incidents.map(\.kind) == [.timing])
    #expect(scene.diary.incidents.first?.effect == "a cross-faded jump")
  }

  @Test func `a device in trouble is told in its words until it plays again`() throws {
    var scene = Scene()
    let words = "the output alsa:usb is gone"
    scene.pass(30) {
      $0.state = .trouble
      $0.detail = words
    }
    #expect(scene.diary.incidents.first?.ended == nil)
    scene.pass {
      $0.state = .playing
      $0.detail = ""
    }
    let incident = try #require(scene.diary.incidents.first)
    #expect(incident.cause == words)
    #expect(incident.seconds == 31)
  }

  @Test func `a link that breaks says why, and how long`() throws {
    var scene = Scene()
    scene.diary.disconnected(because: "nothing has been heard for 3 s", wall: scene.room.wall)
    scene.room.second += 12
    scene.diary.connected(runID: 1, wall: scene.room.wall)
    scene.pass {
      $0.lost += 100; $0.concealed += 100
    }
    scene.pass(6)
    #expect(scene.diary.incidents.map(\.kind) == [.link, .loss])
    let link = try #require(scene.diary.incidents.first)
    #expect(link.cause == "the control link broke: nothing has been heard for 3 s")
    #expect(link.repair == "connected again after 12.0 s")
    #expect(scene.diary.incidents.last?.effect == "2000 ms covered up or silent")
    #expect(scene.diary.incidents.last?.seconds == 13)
  }

  @Test func `a program that began anew counts from zero and says so`() throws {
    var scene = Scene()
    scene.pass { $0.lost = 900 }
    scene.diary.disconnected(because: "the connection was closed", wall: scene.room.wall)
    scene.diary.connected(runID: 2, wall: scene.room.wall)
    scene.pass(9) { $0.lost = 7 }
    #expect(scene.diary.incidents.map(\.kind) == [.loss, .link])
    #expect(scene.diary.incidents.first?.ended != nil)
    #expect(scene.diary.incidents.last?.cause.hasSuffix("the speaker's program began anew") == true)
    #expect(scene.diary.incidents.last?.effect == "silence until the program was back")
  }

  @Test func `a clock that is lost is told from its loss to its return`() throws {
    var scene = Scene()
    scene.pass(2) { $0.clockBound = nil }
    scene.pass { $0.clockBound = .microseconds(50) }
    let incident = try #require(scene.diary.incidents.first)
    #expect(incident.kind == .clock)
    #expect(incident.seconds == 3)
    #expect(incident.repair == "clock found again after 3.0 s")
  }

  @Test func `a room that never had a clock has not lost it`() {
    var scene = Scene()
    scene.diary = RoomDiary()
    scene.pass(5) { $0.clockBound = nil }
    #expect(scene.diary.incidents.isEmpty)
  }

  @Test
  func `a second speaker with the identity is told while it tries, and as over when it is gone`()
    throws
  {
    var scene = Scene()
    for _ in 0..<3 {
      scene.diary.refusedTwin("A and B are alike", at: scene.room.now, wall: scene.room.wall)
      scene.pass(5)
    }
    #expect(scene.diary.warning == "a second speaker was refused: A and B are alike")
    #expect(scene.diary.incidents.count == 1)
    #expect(scene.diary.incidents.first?.effect == "none: the one that was there plays on")
    scene.pass(16)
    #expect(scene.diary.warning == nil)
    #expect(scene.diary.incidents.first?.seconds == 10)
  }

  @Test func `after an hour it is forgotten, and never are there too many`() {
    var scene = Scene()
    for _ in 0..<300 {
      scene.pass { $0.lost += 1 }
      scene.pass(9)
    }
    #expect(scene.diary.incidents.count == RoomDiary.capacity)
    #expect(scene.diary.incidents.last?.id == 300)
    scene.pass(3_700)
    #expect(scene.diary.incidents.isEmpty)
  }
}
