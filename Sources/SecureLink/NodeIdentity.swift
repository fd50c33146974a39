// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import COpenSSL

// Who a node is: an Ed25519 key that it makes at its first start and keeps. The identity is SHA-256
// over the DER form of the public key (SubjectPublicKeyInfo), which is also what a certificate
// carries: when TLS comes, the identity of each node stays what it is.

/// The lasting identity of a coordinator or a speaker.
public struct NodeIdentity: Sendable, Hashable {
  /// The key's file name in the state directory.
  public static let fileName = "node.key"

  /// SHA-256 of the public key; 32 bytes.
  public let id: [UInt8]
  /// Where the private key is (PEM, PKCS #8, mode 0600).
  public let keyPath: String

  /// The identity in 64 hexadecimal digits.
  public var hexadecimal: String { Self.digits(id) }

  /// The first 8 digits, for people and log lines; not unique enough to trust.
  public var shortForm: String { Self.digits(id.prefix(4)) }

  /// Loads the identity of a directory, making one at the first start.
  ///
  /// - Parameter directory: The node's own state directory, which exists and is locked.
  /// - Returns: The same identity each time.
  /// - Throws: `IdentityError` when the key cannot be read, is exposed to others, or cannot be made.
  public static func loadOrCreate(in directory: String) throws(IdentityError) -> NodeIdentity {
    let path = "\(directory)/\(fileName)"
    if let pem = try KeyFile.read(path) {
      guard let key = PrivateKey(pem: pem), let id = key.publicKeyDigest else {
        throw .unreadable(path)
      }
      return NodeIdentity(id: id, keyPath: path)
    }
    guard let key = PrivateKey.generated(), let pem = key.pem, let id = key.publicKeyDigest else {
      throw IdentityError(
        path: path, reason: "OpenSSL cannot make", advice: "check the installation of libssl3")
    }
    try KeyFile.create(path, pem)
    return NodeIdentity(id: id, keyPath: path)
  }

  /// Bytes as hexadecimal digits.
  ///
  /// - Parameter bytes: Any bytes, an identity as a rule.
  /// - Returns: Two lower-case digits for each.
  public static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
