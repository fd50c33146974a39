// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// A house, what is played in it and what befalls it: all that a run depends on.
public struct HouseScenario: Sendable {
  /// What is special about a house; the figures of unlike houses are not to be mixed.
  public enum Kind: String, Sendable, CaseIterable {
    /// A wired network with up to 100 us of jitter.
    case wired
    /// A switch and nothing else: up to 20 us of jitter.
    case quiet
    /// Wi-Fi: a tail, power-save sleeps, loss, reordering, duplicates.
    case wireless
    /// Ways of unlike length in some rooms, which no exchange of stamps can show.
    case asymmetric
    /// Pointers that move by 1 frame to 10 ms, mixed.
    case coarse
    /// Hosts and cards that warm up by 20 ppm in five minutes.
    case warming
    /// 9 to 16 rooms.
    case large
    /// All of it mixed, and rooms that come and go, devices that lie, stalls, sleeps, outages.
    case awkward
  }

  /// One room.
  public struct Room: Sendable {
    /// What it is called.
    public var name: String
    /// What it is like.
    public var configuration: VirtualRoom.Configuration
    /// When it is switched on, in seconds.
    public var joins = 0.0
    /// When it is switched off; nil: never.
    public var leaves: Double?

    /// A room that is there from the beginning.
    public init(name: String, configuration: VirtualRoom.Configuration) {
      self.name = name
      self.configuration = configuration
    }
  }

  /// What happens at a moment.
  public struct Event: Sendable {
    /// In seconds.
    public var at: Double
    /// What.
    public var fault: HouseFault

    /// A fault at a moment.
    public init(at: Double, _ fault: HouseFault) {
      self.at = at
      self.fault = fault
    }
  }

  /// What is special about it.
  public var kind: Kind
  /// Draws all that is random in the run.
  public var seed: UInt64
  /// How long the run is.
  public var seconds: Double
  /// When the button is pressed.
  public var playsAt = 0.7
  /// How music is started.
  public var start = VirtualCoordinator.Start()
  /// The coordinator's oscillator.
  public var coordinator = VirtualCrystal.Error(ppm: 0)
  /// The media clock at the beginning.
  public var mediaClock = VirtualCoordinator.ordinaryDay
  /// The rooms.
  public var rooms: [Room] = []
  /// What befalls them.
  public var events: [Event] = []

  /// A house without rooms.
  public init(kind: Kind, seed: UInt64, seconds: Double) {
    self.kind = kind
    self.seed = seed
    self.seconds = seconds
    start.length = seconds
  }

  /// Lets every room compute its samples, or only positions.
  public func rendering(samples: Bool) -> Self {
    var other = self
    for index in other.rooms.indices { other.rooms[index].configuration.rendersSamples = samples }
    return other
  }
}

/// What can befall a house. Rooms are numbered as in the scenario.
public enum HouseFault: Sendable, Hashable {
  /// Both ways between a room and the coordinator are dead for so many seconds.
  case cut(room: Int, seconds: Double)
  /// The card stands still for so many seconds; if negative, it swallows as much.
  case stall(room: Int, seconds: Double)
  /// The card ends its run, and what it held is lost.
  case xrun(room: Int)
  /// The card is unplugged, or another program has it.
  case unplug(room: Int, seconds: Double)
  /// TCP from the coordinator vanishes without a word; UDP passes.
  case halfOpen(room: Int, seconds: Double)
  /// The room's host sleeps.
  case suspend(room: Int, seconds: Double)
  /// The room's program is killed and started anew so many seconds later.
  case restart(room: Int, seconds: Double)
  /// The coordinator is killed and comes back so many seconds later, perhaps with a new clock.
  case outage(seconds: Double, newClock: Bool)
  /// The coordinator stands still, and its clock goes on.
  case freeze(seconds: Double)
  /// The coordinator's host sleeps, and wakes with another clock.
  case sleep(seconds: Double)
  /// Another place of the music: a new generation.
  case seek
  /// Stop, and play again so many seconds later.
  case pause(seconds: Double)
}
