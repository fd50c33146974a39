// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import CoordinatorRuntime

@Suite struct MountTableTests {
  private let table = MountTable(
    """
    /dev/sda1 / ext4 rw,relatime 0 0
    proc /proc proc rw 0 0
    nas:/music /srv/my\\040music nfs4 rw,vers=4.2 0 0
    //nas/share /srv/share cifs rw 0 0
    tmpfs /srv/share/inner tmpfs rw 0 0
    odd
    """)

  @Test(arguments: [
    ("/srv/my music/a.flac", "nfs4", true), ("/srv/my music", "nfs4", true),
    ("/srv/my musicals", "ext4", false),
    ("/srv/share/x", "cifs", true), ("/srv/share/inner/x", "tmpfs", false), ("/", "ext4", false),
  ])
  func `a path lies on the deepest file system above it`(
    path: String, type: String, isNetwork: Bool
  ) {
    let mount = table.mount(of: path)
    #expect(mount?.type == type)
    #expect(mount?.isNetwork == isNetwork)
  }

  @Test func `no table is no mount`() { #expect(MountTable("").mount(of: "/x") == nil) }
}
