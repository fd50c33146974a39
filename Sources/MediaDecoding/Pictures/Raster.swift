// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A small picture in memory, row by row from above; a pixel is red, green, blue and alpha, in this
/// order in memory.
struct Raster {
  var width: Int
  var height: Int
  var pixels: [UInt32]

  /// Puts the picture upright.
  ///
  /// - Parameter orientation: 1 to 8 as in Exif (tag 0x0112): where the first row and column of the
  ///   stored picture belong. Anything else counts as 1.
  /// - Returns: The picture as it was meant.
  func upright(_ orientation: Int) -> Raster {
    guard (2...8).contains(orientation) else { return self }
    let isTurned = orientation >= 5
    let (newWidth, newHeight) = isTurned ? (height, width) : (width, height)
    var turned = Raster(width: newWidth, height: newHeight, pixels: [])
    turned.pixels.reserveCapacity(pixels.count)
    for row in 0..<newHeight {
      for column in 0..<newWidth {
        let (x, y) = isTurned ? (row, column) : (column, row)
        let isMirrored = [2, 3, 7, 8].contains(orientation)
        let isFlipped = [3, 4, 6, 7].contains(orientation)
        let (sourceX, sourceY) = (isMirrored ? width - 1 - x : x, isFlipped ? height - 1 - y : y)
        turned.pixels.append(pixels[sourceY * width + sourceX])
      }
    }
    return turned
  }

  /// The picture on white paper: without alpha.
  func onWhite() -> Raster {
    var opaque = self
    for index in pixels.indices {
      let pixel = pixels[index]
      let alpha = pixel >> 24
      guard alpha != 255 else { continue }
      opaque.pixels[index] = [0, 8, 16].reduce(0xFF00_0000) { sum, shift in
        let colour = pixel >> shift & 0xFF
        return sum | ((colour * alpha + 255 * (255 - alpha) + 127) / 255) << shift
      }
    }
    return opaque
  }
}
