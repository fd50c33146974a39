// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import House
import Testing

@Suite struct ListeningMemoryTests {
  private func heard(
    _ seconds: Int64, of path: String = "/book.m4b", isPlaying: Bool = true
  ) -> ListeningMemory.Heard {
    .init(path: path, milliseconds: seconds * 1_000, duration: 100_000, isPlaying: isPlaying)
  }

  private func listening(to song: Int64? = 7) -> ListeningMemory {
    var memory = ListeningMemory()
    #expect(memory.notice(heard(0)) == [.lookUp(path: "/book.m4b")])
    memory.learn(song, of: "/book.m4b")
    return memory
  }

  @Test func `the place is kept every ten seconds`() {
    var memory = listening()
    let kept = (0...35).map { memory.notice(heard($0)) }.filter { !$0.isEmpty }
    #expect(kept == [10, 20, 30].map { [.keep(song: 7, milliseconds: $0 * 1_000)] })
  }

  @Test func `a pause keeps the place, once`() {
    var memory = listening()
    #expect(memory.notice(heard(4)).isEmpty)
    #expect(memory.notice(heard(5, isPlaying: false)) == [.keep(song: 7, milliseconds: 5_000)])
    #expect(memory.notice(heard(5, isPlaying: false)).isEmpty)
  }

  @Test func `who seeks back is remembered there`() {
    var memory = listening()
    _ = memory.notice(heard(60))
    #expect(memory.notice(heard(20)) == [.keep(song: 7, milliseconds: 20_000)])
  }

  @Test func `at the end nothing is remembered`() {
    var memory = listening()
    _ = memory.notice(heard(80))
    #expect(memory.notice(heard(90)) == [.keep(song: 7, milliseconds: nil)])
    #expect(memory.notice(heard(91)).isEmpty)
    #expect(memory.notice(nil).isEmpty)
  }

  @Test func `another track leaves the place of the one before`() {
    var memory = listening()
    _ = memory.notice(heard(12))
    _ = memory.notice(heard(15))
    #expect(
      memory.notice(heard(0, of: "/next.mp3")) == [
        .keep(song: 7, milliseconds: 15_000), .lookUp(path: "/next.mp3"),
      ])
    // An answer that comes late is not the next one's.
    memory.learn(7, of: "/book.m4b")
    #expect(memory.notice(heard(50, of: "/next.mp3")).isEmpty)
  }

  @Test func `music is not remembered`() {
    var memory = listening(to: nil)
    #expect((0...99).allSatisfy { memory.notice(heard($0)).isEmpty })
    #expect(memory.notice(nil).isEmpty)
  }
}
