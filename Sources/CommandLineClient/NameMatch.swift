// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions

/// Finds the one thing that a person's word means: its id, its name, or the start of its name.
struct NameMatch<Thing> {
  private let word: String
  private let found: [Thing]
  private let all: [Thing]
  private let name: KeyPath<Thing, String>

  /// Looks for `word` among things; case does not matter.
  init(
    _ word: String, among things: [Thing], name: KeyPath<Thing, String>, id: KeyPath<Thing, String>
  ) {
    self.word = word
    self.name = name
    all = things
    let wanted = word.lowercased()
    let exact = things.filter {
      $0[keyPath: name].lowercased() == wanted || $0[keyPath: id] == word
    }
    found =
      exact.isEmpty ? things.filter { $0[keyPath: name].lowercased().hasPrefix(wanted) } : exact
  }

  /// The thing, or a failure that lists the choices.
  func only(kind: String) throws(ClientFailure) -> Thing {
    if found.count == 1, let thing = found.first { return thing }
    let choices = (found.isEmpty ? all : found).map { "'\($0[keyPath: name])'" }
    let list = choices.isEmpty ? "there are none" : choices.joined(separator: ", ")
    throw .failed(
      found.isEmpty
        ? "no \(kind) is called '\(word)'; \(hint)choose from: \(list)"
        : "'\(word)' may be several \(kind)s: \(list); write more of the name")
  }

  /// A near miss.
  private var hint: String {
    let names = all.map { $0[keyPath: name] }
    let close = Suggestion.closest(to: word.lowercased(), among: names.map { $0.lowercased() })
    let meant = names.first { $0.lowercased() == close }
    return meant.map { "did you mean '\($0)'? Or " } ?? ""
  }
}
