// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue

/// Disks with files on them, some of which are mounted below the music folder `/music`.
struct VirtualDisks {
  struct File: Hashable {
    var path: String
    var stamp: FileStamp
  }

  struct Disk {
    /// Where it is mounted.
    var place: String
    var device: UInt64
    var isMounted = true
    /// Paths below `place`, with stamps.
    var files: [String: FileStamp] = [:]
  }

  /// The folder that holds all mount points; its own disk is always there.
  static let root = "/music"
  var disks: [Disk]
  private var lastInode: UInt64 = 100
  private var time: Int64 = 1_000
  private var lastDevice: UInt64 = 8

  init(disks count: Int) {
    disks = (0..<count).map { index in
      Disk(place: index == 0 ? Self.root : "\(Self.root)/disk\(index)", device: UInt64(index + 1))
    }
  }

  mutating func write(_ name: String, disk: Int) {
    time += 1
    lastInode += 1
    disks[disk].files[name] = FileStamp(
      size: 1_000 + time % 7, modified: time, device: disks[disk].device, inode: lastInode)
  }

  mutating func rename(_ name: String, to other: String, disk: Int) {
    guard let stamp = disks[disk].files.removeValue(forKey: name) else { return }
    disks[disk].files[other] = stamp
  }

  mutating func renumber(_ disk: Int) {
    lastDevice += 1
    disks[disk].device = lastDevice
    for name in disks[disk].files.keys { disks[disk].files[name]?.device = lastDevice }
  }

  /// Every file that can be seen.
  var files: [File] {
    (disks[0].isMounted ? disks : []).filter(\.isMounted).flatMap { disk in
      disk.files.map { File(path: "\(disk.place)/\($0.key)", stamp: $0.value) }
    }.sorted { $0.path < $1.path }
  }

  /// Walks through all folders as a scan does.
  func walk(_ plan: inout ScanPlan) -> [String: ScanPlan.Verdict] {
    guard disks[0].isMounted else {
      plan.enter(Self.root, device: 77, isEmpty: true, isRoot: true)
      return [:]
    }
    for disk in disks {
      // What is left of an unmounted disk is its mount point, a folder of the first disk.
      plan.enter(disk.place, device: disk.isMounted ? disk.device : disks[0].device)
      guard disk.isMounted else { continue }
      for name in disk.files.keys {
        var folder = name[...]
        while let slash = folder.lastIndex(of: "/") {
          folder = folder[..<slash]
          plan.enter("\(disk.place)/\(folder)", device: disk.device)
        }
      }
    }
    return Dictionary(
      uniqueKeysWithValues: files.map { ($0.path, plan.meet($0.path, stamp: $0.stamp)) })
  }
}

/// A library's rows, kept by what plans say.
struct VirtualRows {
  struct Row: Hashable {
    var path: String
    var stamp: FileStamp
    var isMissing = false
  }

  private(set) var rows: [Int64: Row] = [:]
  private var lastID: Int64 = 0

  mutating func scan(_ disks: VirtualDisks) -> ScanConclusion {
    var plan = ScanPlan()
    for (id, row) in rows.sorted(by: { $0.key < $1.key }) {
      plan.know(id: id, path: row.path, stamp: row.stamp, isMissing: row.isMissing)
    }
    let verdicts = disks.walk(&plan)
    let conclusion = plan.conclude()
    for id in conclusion.gone { rows[id] = nil }
    for id in conclusion.missing { rows[id]?.isMissing = true }
    for move in conclusion.moved { rows[move.id] = Row(path: move.path, stamp: move.stamp) }
    for file in disks.files where verdicts[file.path] == .read { read(file.path, file.stamp) }
    for file in conclusion.read { read(file.path, file.stamp) }
    return conclusion
  }

  private mutating func read(_ path: String, _ stamp: FileStamp) {
    let place = rows.first { $0.value.path == path }?.key
    lastID += 1
    rows[place ?? lastID] = Row(path: path, stamp: stamp)
  }

  var count: Int { rows.count }

  func id(of path: String) -> Int64? { rows.first { $0.value.path == path }?.key }
}
