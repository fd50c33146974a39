// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@Suite struct MetricsTextTests {
  @Test func `figures stand under their help and type`() {
    var text = MetricsText()
    text.add("a_total", .counter, help: "How many.", 3)
    text.add(
      "b_seconds", .gauge, help: "How \\ long\nit took.",
      samples: [
        ([("room", "Kitchen"), ("quantile", "0.5")], 0.000_012),
        ([("room", "A \"b\\c\"\n")], nil), ([("room", "A \"b\\c\"\n")], -1.5),
      ])
    #expect(
      text.text == """
        # HELP a_total How many.
        # TYPE a_total counter
        a_total 3
        # HELP b_seconds How \\\\ long\\nit took.
        # TYPE b_seconds gauge
        b_seconds{room="Kitchen",quantile="0.5"} 1.2e-05
        b_seconds{room="A \\"b\\\\c\\"\\n"} -1.5

        """)
  }

  @Test func `a measurement without figures is left out`() {
    var text = MetricsText()
    text.add("a", .gauge, help: "h", samples: [([], nil)])
    #expect(text.text.isEmpty)
    text.add("a", .gauge, help: "h", .infinity)
    #expect(text.text.hasSuffix("a +Inf\n"))
  }
}
