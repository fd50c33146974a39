// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

/// An address that may be fetched.
struct NetworkAddress {
  /// Ready for libavformat: spaces and other than ASCII bytes are percent-encoded.
  let text: String

  /// Takes `http` and `https` addresses.
  ///
  /// - Throws: `DecoderFailure` with `.unsupportedAddress` for all others.
  init(_ address: String) throws(DecoderFailure) {
    guard let colon = address.firstIndex(of: ":"),
      ["http", "https"].contains(address[..<colon].lowercased()),
      address[colon...].hasPrefix("://"), address[colon...].dropFirst(3).first != nil
    else {
      throw DecoderFailure(
        .unsupportedAddress, "is no address that Tutti opens (http:// and https:// are)")
    }
    text = address.utf8.map(Self.encode).joined()
  }

  private static func encode(_ byte: UInt8) -> String {
    guard byte <= 0x20 || byte >= 0x7F else { return String(UnicodeScalar(byte)) }
    let digits = String(byte, radix: 16, uppercase: true)
    return "%" + (digits.count == 1 ? "0" : "") + digits
  }
}
