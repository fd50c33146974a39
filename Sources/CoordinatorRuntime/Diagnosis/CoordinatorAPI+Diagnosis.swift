// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import DaemonProcess
internal import Glibc
internal import HTTPService

extension CoordinatorAPI {
  /// What only the coordinator knows of itself, with the folders as they are now.
  func diagnosis() async throws -> HTTPResponse {
    var document = await coordinator.diagnosis()
    let mounts = MountTable(textOfSystemFile("/proc/self/mounts"))
    document.musicFolders = coordinator.parts.folders.paths.map {
      FolderDocument(examining: $0, mode: R_OK, mounts: mounts)
    }
    // The spool is in the state folder.
    let path = spool.directory.split(separator: "/").dropLast().joined(separator: "/")
    document.stateFolder = FolderDocument(examining: "/" + path, mode: R_OK | W_OK, mounts: mounts)
    document.uploadBytes = spool.usedBytes
    document.isRealtime = realtimeThreads().contains("media")
    return try .document(document)
  }
}

/// The names of this process's threads that run before all ordinary work.
///
/// - Source: proc_pid_stat(5): field 41 is the policy, 1 is SCHED_FIFO; the name stands in parentheses.
private func realtimeThreads() -> [String] {
  let folder = "/proc/self/task"
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let thread = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let text = textOfSystemFile("\(folder)/\(thread)/stat")
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")") else { continue }
    // The field behind the name is the third.
    let fields = text[text.index(after: close)...].split(separator: " ")
    if fields.count > 38, fields[38] == "1" {
      names.append(String(text[text.index(after: open)..<close]))
    }
  }
  return names
}

/// A small file of the kernel's; empty when it is not there.
private func textOfSystemFile(_ path: String) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 16_384)
  // A megabyte of mounts is a host that has other problems.
  while bytes.count < 1 << 20 {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    bytes += buffer.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}
