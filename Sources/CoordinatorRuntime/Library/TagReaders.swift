// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CLinux
internal import Catalogue
internal import DecoderProtocol
internal import Glibc
internal import LinuxNetworking

// The pool is one thread's, which waits for all its processes at once. Each process has up to `window`
// questions at a time, so that it never waits for us; what does not fit into its socket waits here, so
// that we never wait for it.

/// Reads the tags of files in several decoder processes. Belongs to the scanner's thread.
final class TagReaders {
  /// A file to read.
  struct Work {
    var path: String
    var root: String
    var stamp: FileStamp
    var picture: String?
    var lyrics: String?
  }

  /// What became of one.
  struct Answer {
    var work: Work
    var result: Result<TrackTags, DecoderFailure>
  }

  /// Questions that one process has at a time: at 50 µs each, more than the longest pause that the
  /// scanner's thread makes.
  static let window = 128
  /// How long one file may take; a dead network drive takes for ever.
  static let patience = Nanoseconds.seconds(10)
  /// So many deaths in a row of one process that had not answered anything are not the files' fault.
  static let hopeless = 20

  private struct Reader {
    var process: DecoderProcess?
    var ledger = ReaderLedger<Work>()
    var replies = DecoderReplyReader()
    var unsent: ArraySlice<UInt8> = []
  }

  private let program: DecoderProgram
  private let patience: Nanoseconds
  private var readers: [Reader]
  private var queue: [Work] = []
  private var queueStart = 0
  private var answers: [Answer] = []
  /// Why nothing can be read at all.
  private(set) var trouble: DecoderFailure?

  /// A pool without processes; they are started when there is something to read.
  init(_ program: DecoderProgram, count: Int, patience: Nanoseconds = TagReaders.patience) {
    self.program = program
    self.patience = patience
    readers = (0..<max(1, count)).map { _ in Reader() }
  }

  /// As many processes as this host has processors, two to eight.
  static var defaultCount: Int { min(8, max(2, Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))))) }

  /// Files that nobody reads yet.
  var queued: Int { queue.count - queueStart }
  /// Whether everything has been answered.
  var isIdle: Bool { queued == 0 && readers.allSatisfy { $0.ledger.outstanding.isEmpty } }

  /// Reads a file as soon as there is time.
  func read(_ work: Work) { queue.append(work) }

  /// Ends the processes.
  func shutDown() {
    for index in readers.indices { readers[index] = Reader() }
  }

  /// Sends questions and takes answers.
  ///
  /// - Parameter timeout: How long to wait for the first answer.
  /// - Returns: What was answered.
  func work(timeout: Nanoseconds) -> [Answer] {
    for index in readers.indices { feed(index) }
    wait(timeout)
    for index in readers.indices where isOverdue(index) {
      bury(
        index,
        DecoderFailure(
          .decoderHung, "reading its tags took longer than \(patience.count / 1_000_000_000) s"))
    }
    defer { answers.removeAll(keepingCapacity: true) }
    return answers
  }

  private func nextWork() -> Work? {
    guard queueStart < queue.count else { return nil }
    defer {
      queueStart += 1
      if queueStart > 4_096 || queueStart == queue.count {
        queue.removeFirst(queueStart)
        queueStart = 0
      }
    }
    return queue[queueStart]
  }

  // MARK: - One process

  private func feed(_ index: Int) {
    guard queued > 0 || !readers[index].unsent.isEmpty, hasProcess(index) else { return }
    let now = LocalClock.now()
    var bytes = Array(readers[index].unsent)
    while readers[index].ledger.outstanding.count < Self.window, let work = nextWork() {
      DecoderRequest.describe(path: work.path).append(to: &bytes)
      readers[index].ledger.asked(work, at: now)
    }
    guard !bytes.isEmpty, let process = readers[index].process else { return }
    // A process that is gone is found out by its closed socket.
    let sent = process.sendNow(bytes[...]) ?? bytes.count
    readers[index].unsent = bytes[sent...]
  }

  private func hasProcess(_ index: Int) -> Bool {
    if readers[index].process != nil { return true }
    if let at = readers[index].ledger.restartAt, LocalClock.now() < at { return false }
    do throws(DecoderFailure) {
      let process = try DecoderProcess(program)
      tutti_lower_priority(process.identifier)
      readers[index].process = process
      return true
    } catch {
      trouble = error
      return false
    }
  }

  private func wait(_ timeout: Nanoseconds) {
    var sockets: [pollfd] = []
    var owners: [Int] = []
    for index in readers.indices {
      guard let process = readers[index].process else { continue }
      let events = CInt(POLLIN) | (readers[index].unsent.isEmpty ? 0 : CInt(POLLOUT))
      sockets.append(pollfd(fd: process.socket, events: Int16(events), revents: 0))
      owners.append(index)
    }
    let milliseconds = CInt((timeout.count + 999_999) / 1_000_000)
    guard poll(&sockets, nfds_t(sockets.count), milliseconds) > 0 else { return }
    for (socket, index) in zip(sockets, owners)
    where CInt(socket.revents) & (CInt(POLLIN) | CInt(POLLHUP) | CInt(POLLERR)) != 0 {
      receive(index)
    }
  }

  private func receive(_ index: Int) {
    guard let process = readers[index].process else { return }
    switch process.receive(into: &readers[index].replies, timeoutMilliseconds: 0) {
    case .nothing: return
    case .closed:
      let signal = process.end()
      let how = signal.map { "crashed on it (\(String(cString: strsignal($0))))" }
      bury(index, DecoderFailure(.decoderDied, "the decoder \(how ?? "gave up on it")"))
    case .bytes: takeReplies(index)
    }
  }

  private func takeReplies(_ index: Int) {
    do throws(DecoderProtocolError) {
      while let reply = try readers[index].replies.next() { take(reply, index) }
    } catch {
      trouble = Self.notOurs
    }
  }

  private func take(_ reply: DecoderReply, _ index: Int) {
    guard let work = readers[index].ledger.answered(at: LocalClock.now()) else {
      trouble = Self.notOurs
      return
    }
    switch reply {
    case .tags(let tags): answers.append(Answer(work: work, result: .success(tags)))
    case .failure(let failure): answers.append(Answer(work: work, result: .failure(failure)))
    case .info, .samples, .end, .image, .title, .connection: trouble = Self.notOurs
    }
  }

  private static var notOurs: DecoderFailure {
    DecoderFailure(
      .decoderUnavailable, "what runs as tutti-decoder is another program or another version")
  }

  private func isOverdue(_ index: Int) -> Bool {
    readers[index].ledger.deadline(patience).map { $0 < LocalClock.now() } ?? false
  }

  /// A process is dead, or shall be: the file it was at is to blame, the others are read again.
  private func bury(_ index: Int, _ failure: DecoderFailure) {
    readers[index].process?.end()
    var reader = Reader()
    reader.ledger = readers[index].ledger
    let remains = reader.ledger.died(at: LocalClock.now())
    readers[index] = reader
    queue.insert(contentsOf: remains.unanswered, at: queueStart)
    if let blamed = remains.blamed {
      answers.append(Answer(work: blamed, result: .failure(failure)))
    }
    if reader.ledger.deathsInARow >= Self.hopeless {
      trouble = DecoderFailure(
        .decoderUnavailable,
        "\(program.path) dies again and again without having read anything; last: \(failure.text)")
    }
  }
}
