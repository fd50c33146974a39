// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DaemonProcess
import DecoderProtocol
import Foundation
import HTTPService
import LinuxNetworking
import StateStore
import Testing

@testable import CoordinatorRuntime

/// A source of nothing: these tests are about starting and stopping.
private struct NoMusic: PCMSourceOpener {
  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    throw DecoderFailure(.missing, "is not there")
  }
}

private func stateDirectory() throws -> StateDirectory {
  let path = FileManager.default.temporaryDirectory.appending(path: "tutti-\(UUID().uuidString)")
  return try StateDirectory(path: path.path, program: "tutti-coordinator")
}

private func start(
  port: UInt16 = 0, in state: StateDirectory,
  _ change: (inout CoordinatorConfiguration) -> Void = { _ in }
) async throws -> RunningCoordinator {
  var configuration = CoordinatorConfiguration()
  configuration.listen = .loopback(port: port)
  configuration.apiPort = nil
  configuration.usesZeroconf = false
  change(&configuration)
  return try await RunningCoordinator(
    configuration, state: state, sources: NoMusic(), log: .discarding)
}

@Suite(.serialized) struct CoordinatorWholeTests {
  @Test func `all parts start, and stop`() async throws {
    let state = try stateDirectory()
    let running = try await start(in: state) { $0.apiPort = 0 }
    #expect(running.port > 0)
    #expect(try #require(running.apiPort) > 0)
    #expect(FileManager.default.fileExists(atPath: state.path(of: "control.sock")))
    await running.stop()
    #expect(!FileManager.default.fileExists(atPath: state.path(of: "control.sock")))
    try? FileManager.default.removeItem(atPath: state.path)
  }

  @Test func `a port in use is named, with what to do`() async throws {
    let state = try stateDirectory()
    let running = try await start(in: state)
    let other = try stateDirectory()
    let error = await #expect(throws: NetworkError.self) {
      _ = try await start(port: running.port, in: other)
    }
    #expect(error?.description.contains("port \(running.port)") == true)
    #expect(error?.description.contains("--port") == true)
    await running.stop()
    for directory in [state, other] { try FileManager.default.removeItem(atPath: directory.path) }
  }

  @Test func `a state directory in use is refused`() async throws {
    let state = try stateDirectory()
    let error = #expect(throws: ProcessError.self) {
      try StateDirectory(path: state.path, program: "tutti-coordinator")
    }
    #expect(error?.description.contains("in use by another tutti-coordinator") == true)
    try? FileManager.default.removeItem(atPath: state.path)
  }

  @Test func `a coordinator keeps its identity and its clock over a restart`() async throws {
    let state = try stateDirectory()
    await (try await start(in: state)).stop()
    let key = try state.read("node.key")
    let store = StoreAdapter(
      store: try StateStore(path: state.path(of: "state.sqlite")), log: .discarding)
    let clock = try #require(store.savedClock())
    await (try await start(in: state)).stop()
    #expect(try state.read("node.key") == key)
    #expect(store.savedClock() == clock)
    try? FileManager.default.removeItem(atPath: state.path)
  }
}
