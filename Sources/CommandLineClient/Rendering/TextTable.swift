// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A table whose columns are as wide as what stands in them.
///
/// What does not fit the terminal is left out from the right, column by column: half a figure is
/// worse than none.
struct TextTable {
  let head: [String]
  var rows: [[String]] = []
  /// How a cell looks, by row (without the head) and column.
  var paint: (_ row: Int, _ column: Int) -> Ink.Paint = { _, _ in .plain }
  var ink = Ink()

  init(head: [String]) { self.head = head }

  /// The lines, each at most `columns` wide.
  func lines(columns: Int) -> [String] {
    let all = ([head] + rows).map { $0.map(DisplayWidth.printable) }
    let widths = head.indices.map { column in
      all.map { DisplayWidth.columns($0[column]) }.max() ?? 0
    }
    let shown = fitting(widths, columns)
    return all.enumerated().map { row, cells in
      var left = columns
      var line = ""
      for column in 0..<shown {
        let isLast = column == shown - 1
        let text = DisplayWidth.prefix(cells[column], max(0, left))
        let width = DisplayWidth.columns(text)
        line += row == 0 ? text : ink.paint(text, paint(row - 1, column))
        left -= width
        guard !isLast else { break }
        let gap = min(max(0, left), widths[column] - width + 2)
        line += String(repeating: " ", count: gap)
        left -= gap
      }
      return line
    }
  }

  /// How many columns there is room for; the last may be narrower than its widest cell when it is
  /// words, but only the first is ever cut.
  private func fitting(_ widths: [Int], _ columns: Int) -> Int {
    var used = 0
    for (column, width) in widths.enumerated() {
      used += width + (column == 0 ? 0 : 2)
      if used > columns { return max(1, column) }
    }
    return widths.count
  }
}
