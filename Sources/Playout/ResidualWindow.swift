// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// What a window of readings says of the lower edge of the residuals (DACModel):
//
//   brackets   the pointer was seen to move between two readings that are microseconds apart: the edge
//              lies between them, whatever the size of the step
//   without    the smallest residual less its distance to the second smallest (Robson and Whitlock
//              1964): unbiased where readings are evenly dense above the edge
//
// An edge that comes late itself (a pointer moved by an interrupt that was held up) is seen by any
// reading below it; then the lowest reading counts.

/// The residuals of one window: all that is kept of them, in seconds.
struct ResidualWindow: Sendable {
  /// Where the edge lies, how far that may be off, and when it was so in card seconds.
  struct Edge: Sendable {
    var residual: Double
    var noise: Double
    var at: Double
  }

  private(set) var begin = 0.0
  private(set) var count = 0
  private var smallest = 0.0
  private var smallestAt = 0.0
  private var second = Double.infinity
  private var largest = 0.0
  private var uncertainty = 0.0
  private var bracket: Edge?

  /// From the lowest to the highest residual.
  var spread: Double { largest - smallest }

  /// Whether the pointer was seen to move.
  var isBracketed: Bool { bracket != nil }

  /// Where the lower edge probably is.
  var edge: Edge {
    if let bracket {
      guard smallest < bracket.residual - bracket.noise else { return bracket }
      return Edge(residual: smallest, noise: bracket.residual - smallest, at: smallestAt)
    }
    let residual = count > 1 ? smallest - (second - smallest) : smallest
    return Edge(
      residual: residual, noise: 1.5 * spread / Double(max(1, count)) + uncertainty, at: smallestAt)
  }

  /// Takes in a reading.
  mutating func add(_ residual: Double, at cardTime: Double, uncertainty: Double) {
    if count == 0 { begin = cardTime }
    if count == 0 || residual < smallest {
      second = count == 0 ? .infinity : smallest
      smallest = residual
      smallestAt = cardTime
      self.uncertainty = uncertainty
    } else {
      second = min(second, residual)
    }
    largest = count == 0 ? residual : max(largest, residual)
    count += 1
  }

  /// Takes in that the edge lies within `half` of `residual`.
  mutating func addBracket(_ residual: Double, half: Double, at cardTime: Double) {
    if let bracket {
      let isEarlier = residual + half < bracket.residual - bracket.noise
      let isNarrower = half < bracket.noise && residual - half < bracket.residual + bracket.noise
      guard isEarlier || isNarrower else { return }
    }
    bracket = Edge(residual: residual, noise: half, at: cardTime)
  }
}
