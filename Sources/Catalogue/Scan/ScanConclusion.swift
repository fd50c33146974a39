// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a scan decided at its end.
public struct ScanConclusion: Sendable, Hashable {
  /// A known file at another place, or on a disk with another number, or back again.
  public struct Move: Sendable, Hashable {
    /// Its row, which stays.
    public var id: Int64
    /// Where it is now.
    public var path: String
    /// What it is now.
    public var stamp: FileStamp

    /// A known file with its place of now.
    public init(id: Int64, path: String, stamp: FileStamp) {
      (self.id, self.path, self.stamp) = (id, path, stamp)
    }
  }

  /// A file that has to be read after all.
  public struct Reading: Sendable, Hashable {
    /// Where it is.
    public var path: String
    /// What it is.
    public var stamp: FileStamp

    /// A file to read.
    public init(path: String, stamp: FileStamp) { (self.path, self.stamp) = (path, stamp) }
  }

  /// Known files that are elsewhere, or back.
  public var moved: [Move] = []
  /// Files to read now: new ones, and moved ones, whose folder has another picture. These keep their
  /// rows when they are moved first.
  public var read: [Reading] = []
  /// Rows whose files cannot be seen now and were seen at the scan before.
  public var missing: [Int64] = []
  /// Rows whose files were deleted.
  public var gone: [Int64] = []

  /// A conclusion in parts; nothing by default.
  public init(
    moved: [Move] = [], read: [Reading] = [], missing: [Int64] = [], gone: [Int64] = []
  ) {
    (self.moved, self.read, self.missing, self.gone) = (moved, read, missing, gone)
  }
}

/// What became of a folder in a walk.
enum FolderVisit: Sendable, Hashable {
  /// It was read to its end; it lies on this file system.
  case read(device: UInt64, isEmpty: Bool)
  /// It is there, but what is in it is not known.
  case unsure
}

extension ScanPlan {
  /// Decides on what waits and on what was not met.
  mutating func settle(_ conclusion: inout ScanConclusion) {
    let renumbered = renumberedDisks()
    for file in waiting {
      conclusion.read.append(.init(path: file.path, stamp: file.stamp))
      guard let place = origin(of: file, renumbered) else { continue }
      markMet(place)
      conclusion.moved.append(.init(id: known[place].id, path: file.path, stamp: file.stamp))
    }
    for file in known where !file.isMet {
      if isGone(file, renumbered) {
        conclusion.gone.append(file.id)
      } else if !file.isMissing {
        conclusion.missing.append(file.id)
      }
    }
  }

  /// Old numbers of disks with the new ones.
  private func renumberedDisks() -> [UInt64: UInt64] {
    var counts: [UInt64: Int] = [:]
    for file in known where agreements.keys.contains(where: { $0.old == file.stamp.device }) {
      counts[file.stamp.device, default: 0] += 1
    }
    var renumbered: [UInt64: UInt64] = [:]
    for (pair, agreed) in agreements where agreed * 2 > counts[pair.old, default: 0] {
      renumbered[pair.old] = pair.new
    }
    return renumbered
  }

  /// The known file that a waiting one is.
  private func origin(of file: Waiting, _ renumbered: [UInt64: UInt64]) -> Int? {
    guard let lookup else { return nil }
    let onSameDisk = lookup.sameInode(file.stamp).filter { place in
      let old = known[place].stamp.device
      return old == file.stamp.device || renumbered[old] == file.stamp.device
    }
    return (onSameDisk + lookup.sameName(file.stamp, file.name)).first { place in
      !known[place].isMet && isGone(known[place], renumbered)
    }
  }

  private func isGone(_ file: Known, _ renumbered: [UInt64: UInt64]) -> Bool {
    guard case .read(let device, _)? = nearestVisit(folders[Int(file.folder)][...]) else {
      return false
    }
    return device == file.stamp.device || device == renumbered[file.stamp.device]
  }
}
