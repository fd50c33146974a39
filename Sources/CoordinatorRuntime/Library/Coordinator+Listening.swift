// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DaemonProcess
internal import DecoderProtocol
internal import House
internal import LinuxNetworking
internal import MusicLibrary

/// Books and podcasts go on where listening stopped.
extension Coordinator {
  /// Once a second, and at the end.
  func rememberPlace() {
    for effect in listening.notice(heardFile()) {
      switch effect {
      case .lookUp(let path): lookUp(path)
      case .keep(let song, let milliseconds): keepPlace(song, milliseconds)
      }
    }
  }

  private func heardFile() -> ListeningMemory.Heard? {
    guard let item = transport.queue.currentItem, case .file(let path) = item.source,
      let frame = currentFrame()
    else { return nil }
    return ListeningMemory.Heard(
      path: path, milliseconds: Int64(Self.seconds(frame) * 1_000),
      duration: durationFrames(of: item).map { Int64(Self.seconds($0) * 1_000) },
      isPlaying: transport.state == .playing)
  }

  private func lookUp(_ path: String) {
    let library = parts.collection.library
    parts.disk.run { [weak self, loop] in
      let id = (try? library.files(at: [path]))?.first?.id
      let song = id.flatMap { try? library.songs(ids: [$0]).first }
      let remembered = song?.kind == .song ? nil : song?.id
      loop.schedule(at: LocalClock.now()) { [weak self] in
        self?.assumeIsolated { $0.listening.learn(remembered, of: path) }
      }
    }
  }

  private func keepPlace(_ song: Int64, _ milliseconds: Int64?) {
    let (library, log) = (parts.collection.library, log)
    parts.disk.run {
      do throws(LibraryError) {
        try library.setPosition(song: song, milliseconds: milliseconds.map { Int($0) })
      } catch {
        log.warning("the place in song \(song) cannot be kept: \(error)", kind: "listening")
      }
    }
  }
}
