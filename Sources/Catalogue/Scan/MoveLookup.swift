// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Finds known files by what they keep when they move: size and time, with the inode or the name.
///
/// Size and time are asked for with the inode too, because inodes are used again. The time counts
/// without its mark: a song that leaves its folder leaves the folder's picture.
struct MoveLookup: Sendable {
  private struct Place: Hashable, Sendable {
    var size, modified: Int64
    var inode: UInt64
  }
  private struct Print: Hashable, Sendable {
    var size, modified: Int64
    var name: PathDigest
  }

  /// The first known file of each kind; the others (hard links, copies) follow in the chains.
  private var byInode: [Place: Int32] = [:]
  private var byPrint: [Print: Int32] = [:]
  private var nextByInode: [Int32]
  private var nextByPrint: [Int32]

  init(_ known: [ScanPlan.Known]) {
    byInode.reserveCapacity(known.count)
    byPrint.reserveCapacity(known.count)
    nextByInode = Array(repeating: -1, count: known.count)
    nextByPrint = nextByInode
    for index in known.indices.reversed() {
      let file = known[index]
      let place = place(file.stamp)
      nextByInode[index] = byInode.updateValue(Int32(index), forKey: place) ?? -1
      let print = print(file.stamp, file.name)
      nextByPrint[index] = byPrint.updateValue(Int32(index), forKey: print) ?? -1
    }
  }

  /// Whether a found file looks like a known one.
  func knows(_ stamp: FileStamp, _ name: PathDigest) -> Bool {
    byInode[place(stamp)] != nil
      || byPrint[print(stamp, name)] != nil
  }

  /// The known files with its size, time and inode, on whatever disk.
  func sameInode(_ stamp: FileStamp) -> [Int] { follow(byInode[place(stamp)], nextByInode) }

  /// The known files with its size, time and name, on whatever disk.
  func sameName(_ stamp: FileStamp, _ name: PathDigest) -> [Int] {
    follow(byPrint[print(stamp, name)], nextByPrint)
  }

  private func follow(_ first: Int32?, _ chain: [Int32]) -> [Int] {
    var found: [Int] = []
    var next = first ?? -1
    while next >= 0 {
      found.append(Int(next))
      next = chain[Int(next)]
    }
    return found
  }

  private func place(_ stamp: FileStamp) -> Place {
    Place(size: stamp.size, modified: stamp.coarselyModified, inode: stamp.inode)
  }

  private func print(_ stamp: FileStamp, _ name: PathDigest) -> Print {
    Print(size: stamp.size, modified: stamp.coarselyModified, name: name)
  }
}
