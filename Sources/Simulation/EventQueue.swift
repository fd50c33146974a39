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
/// A heap of four children each, of plain numbers: an hour of four rooms has some seven million events,
/// and a heap of closures spent a third of the run on reference counts.
public struct EventQueue {
  private struct Entry {
    var at: Int64
    var order: UInt64
    /// Where the action lies.
    var slot: Int

    func precedes(_ other: Entry) -> Bool {
      at == other.at ? order < other.order : at < other.at
    }
  }

  private var heap: [Entry] = []
  private var actions: [(() -> Void)?] = []
  private var free: [Int] = []
  private var inserted: UInt64 = 0

  /// A queue in which nothing happens.
  public init() {}

  /// When the next event is due; nil when there is none.
  public var next: TrueInstant? { heap.first.map { TrueInstant(nanoseconds: $0.at) } }

  /// How many events are waiting.
  public var count: Int { heap.count }

  /// Adds an event.
  public mutating func insert(at moment: TrueInstant, _ action: @escaping () -> Void) {
    let entry = Entry(at: moment.nanoseconds, order: inserted, slot: store(action))
    inserted += 1
    heap.append(entry)
    rise(entry, from: heap.count - 1)
  }

  /// Takes out the next event.
  ///
  /// - Returns: Its moment and what it does; nil when there is none.
  public mutating func popFirst() -> (at: TrueInstant, action: () -> Void)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty { sink(last) }
    guard let action = actions[first.slot].take() else { return nil }
    free.append(first.slot)
    return (TrueInstant(nanoseconds: first.at), action)
  }

  /// Forgets all that was to happen.
  public mutating func removeAll() {
    heap = []
    actions = []
    free = []
  }

  private mutating func store(_ action: @escaping () -> Void) -> Int {
    guard let slot = free.popLast() else {
      actions.append(action)
      return actions.count - 1
    }
    actions[slot] = action
    return slot
  }

  /// Moves the hole at `start` up until `entry` fits into it.
  private mutating func rise(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0, entry.precedes(heap[(hole - 1) / 4]) {
      heap[hole] = heap[(hole - 1) / 4]
      hole = (hole - 1) / 4
    }
    heap[hole] = entry
  }

  /// Moves the hole at the top down until `entry` fits into it.
  private mutating func sink(_ entry: Entry) {
    var hole = 0
    while 4 * hole + 1 < heap.count {
      var least = 4 * hole + 1
      for child in least + 1..<max(least + 1, min(least + 4, heap.count))
      where heap[child].precedes(heap[least]) {
        least = child
      }
      guard heap[least].precedes(entry) else { break }
      heap[hole] = heap[least]
      hole = least
    }
    heap[hole] = entry
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

  /// Forgets all that was to happen: events hold rooms, and rooms hold their world.
  public func end() { queue.removeAll() }

  /// How many events are waiting.
  public var waiting: Int { queue.count }

  /// Lets `seconds` pass.
  public func run(seconds: Double) { run(until: now.advanced(bySeconds: seconds)) }
}
