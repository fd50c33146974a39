// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync

/// A host, a coordinator and the network between them, in virtual time.
///
/// True time is the media clock's; the host's clock is off by an offset and a frequency that may
/// wander. Delays are in seconds, drawn anew for each packet.
struct VirtualPath {
  var random: SeededRandom
  /// How much faster the host's clock runs than the media clock, as a ratio.
  var hostError: Double
  /// Random walk of `hostError` per square root of a second.
  var wander = 0.0
  /// Growth of `hostError` per second.
  var ramp = 0.0
  var thereDelay: (inout SeededRandom) -> Double
  var backDelay: (inout SeededRandom) -> Double
  var clockID = ClockID(rawValue: 42)

  private(set) var local = LocalInstant(nanoseconds: 5_000_000_000_000)
  private(set) var media = MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
  /// Fractions of a nanosecond of local time that have not shown yet.
  private var rest = 0.0

  init(
    seed: UInt64, hostPPM: Double = 0,
    delay: @escaping (inout SeededRandom) -> Double
  ) {
    random = SeededRandom(seed: seed)
    hostError = hostPPM * 1e-6
    thereDelay = delay
    backDelay = delay
  }

  /// 100 us and up to 100 us of evenly distributed queueing.
  static func lan(_ random: inout SeededRandom) -> Double { 100e-6 + 100e-6 * random.unit() }

  /// 1 ms, an exponential tail of 1 ms, and now and then a sleep of up to 100 ms.
  static func wifi(_ random: inout SeededRandom) -> Double {
    let sleep = random.unit() < 0.02 ? 0.1 * random.unit() : 0
    return 1e-3 + 1e-3 * exponential(&random) + sleep
  }

  /// Exponentially distributed with mean 1 (von Neumann 1951: no logarithm needed).
  static func exponential(_ random: inout SeededRandom) -> Double {
    var whole = 0.0
    while true {
      let first = random.unit()
      var last = first
      var isEven = true
      while true {
        let next = random.unit()
        if next >= last { break }
        last = next
        isEven.toggle()
      }
      if isEven { return whole + first }
      whole += 1
    }
  }

  /// Lets `seconds` of true time pass.
  mutating func pass(_ seconds: Double) {
    var left = seconds
    while left > 0 {
      let part = min(left, 0.01)
      left -= part
      hostError +=
        ramp * part + wander * part.squareRoot() * (random.unit() - 0.5) * 12.0.squareRoot()
      media = media + Nanoseconds(seconds: part)
      rest += part * (1 + hostError) * 1e9
      let whole = rest.rounded(.down)
      local = local + Nanoseconds(Int64(whole))
      rest -= whole
    }
  }

  /// Sets the host's clock `seconds` forward.
  mutating func stepHost(_ seconds: Double) { local = local + Nanoseconds(seconds: seconds) }

  /// One exchange; true time passes.
  mutating func exchange() -> ClockExchange {
    let sent = local
    pass(thereDelay(&random))
    let received = media
    pass(10e-6)
    let transmitted = media
    pass(backDelay(&random))
    return ClockExchange(
      sent: sent, received: received, transmitted: transmitted, returned: local)
  }

  /// Serves a client for `seconds`; calls `check` after every exchange.
  mutating func serve(
    _ client: inout ClockClient, seconds: Double,
    check: (ClockClient, VirtualPath) -> Void = { _, _ in }
  ) {
    let end = media + Nanoseconds(seconds: seconds)
    while media < end {
      let wait = (client.nextDeadline - local).inSeconds
      if wait > 0 { pass(min(wait + 1e-9, (end - media).inSeconds + 1e-9)) }
      guard let stamp = client.requestDue(at: local) else { continue }
      client.sent(stamp, at: local)
      let exchange = exchange()
      client.receive(
        origin: stamp, received: exchange.received, transmitted: exchange.transmitted,
        clockID: clockID, at: exchange.returned)
      check(client, self)
    }
  }

  /// How far a map is from the truth now, in microseconds.
  func error(of map: ClockMap) -> Double { (map.media(at: local) - media).inMicroseconds }
}

/// The value that a share `part` of `values` does not exceed.
func percentile(_ part: Double, of values: [Double]) -> Double {
  let sorted = values.sorted()
  guard let last = sorted.last else { return .nan }
  let index = Int(part * Double(sorted.count))
  return index < sorted.count ? sorted[index] : last
}
