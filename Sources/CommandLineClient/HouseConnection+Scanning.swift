// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import HTTPClient

/// Scans of the library.
extension HouseConnection {
  /// Asks for a scan.
  func scanLibrary(full: Bool) throws(ClientFailure) -> JobDocument {
    let json: [UInt8]
    do {
      json = try JSONDocument.encode(ScanRequestDocument(full: full ? true : nil))
    } catch {
      throw .failed("\(error)")
    }
    return try document(
      JobDocument.self,
      try answer { () throws(HTTPClientError) in
        try client.post(APIRoute.libraryScan.path, json: json)
      })
  }

  /// A job as it is now.
  func job(_ id: String) throws(ClientFailure) -> JobDocument {
    try document(
      JobDocument.self,
      try answer { () throws(HTTPClientError) in try client.get(APIRoute.job(id: id).path) })
  }

  /// Every file that cannot be used.
  func libraryFailures() throws(ClientFailure) -> ScanFailuresDocument {
    var all: ScanFailuresDocument?
    var cursor: String?
    repeat {
      let more = cursor.map { "&cursor=" + QueryText.encode($0) } ?? ""
      let page = try document(
        ScanFailuresDocument.self,
        try answer { () throws(HTTPClientError) in
          try client.get(APIRoute.libraryFailures.path + "?limit=1000" + more)
        })
      cursor = page.nextCursor
      if all == nil { all = page } else { all?.failures += page.failures }
    } while cursor != nil
    all?.nextCursor = nil
    return all ?? ScanFailuresDocument(failures: [], total: 0)
  }
}
