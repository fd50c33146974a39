// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import LinuxNetworking
public import WireProtocol

/// Why a control link ended without a goodbye.
public enum LinkError: Error, Sendable, Hashable {
  /// The peer closed the connection.
  case closedByPeer
  /// The connection broke.
  case network(NetworkError)
  /// The peer sent what is not Tutti's control protocol.
  case malformed(WireError)
  /// The peer has not read for so long that what waits for it passed the limit.
  case peerDoesNotRead(waitingBytes: Int)
}

extension LinkError: CustomStringConvertible {
  /// The reason in words, to stand behind "closed the link to X: ".
  public var description: String {
    switch self {
    case .closedByPeer: "the other side closed it"
    case .network(let error): error.description
    case .malformed(let error): "it does not speak Tutti's control protocol (\(error))"
    case .peerDoesNotRead(let bytes): "the other side stopped reading (\(bytes) bytes wait)"
    }
  }
}
