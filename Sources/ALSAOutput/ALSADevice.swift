// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// One PCM, opened for playback that *we* pace.
//
// alsa-lib's defaults start and stop a device by how full it is. We need neither: the device is
// started once on a silence prefill and runs on; running dry is seen by us (delay < 0 or EPIPE).
// Writes never block: the device loop keeps 40-50 ms in the ring and sleeps on its own timer.
//
// alsa-lib's contract: one thread at a time per PCM handle. The type is ~Copyable, so whoever owns
// it is that thread.

internal import AudioTime
internal import CALSA
internal import CLinux

/// An open ALSA playback device, owned by the thread that feeds it.
public struct ALSADevice: ~Copyable {
  /// How it was opened.
  public let configuration: ALSAConfiguration
  /// The name it was opened by.
  public let name: String
  private let handle: OpaquePointer
  private let statusBuffer: OpaquePointer
  private var sandwich = StatusSandwich()

  /// Opens a device and leaves it prepared, silent and stopped.
  ///
  /// - Parameters:
  ///   - name: A PCM name, such as `default` or `hw:CARD=Device,DEV=0`.
  ///   - preferredRate: Frames per second to ask for; the nearest rate the device has is taken,
  ///     never alsa-lib's own resampler.
  /// - Throws: `ALSAError` naming the refused step. The caller may retry with back-off.
  public init(name: String, preferredRate: Int = 48_000) throws(ALSAError) {
    let opened = try ALSAOpening.open(name: name, preferredRate: preferredRate)
    self.name = name
    handle = opened.handle
    statusBuffer = opened.statusBuffer
    configuration = opened.configuration
  }

  deinit {
    snd_pcm_drop(handle)
    snd_pcm_close(handle)
    snd_pcm_status_free(statusBuffer)
  }

  /// Starts the device on what has been written.
  ///
  /// - Throws: `ALSAError`, for instance EPIPE when nothing was written.
  public func start() throws(ALSAError) {
    try check(snd_pcm_start(handle), "snd_pcm_start", name)
  }

  /// Drops what the device holds and makes it ready to be filled and started again.
  ///
  /// - Throws: `ALSAError` when the device is gone; open it anew then.
  public func restart() throws(ALSAError) {
    _ = snd_pcm_drop(handle)
    try check(snd_pcm_prepare(handle), "snd_pcm_prepare", name)
  }

  /// Writes interleaved frames in the device's format, as many as fit now.
  ///
  /// - Parameters:
  ///   - samples: `frames` frames of `configuration.format`.
  ///   - frames: How many frames are there.
  /// - Returns: How many frames were taken; 0 when the ring is full.
  /// - Throws: `ALSAError`: underrun, suspend, unplugged.
  public func write(_ samples: UnsafeRawPointer, frames: Int) throws(ALSAError) -> Int {
    let written = snd_pcm_writei(handle, samples, snd_pcm_uframes_t(frames))
    if written >= 0 { return Int(written) }
    let error = ALSAError(code: Int32(written), operation: "snd_pcm_writei", device: name)
    if error.wouldBlock { return 0 }
    throw error
  }

  /// Asks how much the device holds, with the moment that was so.
  ///
  /// - Returns: nil when the call took too long for its stamp to be worth anything.
  /// - Throws: `ALSAError` when the device is gone.
  public mutating func status() throws(ALSAError) -> ALSAStatus? {
    let before = tutti_monotonic_raw_ns()
    let code = snd_pcm_status(handle, statusBuffer)
    let after = tutti_monotonic_raw_ns()
    try check(code, "snd_pcm_status", name)
    var driverStamp = snd_htimestamp_t()
    snd_pcm_status_get_htstamp(statusBuffer, &driverStamp)
    let driver = Int64(driverStamp.tv_sec) &* 1_000_000_000 &+ Int64(driverStamp.tv_nsec)
    guard let taken = sandwich.accept(before: before, after: after, driver: driver) else {
      return nil
    }
    let state = snd_pcm_status_get_state(statusBuffer)
    return ALSAStatus(
      delayFrames: Int64(snd_pcm_status_get_delay(statusBuffer)), stamp: taken.stamp,
      uncertainty: taken.uncertainty,
      isStopped: state != SND_PCM_STATE_RUNNING && state != SND_PCM_STATE_PREPARED)
  }
}
