// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AvahiDiscovery
internal import Glibc
internal import Synchronization

/// What a look at the network has shown.
struct HouseSearch: Equatable {
  /// A coordinator that announces itself.
  struct House: Equatable {
    /// The house's name.
    var name: String
    /// The coordinator's identity; empty when it announces none.
    var id: String
    /// `nas.local`.
    var host: String
    /// A literal address, IPv6 in brackets.
    var address: String
    var port: UInt16
    var isOnThisHost: Bool
  }

  /// Each once, sorted by name.
  var houses: [House] = []
  /// Why the network could not be looked at; nil when it could.
  var problem: String?

  /// How long to look, in ms. A coordinator that is there has announced itself, and Avahi answers from
  /// its memory in tens of ms; one that Avahi must ask for answers within a second.
  static let patienceMilliseconds = 1_500
  /// How long to look on once one was found, in ms: others answer the same question.
  static let graceMilliseconds = 500

  /// Looks for coordinators.
  static func run() -> HouseSearch {
    let seen = SeenHouses()
    let client: AvahiClient
    do {
      client = try AvahiClient(browsing: ["_tutti._tcp"]) { seen.take($0) }
    } catch {
      return HouseSearch(problem: "\(error)")
    }
    defer { withExtendedLifetime(client) {} }
    var left = patienceMilliseconds
    while left > 0, seen.current.problem == nil {
      if !seen.current.houses.isEmpty { left = min(left, graceMilliseconds) }
      poll(nil, 0, 20)
      left -= 20
    }
    return seen.current
  }
}

/// Takes in events on Avahi's thread, is asked on another.
private final class SeenHouses: Sendable {
  private let search = Mutex(HouseSearch())

  var current: HouseSearch { search.withLock { $0 } }

  func take(_ event: DiscoveryEvent) {
    search.withLock { search in
      switch event {
      case .unavailable(let reason): search.problem = reason
      case .found(let service): search.add(HouseSearch.House(service))
      default: break
      }
    }
  }
}

extension HouseSearch {
  /// Takes in a house; the same one by another interface or family is no news.
  mutating func add(_ house: House) {
    let key = { (house: House) in house.id.isEmpty ? house.name : house.id }
    if let index = houses.firstIndex(where: { key($0) == key(house) }) {
      // IPv4 is easier to read and to type.
      if houses[index].address.hasPrefix("["), !house.address.hasPrefix("[") {
        houses[index] = house
      }
    } else {
      houses.append(house)
    }
    houses.sort { ($0.name, $0.id) < ($1.name, $1.id) }
  }
}

extension HouseSearch.House {
  init(_ service: DiscoveredService) {
    self.init(
      name: service.instance.name, id: service.text["id"] ?? "", host: service.host,
      address: service.address.contains(":") ? "[\(service.address)]" : service.address,
      port: service.port, isOnThisHost: service.isOnThisHost)
  }
}
