// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import SecureLink
import Testing

/// A directory of its own that goes away with the test.
final class ScratchDirectory {
  let path: String

  init() {
    var template = Array("/tmp/tutti-identity-XXXXXX".utf8CString)
    path =
      mkdtemp(&template) == nil
      ? "" : String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
  }

  deinit {
    for name in ["node.key", "node.key.new"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var keyPath: String { "\(path)/\(NodeIdentity.fileName)" }

  func write(_ text: String, mode: mode_t = 0o600) {
    let file = open(keyPath, O_WRONLY | O_CREAT | O_TRUNC, mode)
    Glibc.write(file, text, text.utf8.count)
    fchmod(file, mode)
    close(file)
  }
}

@Suite struct NodeIdentityTests {
  @Test func `identity is made once and kept`() throws {
    let directory = ScratchDirectory()
    let first = try NodeIdentity.loadOrCreate(in: directory.path)
    #expect(first.id.count == 32)
    #expect(first.hexadecimal.count == 64)
    #expect(first.hexadecimal.hasPrefix(first.shortForm) && first.shortForm.count == 8)
    #expect(try NodeIdentity.loadOrCreate(in: directory.path) == first)
  }

  @Test func `two nodes differ`() throws {
    let (one, other) = (ScratchDirectory(), ScratchDirectory())
    let first = try NodeIdentity.loadOrCreate(in: one.path)
    #expect(try NodeIdentity.loadOrCreate(in: other.path).id != first.id)
  }

  @Test func `only the owner may read the key`() throws {
    let directory = ScratchDirectory()
    let old = umask(0)
    defer { umask(old) }
    _ = try NodeIdentity.loadOrCreate(in: directory.path)
    var status = stat()
    #expect(stat(directory.keyPath, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    chmod(directory.keyPath, 0o644)
    let error = #expect(throws: IdentityError.self) {
      try NodeIdentity.loadOrCreate(in: directory.path)
    }
    #expect(error?.description.contains("chmod 600 \(directory.keyPath)") == true)
  }

  /// Made with `openssl genpkey`; the digest is that of `openssl pkey -pubout -outform DER`.
  @Test func `identity is the digest of the public key's DER form`() throws {
    let directory = ScratchDirectory()
    directory.write(
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIP5ne0rKYafUgUz14dTHBU1xbGz1rzdz/GrajslgTuQP
      -----END PRIVATE KEY-----

      """)
    let identity = try NodeIdentity.loadOrCreate(in: directory.path)
    #expect(
      identity.hexadecimal == "8efa8358c16e416872a2416ce1184fe00de64cb7f8b281c87d22c7443e4876f5")
  }

  @Test(arguments: ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func `a damaged key is refused, not replaced`(content: String) throws {
    let directory = ScratchDirectory()
    directory.write(content)
    for _ in 0..<2 {
      let error = #expect(throws: IdentityError.self) {
        try NodeIdentity.loadOrCreate(in: directory.path)
      }
      #expect(error?.description.contains(directory.keyPath) == true)
    }
  }

  @Test func `a directory that is not there is named`() {
    let error = #expect(throws: IdentityError.self) {
      try NodeIdentity.loadOrCreate(in: "/nonexistent")
    }
    #expect(error?.description.contains("/nonexistent/node.key") == true)
  }
}
