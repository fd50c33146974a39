// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// Who has a port: from the kernel's tables of sockets (proc(5), proc_net_udp) and the open files of the
/// processes that we may look at.
enum PortOwner {
  /// The program that has the port, TCP or UDP; empty when it cannot be seen; nil when the port is free.
  static func find(_ port: Int) -> String? {
    let tables = ["udp", "udp6", "tcp", "tcp6"].map { table in
      (table.hasPrefix("tcp"), textOfFile("/proc/net/\(table)"))
    }
    let nodes = Set(tables.flatMap { inodes(of: port, isTCP: $0.0, in: $0.1) })
    guard !nodes.isEmpty else { return nil }
    return processes(with: nodes).first ?? ""
  }

  /// The sockets bound to a port: of TCP, those that listen (state 0A).
  static func inodes(of port: Int, isTCP: Bool, in table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, let number = fields[1].split(separator: ":").last,
        Int(number, radix: 16) == port, !isTCP || fields[3] == "0A"
      else { return nil }
      return String(fields[9])
    }
  }

  private static func processes(with nodes: Set<String>) -> [String] {
    let wanted = Set(nodes.map { "socket:[\($0)]" })
    return namesInFolder("/proc").filter { Int($0) != nil }.compactMap { process in
      let folder = "/proc/\(process)/fd"
      let has = namesInFolder(folder).contains { wanted.contains(target(of: "\(folder)/\($0)")) }
      return has ? name(of: process) : nil
    }
  }

  /// The program's name from its command line; the kernel's own name ends after 15 letters.
  private static func name(of process: String) -> String {
    let words = textOfFile("/proc/\(process)/cmdline").split(separator: "\0")
    let path = words.first.map(String.init) ?? textOfFile("/proc/\(process)/comm").trimmed()
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func target(of link: String) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &buffer, buffer.count)
    guard count > 0 else { return "" }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
