// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct ScanTextTests {
  private var job: JobDocument {
    var job = JobDocument(id: "scan-1", cause: .request, isFull: false)
    job.state = .running
    job.counts.found = 200
    job.counts.done = 50
    job.filesPerSecond = 3_210.4
    job.currentFolder = "/music/a\u{1B}b/with a very long name indeed"
    job.elapsedSeconds = 1.234
    return job
  }

  @Test func `a running scan says how far it is`() {
    var job = job
    #expect(ScanText.progress(job) == "50 of 200 or more files, 3210 a second")
    job.isCounted = true
    job.counts.failed = 2
    #expect(ScanText.progress(job) == "50 of 200 files, 3210 a second, 2 failed")
    job.state = .waiting
    #expect(ScanText.progress(job) == "waiting for another scan")
  }

  @Test(arguments: [10, 40, 79, 200]) func `the bar fits and steers nothing`(columns: Int) {
    let bar = ScanText.bar(job, columns: columns)
    #expect(DisplayWidth.columns(bar) <= columns)
    #expect(!bar.contains("\u{1B}"))
  }

  @Test func `what came of it is one line`() {
    var job = job
    #expect(ScanText.summary(job) == "200 files, nothing has changed; 1.23 s")
    job.counts.found = 1
    job.counts.read = 1
    job.counts.moved = 2
    job.counts.gone = 3
    job.counts.missing = 4
    job.counts.failed = 5
    job.counts.playlists = 1
    #expect(
      ScanText.summary(job)
        == "1 file, 1 new or changed, 2 moved, 3 deleted, 4 not to be seen now, 5 cannot be used, "
        + "1 playlist; 1.23 s")
  }
}
