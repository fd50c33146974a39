// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Glibc

/// What the process was started with.
public enum Environment {
  /// The value of an environment variable; nil when unset or empty.
  public static func value(_ name: String) -> String? {
    guard let text = getenv(name) else { return nil }
    let value = String(cString: text)
    return value.isEmpty ? nil : value
  }

  /// This host's name, such as `kitchen-pi`.
  public static var hostName: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
      guard let start = text.baseAddress, gethostname(start, 255) == 0 else { return "localhost" }
      start[255] = 0
      return String(cString: start)
    }
  }

  /// Octets from the kernel's random source.
  public static func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBufferPointer {
      tutti_random($0.baseAddress, UInt32($0.count))
    }
    precondition(result == 0, "the kernel gave no random numbers: \(systemErrorText(-result))")
    return bytes
  }
}
