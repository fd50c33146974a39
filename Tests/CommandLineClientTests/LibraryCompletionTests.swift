// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CommandLineOptions
import Testing

@testable import CommandLineClient

@Suite struct LibraryCompletionTests {
  private func words(_ word: String, answer: String?) -> (words: [String], asked: [String]) {
    var asked: [String] = []
    let completion = LibraryCompletion { path in
      asked.append(path)
      return answer.map { Array($0.utf8) }
    }
    return (completion.candidates(for: word).map(\.word), asked)
  }

  @Test func `until a kind is typed the kinds are offered, and nobody is asked`() {
    let (words, asked) = words("al", answer: nil)
    #expect(words.contains("album:") && words.contains("playlist:"))
    #expect(asked == [])
  }

  @Test func `a name is searched for by what is typed of it`() {
    let (words, asked) = words(
      "album:kind of", answer: #"{"albums":{"items":[{"id":1,"title":"Kind of Blue"}],"total":1}}"#)
    #expect(words == ["album:Kind of Blue"])
    #expect(asked == ["/api/v1/library/search?q=kind%20of&kinds=albums&limit=50"])
  }

  @Test func `a kind alone lists from the start`() {
    let (words, asked) = words("artist:", answer: #"{"items":[{"id":1,"name":"Bach"}],"total":1}"#)
    #expect(words == ["artist:Bach"])
    #expect(asked == ["/api/v1/library/artists?limit=50"])
  }

  @Test(arguments: [nil, "", "[]", "{}", #"{"albums":null}"#, #"{"albums":{"items":[{}]}}"#])
  func `whatever goes wrong is nothing to offer`(answer: String?) {
    #expect(words("album:x", answer: answer).words == [])
  }
}
