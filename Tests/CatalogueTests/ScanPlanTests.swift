// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Testing

/// What a scan decides, file by file.
@Suite struct ScanPlanTests {
  static let stamp = FileStamp(size: 10, modified: 20, device: 1, inode: 30)

  private func plan(
    known: [(String, FileStamp)] = [("/m/a/x.mp3", stamp)], rereadsAll: Bool = false
  ) -> ScanPlan {
    var plan = ScanPlan(rereadsAll: rereadsAll)
    for (index, file) in known.enumerated() {
      plan.know(id: Int64(index + 1), path: file.0, stamp: file.1)
    }
    return plan
  }

  @Test func `a file as it was is not read again`() {
    var plan = plan()
    #expect(plan.meet("/m/a/x.mp3", stamp: Self.stamp) == .unchanged)
    #expect(plan.conclude() == ScanConclusion())
  }

  @Test(arguments: [\FileStamp.size, \.modified]) func `a changed file is read`(
    part: any WritableKeyPath<FileStamp, Int64> & Sendable
  ) {
    var changed = Self.stamp
    changed[keyPath: part] += 1
    var plan = plan()
    #expect(plan.meet("/m/a/x.mp3", stamp: changed) == .read)
    #expect(plan.conclude() == ScanConclusion())
  }

  @Test func `a file that another has replaced is read`() {
    var changed = Self.stamp
    changed.inode = 31
    var plan = plan()
    #expect(plan.meet("/m/a/x.mp3", stamp: changed) == .read)
  }

  @Test func `everything is read when asked for`() {
    var plan = plan(rereadsAll: true)
    #expect(plan.meet("/m/a/x.mp3", stamp: Self.stamp) == .read)
  }

  @Test func `a renamed file keeps its row`() {
    var plan = plan()
    plan.enter("/m/a", device: 1)
    #expect(plan.meet("/m/b/y.mp3", stamp: Self.stamp) == .wait)
    let conclusion = plan.conclude()
    #expect(conclusion.moved == [.init(id: 1, path: "/m/b/y.mp3", stamp: Self.stamp)])
    // The picture beside it is another one now.
    #expect(conclusion.read == [.init(path: "/m/b/y.mp3", stamp: Self.stamp)])
    #expect(conclusion.gone.isEmpty)
  }

  @Test func `a file moved to another disk keeps its row`() {
    var plan = plan()
    let copy = FileStamp(size: 10, modified: 20, device: 2, inode: 99)
    plan.enter("/m/a", device: 1)
    #expect(plan.meet("/n/x.mp3", stamp: copy) == .wait)
    #expect(plan.conclude().moved.map(\.id) == [1])
  }

  @Test func `a copy beside its original is a new file`() {
    var plan = plan()
    var copy = Self.stamp
    copy.inode = 31
    plan.enter("/m/a", device: 1)
    #expect(plan.meet("/m/b/x.mp3", stamp: copy) == .wait)
    #expect(plan.meet("/m/a/x.mp3", stamp: Self.stamp) == .unchanged)
    let conclusion = plan.conclude()
    #expect(conclusion.read.map(\.path) == ["/m/b/x.mp3"])
    #expect(conclusion.moved.isEmpty && conclusion.gone.isEmpty)
  }

  @Test func `an inode that is used again is another file`() {
    var plan = plan()
    plan.enter("/m/a", device: 1)
    let other = FileStamp(size: 11, modified: 25, device: 1, inode: 30)
    #expect(plan.meet("/m/a/z.mp3", stamp: other) == .read)
    #expect(plan.conclude() == ScanConclusion(gone: [1]))
  }

  @Test func `of two copies the one that went is the one that moved`() {
    var second = Self.stamp
    second.inode = 31
    var plan = plan(known: [("/m/a/x.mp3", Self.stamp), ("/m/b/x.mp3", second)])
    plan.enter("/m/a", device: 1)
    plan.enter("/m/b", device: 1)
    #expect(plan.meet("/m/a/x.mp3", stamp: Self.stamp) == .unchanged)
    let third = FileStamp(size: 10, modified: 20, device: 2, inode: 7)
    #expect(plan.meet("/n/x.mp3", stamp: third) == .wait)
    #expect(plan.conclude().moved.map(\.id) == [2])
  }

  @Test func `a deleted file is gone, also with its whole folder`() {
    var plan = plan(known: [("/m/a/x.mp3", Self.stamp), ("/m/b/c/y.mp3", Self.stamp)])
    plan.enter("/m", device: 1)
    plan.enter("/m/a", device: 1)
    #expect(plan.conclude().gone == [1, 2])
  }

  @Test func `nothing is gone where nobody could look`() {
    var unreadable = plan()
    unreadable.enter("/m", device: 1)
    unreadable.fail("/m/a")
    #expect(unreadable.conclude() == ScanConclusion(missing: [1]))
    #expect(plan().conclude() == ScanConclusion(missing: [1]))
  }

  @Test func `nothing is gone when a disk is away`() {
    var other = plan()
    other.enter("/m", device: 9)
    #expect(other.conclude() == ScanConclusion(missing: [1]))
    var empty = plan()
    empty.enter("/m", device: 1, isEmpty: true, isRoot: true)
    #expect(empty.conclude() == ScanConclusion(missing: [1]))
  }

  @Test func `a disk that comes back under another number has all its files`() {
    let files = (1...5).map { index in
      ("/m/\(index).mp3", FileStamp(size: 1, modified: 2, device: 1, inode: UInt64(index)))
    }
    var plan = plan(known: files)
    plan.enter("/m", device: 7)
    for (path, stamp) in files.prefix(3) {
      var now = stamp
      now.device = 7
      #expect(plan.meet(path, stamp: now) == .unchanged)
    }
    // Renamed while the disk was away; the fifth was deleted.
    let renamed = FileStamp(size: 1, modified: 2, device: 7, inode: 4)
    #expect(plan.meet("/m/new.mp3", stamp: renamed) == .wait)
    let conclusion = plan.conclude()
    #expect(conclusion.moved.map(\.id) == [1, 2, 3, 4])
    #expect(conclusion.moved.allSatisfy { $0.stamp.device == 7 })
    #expect(conclusion.gone == [5])
  }

  @Test func `a missing file that is back is said to be back`() {
    var plan = ScanPlan()
    plan.know(id: 4, path: "/m/x.mp3", stamp: Self.stamp, isMissing: true)
    #expect(plan.meet("/m/x.mp3", stamp: Self.stamp) == .unchanged)
    #expect(plan.conclude().moved == [.init(id: 4, path: "/m/x.mp3", stamp: Self.stamp)])
  }

  @Test func `names that only look the same are two files`() {
    var plan = plan(known: [("/m/caf\u{E9}.mp3", Self.stamp)])
    plan.enter("/m", device: 1)
    let other = FileStamp(size: 5, modified: 5, device: 1, inode: 5)
    #expect(plan.meet("/m/cafe\u{301}.mp3", stamp: other) == .read)
    #expect(plan.conclude().gone == [1])
  }
}
