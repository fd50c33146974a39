// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AvahiDiscovery
import Dispatch
import Synchronization

/// Keeps the events of a client and lets a test wait for the one it expects.
final class EventRecorder: Sendable {
  private let events = Mutex<[DiscoveryEvent]>([])
  /// All events ever, taken or not.
  private let history = Mutex<[DiscoveryEvent]>([])
  private let arrived = DispatchSemaphore(value: 0)

  /// Hand this to a client.
  func record(_ event: DiscoveryEvent) {
    events.withLock { $0.append(event) }
    history.withLock { $0.append(event) }
    arrived.signal()
  }

  /// The first event that `matches`, which is taken out together with all before it; nil when none
  /// comes in time. Publishing alone takes a second (three probes), so be patient.
  func next(_ matches: (DiscoveryEvent) -> Bool) -> DiscoveryEvent? {
    let deadline = DispatchTime.now() + .seconds(20)
    while true {
      let found = events.withLock { events -> DiscoveryEvent? in
        guard let index = events.firstIndex(where: matches) else { return nil }
        defer { events.removeFirst(index + 1) }
        return events[index]
      }
      if let found { return found }
      guard arrived.wait(timeout: deadline) == .success else { return nil }
    }
  }

  /// What is here and was not taken.
  var remaining: [DiscoveryEvent] { events.withLock { $0 } }

  func nextName() -> String? {
    guard case .published(_, let name) = next({ if case .published = $0 { true } else { false } })
    else { return nil }
    return name
  }

  /// Waits until a service of ours has had `name`, be it before or after what was taken last.
  func waitUntilPublished(as name: String) -> Bool {
    let isThat: @Sendable (DiscoveryEvent) -> Bool = {
      if case .published(_, name: name) = $0 { true } else { false }
    }
    return history.withLock { $0.contains(where: isThat) } || next(isThat) != nil
  }

  func nextFound(_ name: String) -> DiscoveredService? {
    let event = next {
      if case .found(let service) = $0 { service.instance.name == name } else { false }
    }
    guard case .found(let service) = event else { return nil }
    return service
  }

  func waitUntilLost(_ name: String) -> Bool {
    next { if case .lost(let instance) = $0 { instance.name == name } else { false } } != nil
  }

  func waitUntilAvailable() -> Bool { next { $0 == .available } != nil }

  func reasonOfAbsence() -> String? {
    let event = next { if case .unavailable = $0 { true } else { false } }
    guard case .unavailable(let reason) = event else { return nil }
    return reason
  }
}
