// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Catalogue
internal import DaemonProcess
internal import DecoderProtocol

// inotify watches folders, not trees, so every folder of the library has a watch of its own (about 1 kB
// of kernel memory). A watch belongs to the folder itself: after a renaming the same number tells of
// the new place, which the walk through that place brings up to date.
//
// What another machine changes on a network drive is not told; such folders are not watched at all, and
// the scanner looks again from time to time.

/// Tells in which folders something has changed. Belongs to the scanner's thread.
struct FolderWatcher: ~Copyable {
  private let watcher: OpaquePointer?
  private var folders: [Int32: (path: String, round: Int)] = [:]
  /// Counts the walks through everything, to find watches of folders that are none of ours any more.
  private var round = 0
  private let roots: [String]
  /// The file systems that were met in this round.
  private var devices: Set<UInt64> = []
  /// Folders on network drives, with the file system's name, and why watching ended altogether.
  private(set) var unwatched: [String: String] = [:]
  private(set) var trouble: String?

  /// A watcher that watches nothing yet.
  ///
  /// - Parameter roots: The music folders.
  init(roots: [String]) {
    var code: Int32 = 0
    self.roots = roots
    watcher = tutti_watcher_create(&code)
    if watcher == nil { trouble = systemErrorText(code) }
  }

  deinit {
    if let watcher { tutti_watcher_free(watcher) }
  }

  /// Readable when something has changed; nil when this host cannot tell.
  var descriptor: Int32? { watcher.map(tutti_watcher_descriptor) }

  /// Whether changes in some folder will not be told.
  var isBlind: Bool { trouble != nil || !unwatched.isEmpty }

  /// How many folders are watched.
  var count: Int { folders.count }

  /// A walk through everything begins.
  mutating func beginRound() {
    round += 1
    unwatched = [:]
    if watcher != nil { trouble = nil }
    devices = []
  }

  /// A folder lies on this file system: is it one whose changes are told?
  mutating func met(_ device: UInt64, at folder: String) {
    guard devices.insert(device).inserted else { return }
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { text -> String? in
      guard let start = text.baseAddress, tutti_is_remote(CPath.of(folder), start) == 1 else {
        return nil
      }
      return String(cString: start)
    }
    if let name { unwatched[folder] = name }
  }

  /// A walk through everything is over: what it did not come by is not watched any more.
  mutating func endRound() {
    for (watch, folder) in folders where folder.round != round {
      if let watcher { tutti_watcher_remove(watcher, watch) }
      folders[watch] = nil
    }
  }

  /// Watches a folder from now on.
  mutating func watch(_ path: String) {
    guard let watcher, trouble == nil else { return }
    guard !unwatched.keys.contains(where: { $0 == path || FolderWalk.lies(path, in: $0) }) else {
      return
    }
    let watch = tutti_watcher_add(watcher, CPath.of(path))
    switch watch {
    case 0...: folders[watch] = (path, round)
    case -Self.noSpace:
      trouble = "the watches of this user are used up (fs.inotify.max_user_watches)"
    default: break
    }
  }

  /// ENOSPC.
  private static let noSpace: Int32 = 28

  /// Takes what has changed since the last call.
  ///
  /// - Returns: Where to look.
  mutating func takeChanges() -> ScanScope {
    var scope = ScanScope()
    guard let watcher else { return scope }
    var change = tutti_change()
    while tutti_watcher_next(watcher, &change) > 0 {
      if change.is_overflow != 0 {
        scope.addEverything()
        continue
      }
      guard let folder = folders[change.watch]?.path else { continue }
      let name = PathText.text(ofBytes: Self.name(of: change))
      note(change, name, in: folder, &scope)
    }
    return scope
  }

  private static func name(of change: tutti_change) -> [UInt8] {
    withUnsafeBytes(of: change.name) { Array($0.prefix { $0 != 0 }) }
  }

  private mutating func note(
    _ change: tutti_change, _ name: String, in folder: String, _ scope: inout ScanScope
  ) {
    let path = folder == "/" ? "/" + name : folder + "/" + name
    if change.is_gone != 0 {
      // The folder above tells where it went; above a music folder nobody does.
      if roots.contains(folder) { scope.addEverything() } else { folders[change.watch] = nil }
    } else if name.isEmpty {
      if roots.contains(folder) { scope.add(tree: folder) }
    } else if change.is_folder != 0, !name.utf8.starts(with: ".".utf8) {
      scope.add(folder: folder)
      scope.add(tree: path)
    } else if FileRole(name: name) == .folderMark {
      scope.add(tree: folder)
    } else if change.is_folder == 0, FileRole(name: name) != .other {
      scope.add(folder: folder)
    }
  }
}
