// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CCurl
internal import Glibc

// What libcurl calls back with. Each transfer lends one of these boxes to libcurl, by an unretained
// pointer, for the time of curl_easy_perform; the caller keeps it alive across that call.

/// Gathers an answer's body up to a bound.
final class BodyBox {
  var bytes: [UInt8] = []
  private(set) var isTooLong = false
  let limit: Int

  init(limit: Int) { self.limit = limit }

  func take(_ part: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count + part.count <= limit else {
      isTooLong = true
      return false
    }
    bytes.append(contentsOf: part)
    return true
  }
}

/// Cuts an event stream into events and hands each on; ends the transfer when told to.
final class EventBox {
  var parser = EventStreamParser()
  var goesOn = true
  let receive: (ServerEvent) -> Bool

  init(receive: @escaping (ServerEvent) -> Bool) { self.receive = receive }

  func take(_ part: UnsafeRawBufferPointer) -> Bool {
    for event in parser.append(part) where goesOn { goesOn = receive(event) }
    return goesOn
  }
}

/// Reads a file for an upload and reports how far it is.
final class UploadBox {
  let descriptor: Int32
  let progress: (_ sent: Int64, _ total: Int64) -> Void

  init(descriptor: Int32, progress: @escaping (Int64, Int64) -> Void) {
    self.descriptor = descriptor
    self.progress = progress
  }
}

/// CURL_READFUNC_ABORT of curl.h, which is a macro that does not import.
private let abortUpload = 0x1000_0000

func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let box = Unmanaged<BodyBox>.fromOpaque(context).takeUnretainedValue()
  let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return box.take(part) ? size * count : 0
}

func takeEvents(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let box = Unmanaged<EventBox>.fromOpaque(context).takeUnretainedValue()
  let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return box.take(part) ? size * count : 0
}

func readUpload(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return abortUpload }
  let box = Unmanaged<UploadBox>.fromOpaque(context).takeUnretainedValue()
  while true {
    let got = read(box.descriptor, bytes, size * count)
    if got >= 0 { return got }
    if errno != EINTR { return abortUpload }
  }
}

func reportUpload(
  _ context: UnsafeMutableRawPointer?, _ downloadTotal: Int, _ downloaded: Int,
  _ uploadTotal: Int, _ uploaded: Int
) -> Int32 {
  guard let context else { return 1 }
  let box = Unmanaged<UploadBox>.fromOpaque(context).takeUnretainedValue()
  box.progress(Int64(uploaded), Int64(uploadTotal))
  return 0
}
