// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import LinuxNetworking
internal import Playout
internal import Synchronization

/// Where the network thread and the control thread meet.
final class NetworkDesk: Sendable {
  /// Commands waiting at once; a coordinator sends a few a second.
  static let commandLimit = 256

  let poller: Poller
  private let commands = Mutex<[NetworkCommand]>([])
  private let latest = Mutex(NetworkStatus())
  private let quitting = Mutex(false)

  init() throws(NetworkError) { poller = try Poller() }

  /// Hands a command over and wakes the network thread.
  func send(_ command: NetworkCommand) {
    commands.withLock { waiting in
      // Only a thread that hangs lets so many pile up; its memory stays bounded.
      if waiting.count >= Self.commandLimit { waiting.removeFirst() }
      waiting.append(command)
    }
    poller.wake()
  }

  /// The commands that wait, oldest first.
  func takeCommands() -> [NetworkCommand] {
    commands.withLock { waiting in
      defer { waiting.removeAll() }
      return waiting
    }
  }

  /// What the network thread last told.
  var status: NetworkStatus {
    get { latest.withLock { $0 } }
    set {
      latest.withLock { status in
        let unreported = status.delivery
        status = newValue
        status.delivery.merge(unreported)
      }
    }
  }

  /// The peaks since this was called last, for a report.
  func takeDelivery() -> DeliveryPeaks {
    latest.withLock { status in
      defer { status.delivery = DeliveryPeaks() }
      return status.delivery
    }
  }

  /// Ends the network thread.
  func quit() {
    quitting.withLock { $0 = true }
    poller.wake()
  }

  /// Whether the thread is to go on.
  var goesOn: Bool { quitting.withLock { !$0 } }
}
