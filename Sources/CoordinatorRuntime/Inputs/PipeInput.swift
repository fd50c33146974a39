// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
import Glibc
internal import LinuxNetworking
internal import LiveInput
internal import Synchronization

// A live input lives as long as the coordinator. Its thread reads the pipe whether or not anybody listens,
// because a source must be held up neither then (a phone would say "disconnected") nor let race on:
//
//   pipe ──► input thread ──► LiveStream (while it is played) ──► LiveSource.next, the reader of a line
//                      └────► IdleDrain (else): thrown away, a second of sound a second
//
// The thread waits for octets only while it may take some; what it may not take waits in the pipe, and
// the source with it.

/// Reads a named pipe for ever, on a thread of its own.
final class PipeInput: Sendable {
  /// Octets taken at once: a whole pipe as Linux makes it.
  private static let chunk = 65_536
  /// A pipe that has gone is looked for so often.
  private static let lookAgain = Nanoseconds.seconds(1)
  private static let token: UInt64 = 1

  /// What the thread and the listener share.
  private struct State: ~Copyable {
    /// While somebody listens.
    var stream: LiveStream?
    /// Counts listeners: only the newest is given sound.
    var listener = 0
    var drain: IdleDrain
    /// Whether the thread waits until there is room.
    var isHeldUp = false
    var isStopped = false
  }

  let configuration: InputConfiguration
  private let log: Log
  private let poller: Poller
  private let state: Mutex<State>

  /// Opens the pipe and starts the thread.
  ///
  /// - Throws: `ProcessError`, `NetworkError` when the pipe cannot be had.
  init(_ configuration: InputConfiguration, log: Log) throws {
    self.configuration = configuration
    self.log = log.named("input")
    poller = try Poller()
    state = Mutex(State(drain: IdleDrain(rate: configuration.rate)))
    let pipe = try NamedPipe(path: configuration.path)
    let carrier = Mutex<NamedPipe?>(pipe)
    _ = try NamedThread(
      "input", urgency: .realTime(priority: TrackReader.livePriority), log: log
    ) { [self] in
      var pipe: NamedPipe? = nil
      carrier.withLock { swap(&$0, &pipe) }
      if let pipe { run(pipe) }
    }
  }

  /// Ends the thread.
  func stop() {
    state.withLock { $0.isStopped = true }
    poller.wake()
  }

  // MARK: The listener's side

  /// Somebody listens from now on, to what comes from now on; who listened before hears nothing more.
  ///
  /// - Parameter block: Frames that are read at once.
  /// - Returns: A number for `read`.
  func listen(block: Int) -> Int {
    let number = state.withLock { state -> Int in
      state.stream = LiveStream(rate: configuration.rate, block: block)
      state.listener += 1
      return state.listener
    }
    poller.wake()
    return number
  }

  /// Nobody listens any more.
  func leave(_ listener: Int) {
    state.withLock { state in
      guard state.listener == listener else { return }
      state.stream = nil
    }
    poller.wake()
  }

  /// Makes the next block.
  ///
  /// - Parameters:
  ///   - listener: Who asks.
  ///   - moment: When it is due.
  ///   - block: Is overwritten.
  /// - Returns: Whether the listener is still the one.
  func read(_ listener: Int, at moment: LocalInstant, into block: inout [Float]) -> Bool {
    let (isCurrent, mayGoOn) = state.withLock { state -> (Bool, Bool) in
      guard state.listener == listener, state.stream != nil else { return (false, false) }
      state.stream?.next(at: moment, into: &block)
      return (true, state.isHeldUp)
    }
    if mayGoOn { poller.wake() }
    return isCurrent
  }

  // MARK: The thread

  private func run(_ pipe: consuming NamedPipe) {
    var frames = FrameAssembler()
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var isWatched = false
    var hasHungUp = false
    var retryAt: LocalInstant?
    while !state.withLock({ $0.isStopped }) {
      let now = LocalClock.now()
      if let moment = retryAt, now >= moment { retryAt = restore(&pipe, &isWatched) }
      let appetite = retryAt == nil ? room(at: now) : 0
      watch(pipe, appetite > 0, &isWatched)
      if appetite > 0 {
        switch pipe.read(into: &buffer, limit: appetite * FrameAssembler.bytesPerFrame) {
        case .bytes(let count):
          take(buffer[..<count], &frames)
          continue
        case .empty: break
        case .noWriter:
          frames.forget()
          if hasHungUp {
            hasHungUp = false
            retryAt = restore(&pipe, &isWatched)
            continue
          }
        case .failed(let code):
          log.error("\(pipe.path) cannot be read: \(systemErrorText(code))", kind: "read")
          retryAt = now + Self.lookAgain
        }
      }
      poller.wait(until: retryAt ?? idleDeadline(appetite, at: now)) { event in
        if event.isFailed { hasHungUp = true }
      }
    }
    if isWatched { poller.remove(pipe.descriptor) }
  }

  /// Source frames that may be taken.
  private func room(at now: LocalInstant) -> Int {
    state.withLock { state in
      let room = state.stream == nil ? state.drain.appetite(at: now) : state.stream?.appetite ?? 0
      state.isHeldUp = room <= 0
      return room
    }
  }

  /// When there is room again although nobody says so.
  private func idleDeadline(_ appetite: Int, at now: LocalInstant) -> LocalInstant? {
    guard appetite <= 0, state.withLock({ $0.stream == nil }) else { return nil }
    return now + .milliseconds(100)
  }

  private func take(_ bytes: ArraySlice<UInt8>, _ assembler: inout FrameAssembler) {
    var frames: [Float] = []
    assembler.take(bytes, into: &frames)
    let now = LocalClock.now()
    state.withLock { state in
      if state.stream == nil {
        state.drain.took(frames: frames.count / 2)
      } else {
        state.stream?.deliver(frames.span, at: now)
      }
    }
  }

  private func watch(_ pipe: borrowing NamedPipe, _ wanted: Bool, _ isWatched: inout Bool) {
    guard wanted != isWatched else { return }
    if wanted {
      do throws(NetworkError) {
        try poller.add(pipe.descriptor, for: .readable, token: Self.token)
        isWatched = true
      } catch {
        log.error("\(error)", kind: "watch")
      }
    } else {
      poller.remove(pipe.descriptor)
      isWatched = false
    }
  }

  /// After the last writer has gone: an end that can be waited for again.
  ///
  /// - Returns: When to try again; nil when all is well.
  private func restore(_ pipe: inout NamedPipe, _ isWatched: inout Bool) -> LocalInstant? {
    watch(pipe, false, &isWatched)
    do throws(ProcessError) {
      close(try pipe.reopen())
      return nil
    } catch {
      log.error("\(error)", kind: "reopen")
      return LocalClock.now() + Self.lookAgain
    }
  }
}
