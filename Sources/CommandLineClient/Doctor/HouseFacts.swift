// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import HTTPClient

/// What the coordinator says, or why it says nothing.
enum HouseFacts {
  case reached(StateDocument, DiagnosisDocument?, server: String)
  case failed(ClientFailure)

  var state: StateDocument? {
    if case .reached(let state, _, _) = self { state } else { nil }
  }

  var diagnosis: DiagnosisDocument? {
    if case .reached(_, let diagnosis, _) = self { diagnosis } else { nil }
  }
}

extension HouseConnection {
  /// What a coordinator says about itself; nil from one that does not know the question.
  func diagnosis() throws(ClientFailure) -> DiagnosisDocument? {
    try optional(DiagnosisDocument.self, at: .diagnosis)
  }

  /// Everything that `doctor` asks a coordinator.
  func facts() -> HouseFacts {
    do throws(ClientFailure) {
      return .reached(try state(), try diagnosis(), server: "\(client.server)")
    } catch {
      return .failed(error)
    }
  }
}
