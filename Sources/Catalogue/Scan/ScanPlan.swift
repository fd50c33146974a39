// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// What a scan has to do: what the library knows, compared with what is on the disk.
//
//   know(…) for each known file ─► enter(folder) and meet(file) as the walk goes ─► conclude()
//
// A file that is met under its known name and with its known stamp is unchanged. One with another
// stamp is read again. One under an unknown name is read, unless a known file has its inode or its
// size, time and name: then it waits until the walk is over, for a known file has only moved when it
// is not at its old place any more.
//
// What was not met is *gone* only if we can be sure: the nearest folder above it was read to its end
// and lies on the disk that the file lay on. Else it is *missing*: an unplugged disk, a server that
// is down or an unreadable folder leaves no row behind that deserves to be deleted. A folder of music
// that is empty altogether is what an unmounted disk looks like when its mount point has the disk's
// number by chance: nothing is gone then either.
//
// A kernel may number the same disk anew. When more than half of the files that lay on disk D are met
// under their names and with their inodes, sizes and times on disk E, then E is D.
//
// Names are kept as 64-bit digests: 100,000 known files take about 8 MB while the scan runs.

/// Compares the files that are known with those that are found. Paths are `PathText`s.
public struct ScanPlan: Sendable {
  /// What to do with a file that was met.
  public enum Verdict: Sendable, Hashable {
    /// It is as it was read.
    case unchanged
    /// It is new or has changed.
    case read
    /// It may be a known file that has moved; `conclude` says.
    case wait
  }

  struct Known: Sendable {
    var id: Int64
    var stamp: FileStamp
    var folder: Int32
    var name: PathDigest
    var isMissing: Bool
    var isMet = false
  }

  struct Waiting: Sendable {
    var path: String
    var stamp: FileStamp
    var name: PathDigest
  }

  /// A disk that was met under another number than it had.
  struct Renumbering: Hashable, Sendable { var old, new: UInt64 }

  private let rereadsAll: Bool
  private(set) var known: [Known] = []
  /// Which known file a whole path is.
  private var places: [PathDigest: Int32] = [:]
  /// The folders of known files, by their number there.
  private(set) var folders: [String] = []
  private var folderNumbers: [PathDigest: Int32] = [:]
  var visits: [PathDigest: FolderVisit] = [:]
  var waiting: [Waiting] = []
  private var revived: [ScanConclusion.Move] = []
  var agreements: [Renumbering: Int] = [:]
  /// Made when the first unknown file is met: a scan that finds nothing new needs none.
  var lookup: MoveLookup?

  /// A plan that knows nothing yet.
  ///
  /// - Parameter rereadsAll: Whether unchanged files are read too.
  public init(rereadsAll: Bool = false) { self.rereadsAll = rereadsAll }

  /// Takes note of a file that the library has.
  ///
  /// - Parameters:
  ///   - id: Its row.
  ///   - path: Its absolute path.
  ///   - stamp: What it was when it was read.
  ///   - isMissing: Whether it was not there at the last scan.
  public mutating func know(id: Int64, path: String, stamp: FileStamp, isMissing: Bool = false) {
    let (folder, name) = Self.split(path)
    let number = folderNumber(folder)
    places[PathDigest(path)] = Int32(known.count)
    known.append(
      Known(
        id: id, stamp: stamp, folder: number, name: PathDigest(name), isMissing: isMissing))
  }

  /// A folder has been read from its beginning to its end.
  ///
  /// - Parameters:
  ///   - folder: Its absolute path.
  ///   - device: The file system it lies on.
  ///   - isEmpty: Whether there is nothing in it at all.
  ///   - isRoot: Whether it is one of the music folders.
  public mutating func enter(
    _ folder: String, device: UInt64, isEmpty: Bool = false, isRoot: Bool = false
  ) {
    visits[PathDigest(folder)] =
      isEmpty && isRoot ? .unsure : .read(device: device, isEmpty: isEmpty)
  }

  /// A folder is there, but cannot be read.
  ///
  /// - Parameter folder: Its absolute path.
  public mutating func fail(_ folder: String) { visits[PathDigest(folder)] = .unsure }

  /// A file has been found.
  ///
  /// - Parameters:
  ///   - path: Its absolute path.
  ///   - stamp: What it is now.
  /// - Returns: What to do with it.
  public mutating func meet(_ path: String, stamp: FileStamp) -> Verdict {
    guard let place = places[PathDigest(path)] else { return meetStranger(path, stamp) }
    let old = known[Int(place)]
    guard !old.isMet else { return .unchanged }
    known[Int(place)].isMet = true
    let isSame = old.stamp.agreesExceptDevice(with: stamp)
    if isSame, old.stamp.device != stamp.device {
      agreements[Renumbering(old: old.stamp.device, new: stamp.device), default: 0] += 1
    }
    guard isSame, !rereadsAll else { return .read }
    if old.isMissing || old.stamp.device != stamp.device {
      revived.append(.init(id: old.id, path: path, stamp: stamp))
    }
    return .unchanged
  }

  private mutating func meetStranger(_ path: String, _ stamp: FileStamp) -> Verdict {
    guard !known.isEmpty else { return .read }
    let name = PathDigest(Self.split(path).name)
    if lookup == nil { lookup = MoveLookup(known) }
    guard let lookup, lookup.knows(stamp, name) else { return .read }
    waiting.append(Waiting(path: path, stamp: stamp, name: name))
    return .wait
  }

  /// Whether a file that is not known to lie on any certain disk, a playlist, was deleted: the nearest
  /// folder above it was read, and is not empty as the place of an absent disk would be.
  ///
  /// - Parameter path: A file that was not met.
  /// - Returns: Whether it can be forgotten.
  public func isSurelyGone(_ path: String) -> Bool {
    guard case .read(_, let isEmpty)? = nearestVisit(Self.split(path).folder) else { return false }
    return !isEmpty
  }

  /// What became of the nearest folder above, beginning with the folder itself.
  func nearestVisit(_ folder: Substring) -> FolderVisit? {
    var folder = folder
    while true {
      if let visit = visits[PathDigest(folder)] { return visit }
      guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      folder = folder[..<slash]
    }
  }

  /// The walk is over: decides on everything that is still open.
  ///
  /// Not to be called when the walk was broken off, because what was not met then may well be there.
  ///
  /// - Returns: What has moved, what to read, and what was not met.
  public consuming func conclude() -> ScanConclusion {
    var conclusion = ScanConclusion(moved: revived)
    settle(&conclusion)
    return conclusion
  }

  mutating func markMet(_ place: Int) { known[place].isMet = true }

  private mutating func folderNumber(_ folder: Substring) -> Int32 {
    let digest = PathDigest(folder)
    if let number = folderNumbers[digest] { return number }
    let number = Int32(folders.count)
    folders.append(String(folder))
    folderNumbers[digest] = number
    return number
  }

  /// A path's folder and name. The folder of `/a` is empty, as digests of paths have it.
  static func split(_ path: String) -> (folder: Substring, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path[...]) }
    return (path[..<slash], path[path.utf8.index(after: slash)...])
  }
}
