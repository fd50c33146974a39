// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets
internal import DaemonProcess
internal import Synchronization

/// Where libwebsockets' own messages go. The library has one for the whole process.
private let libraryLog = Mutex<Log?>(nil)

/// Turns the library's messages into lines of our log: they are about connections, so `debug`.
///
/// - Parameter log: Where to; the last one set counts.
func redirectLibraryLog(to log: Log) {
  libraryLog.withLock { $0 = log }
  lws_set_log_level(Int32(LLL_ERR | LLL_WARN), takeLibraryMessage)
}

private func takeLibraryMessage(_ level: Int32, _ line: UnsafePointer<CChar>?) {
  guard let line, let log = libraryLog.withLock({ $0 }) else { return }
  var text = String(cString: line)
  while text.last?.isWhitespace == true { text.removeLast() }
  log.debug("libwebsockets: \(text)", kind: "libwebsockets")
}
