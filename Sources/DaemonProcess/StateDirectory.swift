// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Glibc

/// A daemon's own directory, locked so that a second daemon on it refuses.
///
/// The lock is the kernel's (flock): it goes with the process, however that ends.
public final class StateDirectory: Sendable {
  /// The directory, absolute, without a slash at its end.
  public let path: String
  private let lock: Int32

  /// Opens the directory, makes it when missing (mode 0700), and locks it.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - program: Whose it is, for the message to a second one.
  /// - Throws: `ProcessError` when it cannot be made, written, or is in use.
  public init(path: String, program: String) throws(ProcessError) {
    var trimmed = Substring(path)
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    self.path = Self.absolute(String(trimmed))
    let made = tutti_make_directory(self.path)
    guard made == 0 else {
      throw ProcessError(
        "cannot make the state directory \(self.path)", code: -made,
        advice: "give one that \(program) may write with --state-dir")
    }
    let lockPath = "\(self.path)/lock"
    let result = tutti_lock_file(lockPath)
    guard result != -11 else {
      let holder = tutti_lock_holder(lockPath)
      let process = holder > 0 ? " (process \(holder))" : ""
      throw ProcessError(
        "the state directory \(self.path) is in use by another \(program)\(process)",
        advice: "stop that one, or give this one its own with --state-dir")
    }
    guard result >= 0 else {
      throw ProcessError(
        "cannot lock the state directory \(self.path)", code: -result,
        advice: "give one that \(program) may write with --state-dir")
    }
    lock = result
  }

  deinit { close(lock) }

  /// A relative path counts from where the program was started; messages and links name it for others.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }

  /// Where a daemon keeps its state: the flag, else systemd's, else the XDG place.
  ///
  /// - Parameters:
  ///   - flag: The value of `--state-dir`, if given.
  ///   - program: The daemon's name, the last part of the XDG path.
  /// - Returns: The path.
  /// - Throws: `ProcessError` when neither a flag nor a home directory is known.
  public static func resolve(flag: String?, program: String) throws(ProcessError) -> String {
    if let flag, !flag.isEmpty { return flag }
    if let given = Environment.value("STATE_DIRECTORY") {
      // systemd lists several with colons when a unit asks for several; ours is the first.
      return String(given.prefix { $0 != ":" })
    }
    if let state = Environment.value("XDG_STATE_HOME") { return "\(state)/\(program)" }
    guard let home = Environment.value("HOME") else {
      throw ProcessError(
        "\(program) does not know where to keep its state: HOME is not set",
        advice: "give a directory with --state-dir")
    }
    return "\(home)/.local/state/\(program)"
  }

  /// The path of a file in the directory.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - name: The file's name in the directory.
  ///   - limit: The most octets to take.
  /// - Returns: Its octets, or nil when there is none.
  /// - Throws: `ProcessError` when it is there and cannot be read.
  public func read(_ name: String, limit: Int = 65_536) throws(ProcessError) -> [UInt8]? {
    var result: Int64 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      result = tutti_read_file(path(of: name), buffer.baseAddress, UInt64(limit))
      count = max(0, Int(result))
    }
    if result == -2 { return nil }
    guard result >= 0 else {
      throw ProcessError("cannot read \(path(of: name))", code: Int32(-result))
    }
    return bytes
  }

  /// Replaces a file as a whole: after a power cut it holds the old octets or the new.
  ///
  /// - Parameters:
  ///   - name: The file's name in the directory.
  ///   - bytes: The new contents.
  ///   - mode: The permission bits of a new file.
  /// - Throws: `ProcessError` when the disk refuses.
  public func write(
    _ name: String, _ bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(ProcessError) {
    let result = tutti_write_file(path, name, bytes, UInt64(bytes.count), mode)
    guard result == 0 else {
      throw ProcessError("cannot write \(path(of: name))", code: -result)
    }
  }
}
