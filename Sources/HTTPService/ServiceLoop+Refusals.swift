// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What is refused before any handler sees it.
extension ServiceLoop {
  /// The answer to a request that breaks a bound or a rule, or nil.
  func refusal(of exchange: Exchange) -> HTTPResponse? {
    let head = exchange.head
    guard head.hasVersion else {
      return .problem(
        status: 400, kind: "bad-request-line", title: "The first line is not that of a request",
        detail: "no HTTP version follows the address, or the address has a line end in it")
    }
    if exchange.origin == .loopback,
      let reason = HostPolicy.refusal(
        host: head.headers["host"], origin: head.headers["origin"],
        fetchSite: head.headers["sec-fetch-site"])
    {
      return .problem(
        status: 403, kind: "foreign-page", title: "Only this host may command",
        detail: reason + "; open the player at http://localhost")
    }
    if head.headers["transfer-encoding"] != nil {
      return .problem(
        status: 411, kind: "length-required", title: "The body's length is needed",
        detail: "the request has a Transfer-Encoding; send a Content-Length instead")
    }
    guard let length = head.contentLength else { return nil }
    guard length >= 0 else {
      return .problem(
        status: 400, kind: "bad-length", title: "The body's length is not a number",
        detail: "send a Content-Length in decimal digits")
    }
    return refusal(ofBody: UInt64(length), head: head)
  }

  /// Whether the body goes to a file.
  func isUpload(_ head: RequestHead) -> Bool {
    head.method == "POST" && configuration.uploadPaths.contains(head.path)
  }

  private func refusal(ofBody length: UInt64, head: RequestHead) -> HTTPResponse? {
    let goesToFile = isUpload(head)
    if goesToFile, configuration.uploadDirectory == nil {
      return .problem(
        status: 403, kind: "no-uploads", title: "Uploads are not taken",
        detail: "this coordinator has no place for uploads")
    }
    let bounds = configuration.bounds
    let limit = goesToFile ? bounds.uploadBytes : UInt64(bounds.bodyBytes)
    guard length > limit else { return nil }
    return .problem(
      status: 413, kind: "too-large", title: "The body is too large",
      detail: "the body has \(length) octets; at most \(limit) are taken here")
  }
}

extension HTTPResponse {
  /// The disk is full or broken.
  static var uploadFailed: HTTPResponse {
    .problem(
      status: 507, kind: "upload-failed", title: "The file cannot be stored",
      detail: "the coordinator cannot write the upload: its disk may be full; free some space "
        + "in its state directory")
  }
}
