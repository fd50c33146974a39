// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A moment of true time, in nanoseconds since the simulation began. No host can read it.
public struct TrueInstant: Sendable, Hashable, Comparable {
  /// Nanoseconds since the simulation began.
  public var nanoseconds: Int64

  /// The moment `nanoseconds` after the beginning.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The moment `seconds` after the beginning.
  public init(seconds: Double) { nanoseconds = Int64((seconds * 1e9).rounded()) }

  /// Seconds since the simulation began.
  public var inSeconds: Double { Double(nanoseconds) * 1e-9 }

  /// Whether `a` comes before `b`.
  public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The moment `seconds` later, rounded to a nanosecond.
  public func advanced(bySeconds seconds: Double) -> Self {
    Self(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }
}

/// What happens when: by deadline, and among equal deadlines by insertion.
///
/// A binary heap; a run of an hour has some ten million events.
public struct EventQueue {
  private struct Event {
    var at: TrueInstant
    var order: UInt64
    var action: () -> Void

    func precedes(_ other: Event) -> Bool {
      at == other.at ? order < other.order : at < other.at
    }
  }

  private var heap: [Event] = []
  private var inserted: UInt64 = 0

  /// A queue in which nothing happens.
  public init() {}

  /// When the next event is due; nil when there is none.
  public var next: TrueInstant? { heap.first?.at }

  /// Adds an event.
  public mutating func insert(at moment: TrueInstant, _ action: @escaping () -> Void) {
    heap.append(Event(at: moment, order: inserted, action: action))
    inserted += 1
    var child = heap.count - 1
    while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the next event.
  ///
  /// - Returns: Its moment and what it does; nil when there is none.
  public mutating func popFirst() -> (at: TrueInstant, action: () -> Void)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sink(from: 0)
    }
    return (first.at, first.action)
  }

  private mutating func sink(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

/// The clock on the wall of the simulation, and all that is going to happen.
///
/// One thread; a run depends on nothing but its seeds.
public final class VirtualWorld {
  /// The present.
  public private(set) var now = TrueInstant(nanoseconds: 0)
  private var queue = EventQueue()

  /// A world in which nothing has happened.
  public init() {}

  /// Lets `action` happen at `moment`, or at once if that has passed.
  public func schedule(at moment: TrueInstant, _ action: @escaping () -> Void) {
    queue.insert(at: max(moment, now), action)
  }

  /// Lets everything happen that is due before `end`; then it is `end`.
  public func run(until end: TrueInstant) {
    while let next = queue.next, next < end, let event = queue.popFirst() {
      now = event.at
      event.action()
    }
    now = max(now, end)
  }

  /// Lets `seconds` pass.
  public func run(seconds: Double) { run(until: now.advanced(bySeconds: seconds)) }
}
