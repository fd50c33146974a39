// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// Tells systemd about the daemon's state; does nothing when systemd did not ask.
public enum ServiceNotifier {
  /// The daemon serves from now on.
  ///
  /// - Parameter status: One line for `systemctl status`.
  public static func ready(status: String) { notify("READY=1\nSTATUS=\(status)") }

  /// The daemon is going down in good order.
  public static func stopping() { notify("STOPPING=1") }

  private static func notify(_ state: String) {
    guard let socket = Environment.value("NOTIFY_SOCKET") else { return }
    // Nobody is there to tell when systemd itself does not answer.
    _ = tutti_notify(socket, state)
  }
}
