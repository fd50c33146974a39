// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Synchronization

/// A D-Bus and a real avahi-daemon of the test's own, started and stopped at will.
///
/// The daemon lives in a network namespace with nothing but `lo`, and a mount namespace for its
/// fixed path under /run, so it meets neither the host's network nor the host's daemon. libdbus
/// reads the bus's address once in a process: all tests share one path, one after the other.
final class PrivateZeroconf {
  private static let directory = "/tmp/tutti-zeroconf-\(getpid())"
  private var bus: Process?
  private var daemon: Process?

  /// Whether the programs are there and we may make namespaces.
  static let isPossible: Bool = {
    let programs = [
      "/usr/bin/dbus-daemon", "/usr/sbin/avahi-daemon", "/usr/bin/unshare", "/usr/sbin/ip",
      "/usr/bin/avahi-publish",
    ]
    return getuid() == 0 && programs.allSatisfy(FileManager.default.isExecutableFile(atPath:))
  }()

  init() throws {
    let directory = Self.directory
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(directory)/bus", 1)
    try Self.configuration(ofBus: "bus").write(
      toFile: "\(directory)/bus.conf", atomically: false, encoding: .utf8)
    try Self.configuration(ofHost: "testhouse", interface: "lo").write(
      toFile: "\(directory)/avahi.conf", atomically: false, encoding: .utf8)
  }

  deinit {
    stopDaemon()
    stopBus()
    try? FileManager.default.removeItem(atPath: Self.directory)
  }

  func startBus() throws {
    bus = try run(
      "/usr/bin/dbus-daemon", "--nofork", "--config-file=\(Self.directory)/bus.conf",
      "--print-address", waitingForOutput: true)
  }

  func startDaemon() throws {
    let script = """
      ip link set lo up && mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon \
      && exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f \(Self.directory)/avahi.conf
      """
    daemon = try run("/usr/bin/unshare", "--net", "--mount", "/bin/sh", "-c", script)
  }

  /// Starts the daemon with a second host on its network, on which another program has announced
  /// `name` already.
  func startDaemon(besideHostWith name: String, type: String) throws {
    let directory = Self.directory
    try Self.configuration(ofBus: "other-bus").write(
      toFile: "\(directory)/other-bus.conf", atomically: false, encoding: .utf8)
    try Self.configuration(ofHost: "otherhouse", interface: "far").write(
      toFile: "\(directory)/other.conf", atomically: false, encoding: .utf8)
    try Self.configuration(ofHost: "testhouse", interface: "near").write(
      toFile: "\(directory)/avahi.conf", atomically: false, encoding: .utf8)
    let other = """
      mount -t tmpfs none /run/avahi-daemon; until ip link set far up 2>/dev/null; do :; done
      ip address add 10.77.0.2/24 dev far
      export DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(directory)/other-bus
      dbus-daemon --fork --config-file=\(directory)/other-bus.conf
      avahi-daemon --daemonize --no-drop-root --no-chroot --no-rlimits -f \(directory)/other.conf
      exec avahi-publish -s '\(name)' \(type) 7799
      """
    let script = """
      ip link set lo up; mkdir -p /run/avahi-daemon; mount -t tmpfs none /run/avahi-daemon
      ip link add name near type veth peer name far
      ip address add 10.77.0.1/24 dev near; ip link set near up
      unshare --net --mount /bin/sh -c "\(other.replacing("\n", with: "; "))" &
      while ip link show far; do ip link set far netns $!; done
      exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f \(directory)/avahi.conf
      """
    daemon = try run(
      "/usr/bin/unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c",
      script)
  }

  func stopDaemon() { stop(&daemon) }

  func stopBus() {
    stop(&bus)
    unlink("\(Self.directory)/bus")
  }

  private func stop(_ process: inout Process?) {
    // Not SIGTERM: what Foundation starts inherits the blocked signals of a Dispatch thread.
    if let process { kill(process.processIdentifier, SIGKILL) }
    process?.waitUntilExit()
    process = nil
  }

  private func run(
    _ program: String, _ arguments: String..., waitingForOutput: Bool = false
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    if waitingForOutput { _ = output.fileHandleForReading.availableData }
    return process
  }

  private static func configuration(ofBus name: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>unix:path=\(directory)/\(name)</listen>
      <policy context="default">
        <allow user="*"/> <allow own="*"/>
        <allow send_destination="*"/> <allow receive_sender="*"/>
      </policy>
    </busconfig>
    """
  }

  private static func configuration(ofHost name: String, interface: String) -> String {
    """
    [server]
    host-name=\(name)
    allow-interfaces=\(interface)
    [publish]
    publish-hinfo=no
    publish-workstation=no
    """
  }
}
