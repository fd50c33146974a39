// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House
internal import LinuxNetworking
internal import Synchronization
internal import WireProtocol

/// What the producer is told.
enum ProducerCommand: Sendable {
  case play(TrackRequest)
  case takeUp(TrackRequest, firstAudible: MediaFrame)
  case follow(Successor, after: ItemID?)
  case pause
  case resume
  case stop
  case serve([RoomDestination])
  /// What rooms told of their packets in the last second, by room.
  case heed([String: DeliveryReport])
  /// From the reader of the line with this number.
  case reader(ReaderReport, line: Int)
  case shutDown(fade: Nanoseconds)
}

/// What the media thread is told.
enum MediaCommand: Sendable {
  /// Send this generation from now on, and no other.
  case send(PacketGrid, PacketStore)
  /// The playout delay of that generation is another.
  case change(DelayRamp, of: SSRC)
  /// Send no audio.
  case silence
  case serve([RoomDestination])
  case flush(FlushPacket)
  /// End when every flush is acknowledged, or at this moment.
  case shutDown(by: LocalInstant)
}

/// A thread's letter box: anybody posts, the thread takes everything at once.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  /// What the thread waits on.
  let poller: Poller

  init() throws(NetworkError) { poller = try Poller() }

  /// Puts a message in and wakes the thread.
  func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    poller.wake()
  }

  /// Takes everything out, in order.
  func take() -> [Message] {
    messages.withLock { messages in
      defer { messages.removeAll(keepingCapacity: true) }
      return messages
    }
  }
}

/// What the engine's threads and its callers share.
final class EngineShared: Sendable {
  let configuration: EngineConfiguration
  let clock: MediaClock
  let producer: Mailbox<ProducerCommand>
  let media: Mailbox<MediaCommand>
  let socket: UDPSocket
  let status = Mutex(EngineStatus())
  let counters = Mutex(EngineCounters())
  let report: AsyncStream<EngineEvent>.Continuation
  /// Ends when the media thread has; `shutdown` waits for that.
  let ended: AsyncStream<Never>
  let end: AsyncStream<Never>.Continuation

  init(
    configuration: EngineConfiguration, clock: MediaClock,
    report: AsyncStream<EngineEvent>.Continuation
  ) throws(NetworkError) {
    self.configuration = configuration
    self.clock = clock
    self.report = report
    producer = try Mailbox()
    media = try Mailbox()
    socket = try UDPSocket(binding: configuration.listen)
    (ended, end) = AsyncStream.makeStream()
  }
}
