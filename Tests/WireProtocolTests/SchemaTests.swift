// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import Testing
import WireProtocol

/// Debian's protoc as an independent second reader and writer of our schema.
private enum ProtocolCompiler {
  static let path = "/usr/bin/protoc"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

  /// Runs `protoc --MODE=tutti.ControlMessage` over `input`.
  static func run(_ mode: String, _ input: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [
      "--proto_path=\(repositoryRoot)/proto", "--\(mode)=tutti.ControlMessage", "control.proto",
    ]
    let (stdin, stdout) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (stdin, stdout)
    try process.run()
    // Messages here are far smaller than a pipe's buffer, so writing first cannot block.
    try stdin.fileHandleForWriting.write(contentsOf: input)
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return Array(output)
  }
}

@Suite(.enabled(if: ProtocolCompiler.isInstalled, "needs protobuf-compiler: run tools/setup"))
struct SchemaTests {
  @Test(arguments: vectors("control.txt").filter { $0["text"] != nil })
  func `protoc writes the bytes of the vector`(vector: Vector) throws {
    let text = try #require(vector["text"])
    #expect(try ProtocolCompiler.run("encode", Array(text.utf8)) == vector.bytes)
  }

  @Test(arguments: MessageSource.byVector.keys.sorted())
  func `protoc reads what we write, leaving nothing unknown`(name: String) throws {
    let message = try #require(MessageSource.byVector[name])
    let text = try ProtocolCompiler.run("decode", message.encode())
    // A field that the schema lacks is printed under its number.
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(!lines.contains { $0.drop { $0 == " " }.first?.isNumber == true })
    #expect(try ProtocolCompiler.run("encode", text) == message.encode())
  }
}
