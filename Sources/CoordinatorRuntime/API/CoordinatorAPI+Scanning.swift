// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import DecoderProtocol
internal import HTTPService
internal import MusicLibrary

/// Scans of the library, and what came of them.
extension CoordinatorAPI {
  /// Begins a scan, or joins the one that runs.
  func scanLibrary(_ request: HTTPRequest) throws(ProblemDocument) -> HTTPResponse {
    var isFull = false
    if case .bytes(let bytes) = request.body, !bytes.isEmpty {
      do throws(DocumentError) {
        isFull = try JSONDocument.decode(ScanRequestDocument.self, from: bytes).full ?? false
      } catch {
        throw .badRequest("the request \(error)")
      }
    }
    guard !collection.scanner.roots.isEmpty else {
      throw ProblemDocument(
        status: 409, kind: "no-music-folder", title: "There is no music folder",
        detail: "this coordinator has no music folder: start it with --music DIR")
    }
    let job = collection.scanner.scan(isFull: isFull)
    var response = try HTTPResponse.document(job, status: 202)
    response.headers.append(.init("Location", APIRoute.job(id: job.id).path))
    return response
  }

  /// A job by its id.
  func job(_ id: String) throws(ProblemDocument) -> JobDocument {
    guard let job = collection.scanner.jobs.job(id) else {
      throw ProblemDocument(
        status: 404, kind: "unknown-job", title: "There is no such job",
        detail: "there is no job \(id) (any more): jobs end with the coordinator that began them")
    }
    return job
  }

  /// The files that cannot be used.
  func libraryFailures(_ request: HTTPRequest) throws(ProblemDocument) -> ScanFailuresDocument {
    let page = try LibraryRequest(request).page
    do throws(LibraryError) {
      let page = try collection.library.failedFiles(page)
      return ScanFailuresDocument(
        failures: page.items.map {
          ScanFailureDocument(path: PathText.display($0.path), reason: $0.reason)
        }, nextCursor: page.nextCursor, total: page.total)
    } catch {
      throw ProblemDocument(error)
    }
  }
}
