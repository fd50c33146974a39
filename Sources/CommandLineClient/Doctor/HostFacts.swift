// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// What can be seen of this machine without a coordinator's help.
struct HostFacts: Equatable {
  /// A network interface.
  struct Interface: Equatable {
    var name: String
    var isUp: Bool
    var hasMulticast: Bool
    var isWireless: Bool
    /// Whether the radio sleeps between packets; nil when the driver does not say.
    var savesPower: Bool?
  }

  /// A port of ours.
  struct Port: Equatable {
    var number: Int
    /// Nil when it is free; the program's name, or an empty text when that cannot be seen.
    var owner: String?
  }

  /// A place where a coordinator on this machine has its socket.
  struct Socket: Equatable {
    var path: String
    /// Why it cannot be opened, as an error number: ENOENT, EACCES; 0 when it can.
    var code: Int32
  }

  var search = HouseSearch()
  var interfaces: [Interface] = []
  var ports: [Port] = []
  var sockets: [Socket] = []
  /// RLIMIT_RTPRIO; root needs none.
  var realtimePriority = 0
  /// RLIMIT_MEMLOCK in bytes; nil is without limit.
  var lockableBytes: UInt64?
  var isRoot = false
}

extension HostFacts {
  /// Looks at this machine; takes up to two seconds for the network.
  static func gather(socketPaths: [String], ports: [Int]) -> HostFacts {
    var facts = HostFacts()
    facts.search = HouseSearch.run()
    facts.interfaces = interfaceNames().compactMap(interface)
    facts.ports = ports.map { Port(number: $0, owner: PortOwner.find($0)) }
    facts.sockets = socketPaths.map {
      Socket(path: $0, code: access($0, R_OK | W_OK) == 0 ? 0 : errno)
    }
    facts.realtimePriority = Int(clamping: limit(Int32(__RLIMIT_RTPRIO.rawValue)) ?? .max)
    facts.lockableBytes = limit(Int32(__RLIMIT_MEMLOCK.rawValue))
    facts.isRoot = geteuid() == 0
    return facts
  }

  private static let classFolder = "/sys/class/net"
  // linux/if.h
  private static let flagUp = 0x1
  private static let flagLoopback = 0x8
  private static let flagMulticast = 0x1000

  private static func interfaceNames() -> [String] { namesInFolder(classFolder) }

  /// Loopback is left out.
  private static func interface(_ name: String) -> Interface? {
    let text = textOfFile("\(classFolder)/\(name)/flags").trimmed()
    guard let flags = Int(text.dropFirst(2), radix: 16), flags & flagLoopback == 0 else {
      return nil
    }
    let isWireless = access("\(classFolder)/\(name)/phy80211", F_OK) == 0
    // "unknown" is what virtual interfaces say that carry traffic.
    let state = textOfFile("\(classFolder)/\(name)/operstate").trimmed()
    return Interface(
      name: name, isUp: flags & flagUp != 0 && (state == "up" || state == "unknown"),
      hasMulticast: flags & flagMulticast != 0, isWireless: isWireless,
      savesPower: isWireless ? wirelessPowerSave(name) : nil)
  }

  private static func limit(_ resource: Int32) -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource), &limit) == 0, limit.rlim_cur != rlim_t.max else {
      return nil
    }
    return UInt64(limit.rlim_cur)
  }

  /// Asks the driver by wireless extensions (wireless.h): SIOCGIWPOWER with struct iwreq, whose union
  /// begins at 16 with struct iw_param { s32 value; u8 fixed; u8 disabled; u16 flags }.
  private static func wirelessPowerSave(_ name: String) -> Bool? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0, name.utf8.count < 16 else { return nil }
    defer { close(socket) }
    var request = [UInt8](repeating: 0, count: 32)
    request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
    guard request.withUnsafeMutableBytes({ askDriver(socket, $0) }) == 0 else {
      return nil
    }
    return request[21] == 0
  }
}

/// SIOCGIWPOWER; a pointer that cannot be nil is what the imported ioctl takes.
private func askDriver(_ socket: Int32, _ request: UnsafeMutableRawBufferPointer) -> Int32 {
  guard let address = request.baseAddress else { return -1 }
  return ioctl(socket, 0x8B2D, address)
}

extension String {
  /// Without blanks and line ends around it.
  func trimmed() -> String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}

/// The names in a folder, sorted; none when it cannot be read.
func namesInFolder(_ path: String) -> [String] {
  guard let stream = opendir(path) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// A small file's text; empty when it cannot be read.
func textOfFile(_ path: String) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 16_384)
  while bytes.count < 4 << 20 {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    bytes += buffer.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}
