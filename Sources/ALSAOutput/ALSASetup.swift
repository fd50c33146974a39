// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CALSA

/// The steps from a name to a prepared handle; whatever fails, nothing stays open.
struct ALSAOpening {
  let handle: OpaquePointer
  let statusBuffer: OpaquePointer
  let configuration: ALSAConfiguration

  static func open(name: String, preferredRate: Int) throws(ALSAError) -> ALSAOpening {
    tutti_alsa_silence()
    // alsa-lib caches its configuration per process: without this a card plugged in later is
    // never found (alsa-lib manual, "Configuration files").
    snd_config_update_free_global()
    var opened: OpaquePointer?
    try check(
      snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK), "snd_pcm_open", name)
    guard let opened else {
      throw ALSAError(code: -19, operation: "snd_pcm_open", device: name)
    }
    do throws(ALSAError) {
      let configuration = try ALSAHardwareSetup(handle: opened, device: name).run(
        preferredRate: preferredRate)
      try ALSASoftwareSetup(handle: opened, device: name).run()
      var status: OpaquePointer?
      try check(snd_pcm_status_malloc(&status), "snd_pcm_status_malloc", name)
      guard let status else {
        throw ALSAError(code: -12, operation: "snd_pcm_status_malloc", device: name)
      }
      return ALSAOpening(handle: opened, statusBuffer: status, configuration: configuration)
    } catch {
      snd_pcm_close(opened)
      throw error
    }
  }
}

/// Negotiates rate, format and ring with a device.
struct ALSAHardwareSetup {
  let handle: OpaquePointer
  let device: String

  /// The ring asked for: four times the 40-50 ms kept in it, so that a late wake-up can catch up.
  static let bufferMicroseconds: UInt32 = 200_000
  /// The device's own wake-ups; we pace by our own timer, so this only bounds pointer granularity.
  static let periodMicroseconds: UInt32 = 10_000
  /// From best to worst: each step drops bits that the renderer must dither away.
  static let preference: [ALSASampleFormat] = [
    .float32, .signed32, .signed24, .signed24Packed, .signed16,
  ]

  func run(preferredRate: Int) throws(ALSAError) -> ALSAConfiguration {
    var allocated: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&allocated), "snd_pcm_hw_params_malloc", device)
    guard let hardware = allocated else {
      throw ALSAError(code: -12, operation: "snd_pcm_hw_params_malloc", device: device)
    }
    defer { snd_pcm_hw_params_free(hardware) }
    try check(snd_pcm_hw_params_any(handle, hardware), "snd_pcm_hw_params_any", device)
    try check(
      snd_pcm_hw_params_set_rate_resample(handle, hardware, 0), "set_rate_resample", device)
    try check(
      snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "set_access",
      device)
    try chooseChannels(hardware)
    let format = try chooseFormat(hardware)
    var rate = UInt32(preferredRate)
    try check(
      snd_pcm_hw_params_set_rate_near(handle, hardware, &rate, nil), "set_rate_near", device)
    var buffer = Self.bufferMicroseconds
    var period = Self.periodMicroseconds
    _ = snd_pcm_hw_params_set_period_time_near(handle, hardware, &period, nil)
    _ = snd_pcm_hw_params_set_buffer_time_near(handle, hardware, &buffer, nil)
    try check(snd_pcm_hw_params(handle, hardware), "snd_pcm_hw_params", device)
    return try readBack(hardware, format: format, rate: Int(rate))
  }

  private func chooseChannels(_ hardware: OpaquePointer) throws(ALSAError) {
    let code = snd_pcm_hw_params_set_channels(handle, hardware, 2)
    guard code < 0 else { return }
    var (least, most): (UInt32, UInt32) = (0, 0)
    _ = snd_pcm_hw_params_get_channels_min(hardware, &least)
    _ = snd_pcm_hw_params_get_channels_max(hardware, &most)
    let plays = least == most ? "\(least)" : "\(least) to \(most)"
    throw ALSAError(
      code: code, operation: "set_channels", device: device,
      need: "it plays \(plays) channels and two are needed")
  }

  private func chooseFormat(_ hardware: OpaquePointer) throws(ALSAError) -> ALSASampleFormat {
    for format in Self.preference
    where snd_pcm_hw_params_test_format(handle, hardware, format.code) == 0 {
      try check(
        snd_pcm_hw_params_set_format(handle, hardware, format.code), "set_format", device)
      return format
    }
    throw ALSAError(
      code: -22, operation: "set_format", device: device,
      need: "it takes no 16, 24 or 32 bit samples")
  }

  private func readBack(
    _ hardware: OpaquePointer, format: ALSASampleFormat, rate: Int
  ) throws(ALSAError) -> ALSAConfiguration {
    var bufferFrames: snd_pcm_uframes_t = 0
    var periodFrames: snd_pcm_uframes_t = 0
    try check(
      snd_pcm_hw_params_get_buffer_size(hardware, &bufferFrames), "get_buffer_size", device)
    _ = snd_pcm_hw_params_get_period_size(hardware, &periodFrames, nil)
    return ALSAConfiguration(
      rate: rate, format: format, channels: 2, bufferFrames: Int(bufferFrames),
      periodFrames: Int(periodFrames))
  }
}

/// Tells a device to start and stop only when told, and to stamp on CLOCK_MONOTONIC_RAW.
struct ALSASoftwareSetup {
  let handle: OpaquePointer
  let device: String

  func run() throws(ALSAError) {
    var allocated: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&allocated), "snd_pcm_sw_params_malloc", device)
    guard let software = allocated else {
      throw ALSAError(code: -12, operation: "snd_pcm_sw_params_malloc", device: device)
    }
    defer { snd_pcm_sw_params_free(software) }
    try check(
      snd_pcm_sw_params_current(handle, software), "snd_pcm_sw_params_current", device)
    var boundary: snd_pcm_uframes_t = 0
    try check(snd_pcm_sw_params_get_boundary(software, &boundary), "get_boundary", device)
    try check(
      snd_pcm_sw_params_set_start_threshold(handle, software, boundary), "set_start_threshold",
      device)
    // The next four are wishes: plug-ins that refuse them still work, by EPIPE and midpoints.
    _ = snd_pcm_sw_params_set_stop_threshold(handle, software, boundary)
    _ = snd_pcm_sw_params_set_silence_size(handle, software, boundary)
    _ = snd_pcm_sw_params_set_tstamp_mode(handle, software, SND_PCM_TSTAMP_ENABLE)
    _ = snd_pcm_sw_params_set_tstamp_type(
      handle, software, SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW)
    try check(snd_pcm_sw_params(handle, software), "snd_pcm_sw_params", device)
  }
}
