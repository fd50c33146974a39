// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The resampler's filter: a sinc under a Kaiser window, tabulated at 1,024 phases.
//
//     h(t) = c sinc(c t) K(t / (taps/2)),   t in media frames, c = cut-off / 24 kHz
//
// Row p holds the `taps` values for a position p/1024 of a frame past frame 0: tap j weighs frame
// j - (taps/2 - 1). Row 1024 exists, so that interpolating between rows needs no special case. Linear
// interpolation between rows errs by (omega/1024)^2/8: 4.6e-7 at 15 kHz, -129 dB. With c = 1 row 0 is
// a unit impulse: a whole position at unity step passes the music through untouched.
//
// Own sine and Bessel series: the target imports no libm, and this runs once at start.

/// Filter coefficients for one device rate. Allocated once; freed by the owner.
struct SincTable: BitwiseCopyable {
  /// Phases per frame.
  static var phases: Int { @_noLocks get { 1_024 } }
  /// Kaiser's beta: side lobes below -118 dB, stop band about -120 dB.
  private static var kaiserBeta: Double { @_noLocks get { 12 } }

  let taps: Int
  private let rows: UnsafeMutablePointer<Float>

  /// A table for a device of `rate` frames per second.
  ///
  /// At 48 kHz and above: 64 taps, cut-off 24 kHz. Below, the image of 48 kHz music would fold back:
  /// 96 taps and a cut-off just under the device's own Nyquist frequency.
  init(deviceRate rate: Int) {
    let nyquist = Double(rate) / 2
    taps = rate >= 48_000 ? 64 : 96
    // 21.6 kHz for 44.1 kHz: the middle of the window's transition band, of which the far end
    // aliases only onto what nobody hears.
    let cutOff = rate >= 48_000 ? 1 : nyquist * 0.98 / 24_000
    rows = .allocate(capacity: (Self.phases + 1) * taps)
    for phase in 0...Self.phases { fillRow(phase, cutOff: cutOff) }
  }

  /// Not real-time: runs when the audio thread has ended.
  func free() { rows.deallocate() }

  /// The first coefficient of `phase`; the next row follows directly.
  @_noLocks @inline(__always) func row(_ phase: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(rows + phase &* taps)
  }

  /// Not real-time: runs before the audio thread begins.
  private func fillRow(_ phase: Int, cutOff: Double) {
    let half = Double(taps / 2)
    let position = Double(phase) / Double(Self.phases)
    let row = rows + phase * taps
    var sum = 0.0
    for tap in 0..<taps {
      let t = Double(tap) - (half - 1) - position
      let value = cutOff * sinc(cutOff * t) * kaiser(t / half, beta: Self.kaiserBeta)
      row[tap] = Float(value)
      sum += value
    }
    // Every row passes 0 Hz at exactly unity: no ripple at the rate of the phases.
    for tap in 0..<taps { row[tap] = Float(Double(row[tap]) / sum) }
  }
}

/// sin(pi x) / (pi x).
@_noLocks func sinc(_ x: Double) -> Double {
  abs(x) < 1e-9 ? 1 : sineOfPi(times: x) / (.pi * x)
}

/// sin(pi x) to about 1e-16, exactly zero at whole numbers.
@_noLocks func sineOfPi(times x: Double) -> Double {
  let whole = Int64(x + (x < 0 ? -0.5 : 0.5))
  let angle = (x - Double(whole)) * .pi
  var term = angle
  var sum = angle
  // Terms of the Taylor series; |angle| <= pi/2, so the twelfth is below 1e-18.
  for k in 1...12 {
    term *= -angle * angle / Double(2 * k * (2 * k + 1))
    sum += term
  }
  return whole & 1 == 0 ? sum : -sum
}

/// The Kaiser window up to a constant factor, which the rows' normalisation takes out: 0 outside -1...1.
@_noLocks func kaiser(_ x: Double, beta: Double) -> Double {
  let inside = 1 - x * x
  return inside < 0 ? 0 : besselI0(ofSquare: beta * beta * inside)
}

/// The modified Bessel function I0(z) for z^2: its series needs no square root.
@_noLocks func besselI0(ofSquare square: Double) -> Double {
  var term = 1.0
  var sum = 1.0
  var k = 1.0
  // Until a term no longer matters: some 30 of them for z = 12.
  while term > sum * 0x1p-54 {
    term *= square / (4 * k * k)
    sum += term
    k += 1
  }
  return sum
}
