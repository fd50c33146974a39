// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Testing

@Suite struct PageRequestTests {
  @Test(arguments: [(0, 1), (1, 1), (1_000, 1_000), (1_001, 1_000), (-5, 1)])
  func `a limit is brought into its bounds`(asked: Int, given: Int) {
    #expect(PageRequest(limit: asked).limit == given)
  }
}
