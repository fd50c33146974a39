// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Which folders a scan looks into. Paths are absolute `PathText`s.
///
/// What is outside of the scope is not compared: it is neither read nor thought gone.
public struct ScanScope: Sendable, Hashable {
  /// Whether every music folder is looked into, to the ground.
  public private(set) var isEverything: Bool
  /// By digest, because two folders whose names only look the same are two.
  private var folderTexts: [PathDigest: String] = [:]
  private var treeTexts: [PathDigest: String] = [:]

  /// Where changes gather one by one, more than this many folders are as good as everything.
  public static let limit = 200

  /// Folders whose own files are looked at, in no order.
  public var folders: [String] { Array(folderTexts.values) }
  /// Folders that are looked into to the ground, in no order.
  public var trees: [String] { Array(treeTexts.values) }

  /// Nothing yet.
  public init() { isEverything = false }

  /// Every music folder.
  public static var everything: ScanScope {
    var scope = ScanScope()
    scope.addEverything()
    return scope
  }

  /// Whether there is nothing to look into.
  public var isEmpty: Bool { !isEverything && folderTexts.isEmpty && treeTexts.isEmpty }

  /// A file in the folder has changed.
  ///
  /// - Parameter path: The folder.
  public mutating func add(folder path: String) {
    guard !isEverything else { return }
    folderTexts[PathDigest(path)] = path
    keepBound()
  }

  /// A folder has come or gone.
  ///
  /// - Parameter path: The folder.
  public mutating func add(tree path: String) {
    guard !isEverything else { return }
    treeTexts[PathDigest(path)] = path
    keepBound()
  }

  /// Nobody knows what has changed.
  public mutating func addEverything() {
    isEverything = true
    folderTexts = [:]
    treeTexts = [:]
  }

  private mutating func keepBound() {
    if folderTexts.count + treeTexts.count > Self.limit { addEverything() }
  }

  /// Adds what another scope has.
  ///
  /// - Parameter other: The other scope.
  public mutating func add(_ other: ScanScope) {
    if other.isEverything { addEverything() }
    for folder in other.folders { add(folder: folder) }
    for tree in other.trees { add(tree: tree) }
  }

  /// Whether a file is looked at.
  ///
  /// - Parameter path: The file.
  /// - Returns: Whether its folder is within the scope.
  public func contains(_ path: String) -> Bool {
    if isEverything { return true }
    var folder = ScanPlan.split(path).folder
    if folderTexts[PathDigest(folder)] != nil { return true }
    guard !treeTexts.isEmpty else { return false }
    while !folder.isEmpty {
      if treeTexts[PathDigest(folder)] != nil { return true }
      guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
      folder = folder[..<slash]
    }
    return false
  }
}
