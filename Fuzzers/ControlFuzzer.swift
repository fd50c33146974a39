// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import WireProtocol

// libFuzzer calls this with every input it makes; a trap, an overflow or a broken promise below is
// a finding. Run by tools/fuzz.

/// Feeds bytes to the control decoder, as one message and as a stream cut in two.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzControl(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  let bytes = UnsafeBufferPointer(start: start, count: count).span
  if let message = try? ControlMessage(decoding: bytes) {
    let again = try? ControlMessage(decoding: message.encode().span)
    precondition(again == message)
  }
  guard count > 0 else { return 0 }
  var decoder = ControlFrameDecoder()
  let cut = Int(bytes[0]) % count
  for part in [0..<cut, cut..<count] {
    decoder.append(bytes.extracting(part))
    while (try? decoder.next()) != nil {}
  }
  return 0
}
