// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import AvahiDiscovery
internal import CommandLineOptions
internal import ControlAPI
internal import LinuxNetworking

extension Coordinator {
  /// What the coordinator knows of itself without touching a disk; the folders are still to be looked at.
  func diagnosis() -> DiagnosisDocument {
    var zeroconf = zeroconf
    zeroconf.isUsed = configuration.usesZeroconf
    zeroconf.speakersFound = found.count
    return DiagnosisDocument(
      version: tuttiVersion, uptimeSeconds: (LocalClock.now() - started).inSeconds.rounded(),
      port: Int(player.port),
      playoutDelayMilliseconds: configuration.playoutDelay.inMilliseconds,
      configuredSpeakers: configuration.speakers.count, zeroconf: zeroconf, musicFolders: [],
      stateFolder: FolderDocument(path: ""), uploadBytes: 0,
      uploadCapacityBytes: configuration.spoolBytes, isRealtime: false)
  }

  /// Keeps what Avahi told for whoever asks.
  func noteZeroconf(_ event: DiscoveryEvent) {
    switch event {
    case .available: (zeroconf.isAvailable, zeroconf.problem) = (true, nil)
    case .unavailable(let reason):
      (zeroconf.isAvailable, zeroconf.problem, zeroconf.announcedName) = (false, reason, nil)
    case .published(_, let name): (zeroconf.announcedName, zeroconf.problem) = (name, nil)
    case .publishingFailed(_, let reason):
      (zeroconf.announcedName, zeroconf.problem) = (nil, reason)
    case .found, .lost: break
    }
  }
}
