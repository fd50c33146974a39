// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc

extension MetricsText {
  /// Adds what the process itself takes, under the names that every Prometheus client uses.
  mutating func addProcess() {
    var time = timespec()
    if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
      add(
        "process_cpu_seconds_total", .counter, help: "Processor time, user and system.",
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }
    if let bytes = residentBytes() {
      add("process_resident_memory_bytes", .gauge, help: "Resident memory.", Double(bytes))
    }
  }

  /// The second field of /proc/self/statm, in pages (proc(5)).
  private func residentBytes() -> Int? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let fields = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
