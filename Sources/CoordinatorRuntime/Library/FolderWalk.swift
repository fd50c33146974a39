// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Catalogue
internal import DecoderProtocol
internal import Glibc

// Links are never followed: what a link inside the music folders leads to is found at its own place if
// that is inside too, and nothing outside is anybody's business. So links cannot make loops; a folder
// that is mounted into itself could, and is passed over when it is met again.

/// Goes through the music folders, one folder at a time. Paths are absolute `PathText`s.
struct FolderWalk {
  /// A folder, or a name in it, that is left out, and why.
  struct Problem: Equatable {
    var path: String
    var reason: String
  }

  /// What the walk came upon.
  enum Step {
    case folder(FolderListing, root: String)
    /// A music folder is not there.
    case absentRoot(String)
  }

  /// Folders within folders that are gone into; music has no more than five.
  static let deepest = 64
  /// The longest path that Linux opens, in bytes with the NUL (PATH_MAX).
  static let longestPath = 4_096

  private struct Pending {
    var path: String
    var root: String
    var depth = 0
    var isTree = true
  }

  private struct Node: Hashable { var device, inode: UInt64 }

  private let roots: [String]
  private var pending: [Pending] = []
  private var visited: Set<Node> = []
  /// What was left out so far.
  private(set) var problems: [Problem] = []
  /// Folders that are there, but whose contents nobody knows.
  private(set) var unseen: [String] = []

  /// A walk through what is in the scope.
  ///
  /// - Parameters:
  ///   - roots: The music folders, with links followed, none within another.
  ///   - scope: What to look into.
  init(roots: [String], scope: ScanScope) {
    self.roots = roots
    if scope.isEverything {
      pending = roots.reversed().map { Pending(path: $0, root: $0) }
    } else {
      pending += scope.trees.compactMap { start(at: $0, isTree: true) }
      pending += scope.folders.compactMap { start(at: $0, isTree: false) }
    }
  }

  private func start(at path: String, isTree: Bool) -> Pending? {
    root(of: path).map { Pending(path: path, root: $0, isTree: isTree) }
  }

  private func root(of path: String) -> String? {
    roots.first { $0.utf8.elementsEqual(path.utf8) || Self.lies(path, in: $0) }
  }

  /// Whether a path lies below a folder, byte by byte.
  static func lies(_ path: String, in folder: String) -> Bool {
    let folder = folder.utf8.elementsEqual("/".utf8) ? "/" : folder + "/"
    return path.utf8.count > folder.utf8.count && path.utf8.starts(with: folder.utf8)
  }

  /// Reads the next folder; blocks on the disk.
  ///
  /// - Parameter willRead: Told the folder before it is read, so that a watch misses no change.
  /// - Returns: What was found; nil when everything has been seen.
  mutating func next(willRead: (String) -> Void) -> Step? {
    while let folder = pending.popLast() {
      willRead(folder.path)
      do throws(FolderListing.Failure) {
        let listing = try FolderListing(reading: folder.path)
        // Its own files only, and then once more with what is in it, is no loop.
        if folder.isTree {
          let node = Node(device: listing.device, inode: listing.inode)
          guard visited.insert(node).inserted else { continue }
          descend(into: listing, from: folder)
        }
        for link in listing.links { consider(link: listing.path(of: link), name: link) }
        return .folder(listing, root: folder.root)
      } catch {
        if let step = failed(folder, error) { return step }
      }
    }
    return nil
  }

  private mutating func failed(_ folder: Pending, _ error: FolderListing.Failure) -> Step? {
    let isRoot = folder.path == folder.root
    if isRoot {
      problems.append(
        Problem(
          path: folder.path,
          reason: error.isAbsent
            ? "the music folder is not there; its songs are kept as missing" : error.reason))
      return .absentRoot(folder.path)
    }
    // It went between its folder and itself, or a change brought us here.
    if error.isAbsent { return nil }
    leaveOut(folder.path, error.reason)
    return nil
  }

  private mutating func leaveOut(_ folder: String, _ reason: String) {
    unseen.append(folder)
    problems.append(Problem(path: folder, reason: reason))
  }

  private mutating func descend(into listing: FolderListing, from folder: Pending) {
    guard !listing.isMarkedEmpty else { return }
    for name in listing.folders.reversed() {
      let path = listing.path(of: name)
      let isTooLong = path.utf8.count + FolderWalk.longestName >= Self.longestPath
      guard folder.depth < Self.deepest, !isTooLong else {
        leaveOut(path, "the folder lies too deep within others")
        continue
      }
      pending.append(Pending(path: path, root: folder.root, depth: folder.depth + 1))
    }
  }

  /// A name and its slash (NAME_MAX).
  private static let longestName = 256

  private mutating func consider(link path: String, name: String) {
    guard let target = realpath(CPath.of(path), nil) else {
      if FileRole(name: name) == .music {
        problems.append(Problem(path: path, reason: "it is a link that leads nowhere"))
      }
      return
    }
    defer { free(target) }
    let real = PathText.text(ofBytes: String.bytes(target))
    guard root(of: real) == nil else { return }
    var facts = tutti_file_facts()
    guard tutti_path_facts(target, &facts) == 0 else { return }
    let isFolder = facts.kind == UInt32(tutti_entry_folder)
    guard isFolder || FileRole(name: name) == .music else { return }
    problems.append(
      Problem(
        path: path,
        reason: "it is a link that leads out of the music folders; "
          + "to have what is there, give the coordinator --music with its place"))
  }
}

extension String {
  /// The bytes of a C string.
  static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeBufferPointer(start: text, count: strlen(text))).map { UInt8(bitPattern: $0) }
  }
}
