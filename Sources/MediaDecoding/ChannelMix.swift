// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CFFmpeg

/// How the channels of a source are folded to stereo.
///
/// The Lo/Ro downmix of ITU-R BS.775: centre and surrounds at -3 dB, no low-frequency effects. If
/// the sum could exceed full scale all of it is turned down, so a downmix never clips (5.1: by
/// 7.7 dB). One channel alone goes to both sides unchanged.
struct ChannelMix: Equatable {
  /// The gain of each source channel on the left.
  private(set) var left: [Double]
  /// The gain of each source channel on the right.
  private(set) var right: [Double]

  /// The mix for a source's layout. Channels without a known place are played from both sides.
  init(_ layout: AVChannelLayout) {
    var known = layout
    if layout.order == AV_CHANNEL_ORDER_UNSPEC {
      av_channel_layout_default(&known, layout.nb_channels)
    }
    let places = (0..<UInt32(max(layout.nb_channels, 1))).map {
      av_channel_layout_channel_from_index(&known, $0)
    }
    self.init(places)
  }

  /// The mix for channels at these places, in the order of the source.
  init(_ places: [AVChannel]) {
    guard places.count > 1 else {
      (left, right) = ([1], [1])
      return
    }
    let gains = places.map(Self.gains)
    let loudest = max(gains.reduce(0) { $0 + $1.0 }, gains.reduce(0) { $0 + $1.1 })
    let scale = loudest > 1 ? 1 / loudest : 1
    left = gains.map { $0.0 * scale }
    right = gains.map { $0.1 * scale }
  }

  /// Row by row, for `swr_set_matrix` with a stride of the channel count.
  var matrix: [Double] { left + right }

  private static func gains(_ place: AVChannel) -> (left: Double, right: Double) {
    let minus3dB = 0.5.squareRoot()
    return switch place {
    case AV_CHAN_FRONT_LEFT, AV_CHAN_STEREO_LEFT: (1, 0)
    case AV_CHAN_FRONT_RIGHT, AV_CHAN_STEREO_RIGHT: (0, 1)
    case AV_CHAN_FRONT_CENTER: (minus3dB, minus3dB)
    case AV_CHAN_LOW_FREQUENCY, AV_CHAN_LOW_FREQUENCY_2: (0, 0)
    case AV_CHAN_BACK_LEFT, AV_CHAN_SIDE_LEFT, AV_CHAN_FRONT_LEFT_OF_CENTER, AV_CHAN_WIDE_LEFT,
      AV_CHAN_TOP_FRONT_LEFT, AV_CHAN_TOP_BACK_LEFT:
      (minus3dB, 0)
    case AV_CHAN_BACK_RIGHT, AV_CHAN_SIDE_RIGHT, AV_CHAN_FRONT_RIGHT_OF_CENTER,
      AV_CHAN_WIDE_RIGHT, AV_CHAN_TOP_FRONT_RIGHT, AV_CHAN_TOP_BACK_RIGHT:
      (0, minus3dB)
    default: (0.5, 0.5)
    }
  }
}
