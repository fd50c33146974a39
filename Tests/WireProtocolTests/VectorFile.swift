// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import FoundationEssentials
import Testing
import WireProtocol

/// One entry of a file in proto/vectors: bytes and what they mean.
struct Vector: CustomTestStringConvertible, Sendable {
  var fields: [String: String]

  subscript(key: String) -> String? { fields[key] }
  var name: String { fields["name"] ?? "" }
  var bytes: [UInt8] { hexadecimal(fields["bytes"] ?? "") }
  var testDescription: String { name }
}

/// The root of the repository, from where this file was compiled.
let repositoryRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

/// Reads the entries of `proto/vectors/NAME`: `key: value` lines in blocks apart by empty lines.
func vectors(_ name: String) -> [Vector] {
  let path = "\(repositoryRoot)/proto/vectors/\(name)"
  guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.split(whereSeparator: \.isEmpty).compactMap { block in
    var fields: [String: String] = [:]
    for line in block where !line.hasPrefix("#") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      fields[String(line[..<colon])] = String(value)
    }
    return fields.isEmpty ? nil : Vector(fields: fields)
  }
}

func hexadecimal(_ digits: String) -> [UInt8] {
  let values = digits.compactMap { $0.hexDigitValue.map(UInt8.init) }
  return stride(from: 0, to: values.count - 1, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

func hexadecimal(_ value: some FixedWidthInteger & UnsignedInteger) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: value.bitWidth / 4 - digits.count) + digits
}

/// The word by which a vector file names an error.
func word(_ error: WireError) -> String {
  switch error {
  case .truncated: "truncated"
  case .unsupportedVersion: "version"
  case .malformedPadding: "padding"
  case .malformedLength: "length"
  case .frameTooLarge: "too large"
  case .malformedField(let number): "field \(number)"
  case .unknownMessage: "unknown"
  }
}

/// What `body` returns, or the word of what it throws.
func outcome(_ body: () throws(WireError) -> String) -> String {
  do throws(WireError) { return try body() } catch { return word(error) }
}
