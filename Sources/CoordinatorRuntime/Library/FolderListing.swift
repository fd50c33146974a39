// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Catalogue
internal import DaemonProcess
internal import DecoderProtocol

/// What a scan sees in one folder. Names and paths are `PathText`s.
struct FolderListing {
  /// A file of the folder.
  struct File: Equatable {
    var name: String
    var stamp: FileStamp
  }

  /// The folder.
  var path: String
  /// The file system it lies on, and its number there.
  var device: UInt64 = 0
  var inode: UInt64 = 0
  /// Whether there is nothing in it at all, not even a hidden name.
  var isEmpty = true
  /// Sound, in the order of the names.
  var music: [File] = []
  /// Lists of songs and stations, in the order of the names.
  var playlists: [File] = []
  /// The folder's picture.
  var picture: File?
  /// Lyrics by the song's name without its ending.
  var lyrics: [String: File] = [:]
  /// Folders in it, in the order of the names, hidden ones left out.
  var folders: [String] = []
  /// Links, in the order of the names.
  var links: [String] = []

  /// The folder cannot be read.
  struct Failure: Error {
    var reason: String
    /// It is not there at all.
    var isAbsent: Bool
  }

  /// Reads a folder and looks at the files that matter; blocks on the disk.
  ///
  /// FIFOs, sockets and devices are not even looked at.
  ///
  /// - Parameter path: The folder; a link is refused.
  /// - Throws: `Failure` when it cannot be read to its end.
  init(reading path: String) throws(Failure) {
    self.path = path
    var code: Int32 = 0
    guard let folder = tutti_folder_open(CPath.of(path), &code) else { throw Self.failure(code) }
    defer { tutti_folder_close(folder) }
    var facts = tutti_file_facts()
    guard tutti_folder_facts(folder, "", &facts) == 0 else { throw Self.failure(Self.inputError) }
    (device, inode) = (facts.device, facts.inode)
    var names: [Name] = []
    var kind: UInt32 = 0
    while let name = tutti_folder_next(folder, &kind, &code) {
      names.append(Name(bytes: String.bytes(name), kind: kind))
    }
    guard code == 0 else { throw Self.failure(code) }
    isEmpty = names.isEmpty
    names.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for name in names { take(name, in: folder) }
  }

  /// EIO and ENOENT; Glibc's import would bring its own `stat` along.
  private static let inputError: Int32 = 5
  private static let noEntry: Int32 = 2

  private static func failure(_ code: Int32) -> Failure {
    Failure(
      reason: "the folder cannot be read: \(systemErrorText(code))", isAbsent: code == noEntry)
  }

  /// A name as the folder has it.
  private struct Name {
    var bytes: [UInt8]
    var kind: UInt32
  }

  private mutating func take(_ name: Name, in folder: OpaquePointer) {
    let text = PathText.text(ofBytes: name.bytes)
    let isHidden = name.bytes.first == UInt8(ascii: ".")
    switch name.kind {
    case UInt32(tutti_entry_folder): if !isHidden { folders.append(text) }
    case UInt32(tutti_entry_link): if !isHidden { links.append(text) }
    case UInt32(tutti_entry_file), UInt32(tutti_entry_unknown):
      look(at: text, name, in: folder)
    default: break
    }
  }

  private mutating func look(at text: String, _ name: Name, in folder: OpaquePointer) {
    let role = FileRole(name: text)
    let isUnknown = name.kind == UInt32(tutti_entry_unknown)
    guard role != .other || isUnknown else { return }
    var facts = tutti_file_facts()
    // A file that has just been deleted is none.
    guard tutti_folder_facts(folder, name.bytes.map { CChar(bitPattern: $0) } + [0], &facts) == 0
    else { return }
    guard facts.kind == UInt32(tutti_entry_file) else {
      // A file system that does not say what its names are.
      if isUnknown { take(Name(bytes: name.bytes, kind: facts.kind), in: folder) }
      return
    }
    take(
      File(
        name: text,
        stamp: FileStamp(
          size: facts.size, modified: facts.modified_ns, device: facts.device, inode: facts.inode)),
      as: role)
  }

  private mutating func take(_ file: File, as role: FileRole) {
    switch role {
    case .music: music.append(file)
    case .playlist: playlists.append(file)
    case .lyrics: lyrics[String(FileRole.stem(file.name))] = file
    case .picture(let rank): if rank < pictureRank { (picture, pictureRank) = (file, rank) }
    case .folderMark: isMarkedEmpty = true
    case .other: break
    }
  }

  private var pictureRank = Int.max
  /// A `.nomedia` lies in it.
  private(set) var isMarkedEmpty = false

  /// A path in the folder.
  func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

  /// What counts as the stamp of a song: its own, its lyrics' and the folder's picture's.
  func stamp(of file: File) -> FileStamp {
    file.stamp.marked(with: [
      lyrics[String(FileRole.stem(file.name))]?.stamp, picture?.stamp,
    ])
  }
}

/// Paths as system calls take them.
enum CPath {
  /// The bytes of a `PathText` and a NUL.
  static func of(_ path: String) -> [CChar] {
    PathText.bytes(of: path).map { CChar(bitPattern: $0) } + [0]
  }
}
