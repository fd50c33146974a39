// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Testing

/// Long lives of made-up disks: written, renamed, deleted, unplugged, renumbered, scanned.
@Suite struct ScanPlanPropertyTests {
  @Test(arguments: UInt64(1)...40) func `rows follow the disks`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var disks = VirtualDisks(disks: 3)
    var rows = VirtualRows()
    for step in 0..<60 {
      let isRenumbered = change(&disks, step: step, using: &random)
      let before = rows
      let conclusion = rows.scan(disks)
      check(rows, disks)
      // Nothing that lies on a disk that is away, or was renumbered a moment ago, is thought deleted
      // unless most of that disk was seen.
      for id in conclusion.gone {
        let row = try #require(before.rows[id])
        #expect(!disks.files.contains { $0.path == row.path && $0.stamp == row.stamp })
        let disk = disks.disks.first { $0.device == row.stamp.device }
        if let disk, !isRenumbered { #expect(disk.isMounted) }
      }
    }
  }

  @Test(arguments: UInt64(1)...20) func `whatever is renamed keeps its row`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var disks = VirtualDisks(disks: 2)
    var rows = VirtualRows()
    for index in 0..<30 { disks.write("f\(index % 5)/\(index).mp3", disk: index % 2) }
    _ = rows.scan(disks)
    for step in 0..<20 {
      let disk = Int.random(in: 0...1, using: &random)
      let name = try #require(disks.disks[disk].files.keys.sorted().randomElement(using: &random))
      let place = disks.disks[disk].place
      let id = rows.id(of: "\(place)/\(name)")
      let other = "g\(step)/\(step).mp3"
      disks.rename(name, to: other, disk: disk)
      #expect(rows.scan(disks).gone.isEmpty)
      #expect(rows.id(of: "\(place)/\(other)") == id)
    }
    #expect(rows.count == 30)
  }

  /// Returns whether a disk got another number.
  private func change(
    _ disks: inout VirtualDisks, step: Int, using random: inout SeededRandom
  ) -> Bool {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let disk = Int.random(in: 0..<3, using: &random)
      let name = "f\(Int.random(in: 0..<4, using: &random))/\(step).mp3"
      let old = disks.disks[disk].files.keys.sorted().randomElement(using: &random)
      guard disks.disks[disk].isMounted else { continue }
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2: disks.write(name, disk: disk)
      case 3: if let old { disks.rename(old, to: name, disk: disk) }
      case 4: if let old { disks.disks[disk].files[old] = nil }
      default: if let old { disks.write(old, disk: disk) }
      }
    }
    let disk = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: disks.disks[disk].isMounted.toggle()
    case 1:
      disks.renumber(disk)
      return true
    default: break
    }
    return false
  }

  /// Everything that can be seen is there once, as it is; what cannot be seen is marked.
  private func check(_ rows: VirtualRows, _ disks: VirtualDisks) {
    let seen = Dictionary(uniqueKeysWithValues: disks.files.map { ($0.path, $0.stamp) })
    let present = rows.rows.values.filter { !$0.isMissing }
    #expect(present.count == seen.count)
    for row in present { #expect(seen[row.path] == row.stamp) }
  }
}
