// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import COpenSSL

/// An Ed25519 (or any other) private key of OpenSSL's.
///
/// OpenSSL's objects may be used by one thread at a time; a `~Copyable` value has one owner.
struct PrivateKey: ~Copyable {
  private let raw: OpaquePointer

  /// The size of a PEM file that no key of ours comes near.
  static let maximumBytes = 16 * 1_024
  /// SHA-256.
  private static let digestBytes = 32

  private init(owning raw: OpaquePointer) { self.raw = raw }

  deinit { EVP_PKEY_free(raw) }

  /// A new Ed25519 key, or nil when OpenSSL fails.
  static func generated() -> PrivateKey? {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else {
      return nil
    }
    return PrivateKey(owning: key)
  }

  /// The key in a PEM file, or nil when it holds none.
  init?(pem: [UInt8]) {
    guard let memory = BIO_new_mem_buf(pem, Int32(pem.count)) else { return nil }
    defer { BIO_free(memory) }
    guard let key = PEM_read_bio_PrivateKey(memory, nil, noPassphrase, nil) else {
      ERR_clear_error()
      return nil
    }
    raw = key
  }

  /// The key as PEM, PKCS #8, not encrypted.
  var pem: [UInt8]? {
    guard let memory = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(memory) }
    guard PEM_write_bio_PKCS8PrivateKey(memory, raw, nil, nil, 0, nil, nil) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    let count = BIO_read(memory, &bytes, Int32(bytes.count))
    return count > 0 ? Array(bytes.prefix(Int(count))) : nil
  }

  /// SHA-256 of the public key's DER form (SubjectPublicKeyInfo).
  var publicKeyDigest: [UInt8]? {
    var der: UnsafeMutablePointer<UInt8>?
    let length = i2d_PUBKEY(raw, &der)
    guard length > 0, let der else { return nil }
    // OPENSSL_free is a macro of this.
    defer { CRYPTO_free(der, "", 0) }
    var digest = [UInt8](repeating: 0, count: Self.digestBytes)
    guard EVP_Digest(der, Int(length), &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
    return digest
  }
}

/// Keeps OpenSSL from asking the terminal for the passphrase of an encrypted key.
private func noPassphrase(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
