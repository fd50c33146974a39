// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A table whose columns are as wide as what stands in them, cut to the terminal.
struct TextTable {
  let head: [String]
  var rows: [[String]] = []

  /// The lines, each at most `columns` wide.
  func lines(columns: Int) -> [String] {
    let all = [head] + rows
    let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.enumerated().map { index, cell in
        index == row.count - 1
          ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
      }
      return String(cells.joined(separator: "  ").prefix(columns))
    }
  }
}
