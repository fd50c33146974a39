// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import HTTPClient

/// Hands files to the coordinator: by path when it can open them, else by sending them along.
struct MediaDelivery {
  let house: HouseConnection
  let state: StateDocument
  let terminal: Terminal

  /// How the coordinator shall find an item.
  func reference(for item: MediaOperands.Item) throws(ClientFailure) -> MediaReference {
    switch item {
    case .url(let address): return .url(address)
    case .input(let name): return .input(name)
    case .library(let reference): return .library(reference)
    case .file(let path): return canBeOpenedThere(path) ? .path(path) : try sendAlong(path)
    }
  }

  /// The coordinator opens only files in its music folders, and shares our paths only when it is on
  /// this machine.
  private func canBeOpenedThere(_ path: String) -> Bool {
    guard case .unix = house.client.server else { return false }
    return state.coordinator.musicFolders.contains { folder in
      path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
  }

  private func sendAlong(_ path: String) throws(ClientFailure) -> MediaReference {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let bar = UploadBar(name: name, terminal: terminal)
    let document = try house.upload(file: path, name: name) { sent, total in
      bar.show(sent: sent, total: total)
    }
    bar.finish()
    return .upload(document.id)
  }
}

/// A line that fills while a file is sent; nothing where nobody watches.
final class UploadBar {
  private let name: String
  private let terminal: Terminal
  private var shownPercent = -1

  /// Smaller files are gone before a bar could be read.
  private static let worthShowing: Int64 = 4 << 20

  init(name: String, terminal: Terminal) {
    self.name = name
    self.terminal = terminal
  }

  func show(sent: Int64, total: Int64) {
    guard terminal.isInteractive, total > Self.worthShowing else { return }
    let percent = Int(sent * 100 / total)
    guard percent != shownPercent else { return }
    shownPercent = percent
    terminal.write(
      "\r\u{1B}[K" + Self.line(name, sent: sent, total: total, columns: terminal.columns))
  }

  /// `sending Waltz.flac [=====     ] 50 %`, one column short of the terminal's width: a full line would
  /// make some terminals begin a new one. The bar goes first when there is no room, then the name.
  static func line(_ name: String, sent: Int64, total: Int64, columns: Int) -> String {
    let fraction = total > 0 ? Double(sent) / Double(total) : 0
    let percent = "\(number(100 * min(1, max(0, fraction)), 0)) %"
    let room = columns - 1 - percent.count - 1
    let bar = room >= 60 ? ProgressBar(width: 30).text(fraction: fraction) + " " : ""
    let head = DisplayWidth.prefix(
      "sending " + DisplayWidth.printable(name), max(0, room - bar.count))
    return DisplayWidth.prefix(head + " " + bar + percent, max(1, columns - 1))
  }

  func finish() {
    if shownPercent >= 0 { terminal.write("\r\u{1B}[K") }
  }
}
