// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg
import Testing

@testable import MediaDecoding

@Suite struct ChannelMixTests {
  @Test func `one channel goes to both sides unchanged`() {
    #expect(ChannelMix(layout(of: 1)).matrix == [1, 1])
  }

  @Test func `stereo stays as it is`() {
    #expect(ChannelMix(layout(of: 2)).matrix == [1, 0, 0, 1])
  }

  @Test func `5_1 is folded as BS 775 says, without clipping`() {
    let mix = ChannelMix(layout(of: 6))
    let minus3dB = 0.5.squareRoot()
    let scale = 1 / (1 + 2 * minus3dB)
    let expected = [1, 0, minus3dB, 0, minus3dB, 0].map { $0 * scale }
    #expect(zip(mix.left, expected).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(mix.right == [0, 1, 2, 3, 5, 4].map { mix.left[[1, 0, 2, 3, 4, 5][$0]] })
  }

  @Test(arguments: 1...CInt(16))
  func `no number of channels can exceed full scale, and none is lost`(count: CInt) {
    let mix = ChannelMix(layout(of: count))
    #expect(mix.left.count == Int(count))
    #expect(mix.left.reduce(0, +) <= 1 + 1e-12)
    #expect(mix.right.reduce(0, +) <= 1 + 1e-12)
    let silent = zip(mix.left, mix.right).filter { $0 + $1 == 0 }
    // Only the low-frequency effects are left out.
    #expect(silent.count <= 2)
  }

  private func layout(of count: CInt) -> AVChannelLayout {
    var layout = AVChannelLayout()
    av_channel_layout_default(&layout, count)
    return layout
  }
}
