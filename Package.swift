// swift-tools-version: 6.2
// The manifest is the architecture: executables -> runtimes -> adapters -> C modules,
// and runtimes -> pure cores -> AudioTime. Arrows point one way (docs/README names every target).

import PackageDescription

/// What every Swift target of Tutti is compiled with.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Pure cores take spans, never pointers, and the compiler holds them to it.
let pure = house + [.strictMemorySafety()]

/// Signal processing is unusably slow unoptimised (about 200 times), so it is optimised in debug builds too.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let cModules: [Target] = [
  // C++ around TagLib (Debian: libtag1-dev); its headers are found below taglib/ without flags.
  .target(
    name: "CTagLib",
    cxxSettings: [.unsafeFlags(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"])],
    linkerSettings: [.linkedLibrary("tag")]),
  .target(name: "CLinux", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
  // alsa's and avahi's .pc files carry -D_REENTRANT, which SwiftPM warns about; the module map links.
  .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
  .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
  .systemLibrary(
    name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
    providers: [
      .apt([
        "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev",
        "libswscale-dev",
      ])
    ]),
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CWebSockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
  .systemLibrary(
    name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
]

let cores: [Target] = [
  // Rounding is libm's, and nothing here imports Glibc, which would link it.
  .target(
    name: "AudioTime", swiftSettings: pure, linkerSettings: [.linkedLibrary("m")]),
  .target(name: "WireProtocol", dependencies: ["AudioTime"], swiftSettings: pure),
  .target(name: "DecoderProtocol", swiftSettings: pure + fast),
  .target(name: "TagRules", dependencies: ["DecoderProtocol"], swiftSettings: pure + fast),
  .target(name: "ClockSync", dependencies: ["AudioTime"], swiftSettings: pure + fast),
  .target(
    name: "RealtimeAudio", dependencies: ["AudioTime", "CLinux"], swiftSettings: house + fast),
  .target(
    name: "Playout", dependencies: ["AudioTime", "ClockSync", "RealtimeAudio", "WireProtocol"],
    swiftSettings: house + fast),
  .target(
    name: "House", dependencies: ["AudioTime", "WireProtocol"], swiftSettings: pure + fast),
  .target(
    name: "LiveInput", dependencies: ["AudioTime", "ClockSync", "RealtimeAudio"],
    swiftSettings: pure + fast),
  .target(
    name: "Catalogue", dependencies: ["DecoderProtocol"], swiftSettings: pure + fast),
  .target(name: "ControlAPI", swiftSettings: pure),
  .target(name: "CommandLineOptions", swiftSettings: pure),
]

let adapters: [Target] = [
  .target(name: "OpusCodec", dependencies: ["COpus"], swiftSettings: house + fast),
  .target(
    name: "ALSAOutput", dependencies: ["AudioTime", "CALSA", "CLinux"], swiftSettings: house),
  .target(name: "AvahiDiscovery", dependencies: ["CAvahi"], swiftSettings: house),
  .target(
    name: "MediaDecoding",
    dependencies: ["CFFmpeg", "Catalogue", "DecoderProtocol", "TagReading", "TagRules"],
    swiftSettings: house + fast),
  .target(
    name: "TagReading", dependencies: ["CTagLib", "DecoderProtocol", "TagRules"],
    swiftSettings: house + fast),
  .target(name: "SQLiteDatabase", dependencies: ["CSQLite"], swiftSettings: house),
  .target(name: "StateStore", dependencies: ["SQLiteDatabase"], swiftSettings: house),
  .target(
    name: "MusicLibrary", dependencies: ["Catalogue", "DecoderProtocol", "SQLiteDatabase"],
    swiftSettings: house),
  .target(name: "LinuxNetworking", dependencies: ["AudioTime", "CLinux"], swiftSettings: house),
  .target(
    name: "SecureLink", dependencies: ["COpenSSL", "LinuxNetworking", "WireProtocol"],
    swiftSettings: house),
  .target(
    name: "HTTPService", dependencies: ["CLinux", "CWebSockets", "DaemonProcess"],
    swiftSettings: house),
  .target(name: "HTTPClient", dependencies: ["CCurl"], swiftSettings: house),
  .target(name: "DaemonProcess", dependencies: ["AudioTime", "CLinux"], swiftSettings: house),
  // What a browser gets; the files become part of the program.
  .target(
    name: "PlayerPage",
    resources: ["index.html", "player.css", "player.js", "icon.svg"].map {
      .embedInCode("Page/\($0)")
    }, swiftSettings: house),
]

let runtimes: [Target] = [
  .target(
    name: "SpeakerRuntime",
    dependencies: [
      "ALSAOutput", "AudioTime", "AvahiDiscovery", "CLinux", "ClockSync", "CommandLineOptions",
      "DaemonProcess", "LinuxNetworking", "OpusCodec", "Playout", "RealtimeAudio", "SecureLink",
      "WireProtocol",
    ], swiftSettings: house),
  .target(
    name: "CoordinatorRuntime",
    dependencies: [
      "AudioTime", "AvahiDiscovery", "CLinux", "CommandLineOptions", "ControlAPI", "DaemonProcess",
      "Catalogue", "DecoderProtocol", "HTTPService", "House", "LinuxNetworking", "LiveInput",
      "MusicLibrary",
      "OpusCodec", "PlayerPage", "SQLiteDatabase", "SecureLink", "StateStore", "WireProtocol",
    ], swiftSettings: house),
  .target(
    name: "CommandLineClient",
    dependencies: [
      "AvahiDiscovery", "Catalogue", "CommandLineOptions", "ControlAPI", "HTTPClient",
    ],
    swiftSettings: house),
]

let programs: [Target] = [
  .executableTarget(name: "tutti", dependencies: ["CommandLineClient"], swiftSettings: house),
  .executableTarget(name: "tutti-speaker", dependencies: ["SpeakerRuntime"], swiftSettings: house),
  .executableTarget(
    name: "tutti-coordinator", dependencies: ["CoordinatorRuntime"], swiftSettings: house),
  .executableTarget(
    name: "tutti-decoder",
    dependencies: ["CommandLineOptions", "DecoderProtocol", "MediaDecoding"], swiftSettings: house),
]

let simulation: [Target] = [
  .target(
    name: "Simulation",
    dependencies: [
      "AudioTime", "ClockSync", "House", "Playout", "RealtimeAudio", "WireProtocol",
    ], swiftSettings: house + fast),
  // For those who work on Tutti: no product, so it is never installed.
  .executableTarget(
    name: "tutti-simulate", dependencies: ["CommandLineOptions", "Simulation"],
    swiftSettings: house),
]

/// A test target beside every module that has behaviour of its own.
func tests(_ module: String, and others: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: [.init(stringLiteral: module)] + others,
    swiftSettings: house)
}

let testTargets: [Target] = [
  // With the audio thread above it: what a room does when its card fails.
  tests(
    "ALSAOutput",
    and: [
      "AudioTime", "ClockSync", "DaemonProcess", "LinuxNetworking", "Playout", "RealtimeAudio",
      "SpeakerRuntime",
    ]),
  tests("AudioTime"),
  tests("AvahiDiscovery"),
  tests("Catalogue", and: ["DecoderProtocol"]),
  tests("ClockSync", and: ["AudioTime"]),
  tests("CommandLineClient", and: ["CommandLineOptions", "ControlAPI", "HTTPClient"]),
  tests("CommandLineOptions"),
  tests("ControlAPI"),
  tests(
    "CoordinatorRuntime",
    and: [
      "AudioTime", "ControlAPI", "DaemonProcess", "DecoderProtocol", "HTTPService", "House",
      "LinuxNetworking", "OpusCodec", "SecureLink", "StateStore", "WireProtocol",
    ]),
  tests("DaemonProcess", and: ["AudioTime"]),
  tests("DecoderProtocol", and: ["AudioTime"]),
  tests("HTTPClient", and: ["DaemonProcess", "HTTPService"]),
  tests("HTTPService", and: ["DaemonProcess"]),
  tests("House", and: ["AudioTime", "WireProtocol"]),
  tests("LinuxNetworking", and: ["AudioTime", "CLinux"]),
  tests("LiveInput", and: ["AudioTime"]),
  tests("MediaDecoding", and: ["AudioTime", "DecoderProtocol"]),
  tests("MusicLibrary", and: ["Catalogue", "DecoderProtocol", "SQLiteDatabase"]),
  tests("OpusCodec"),
  tests("Playout", and: ["AudioTime", "ClockSync", "OpusCodec", "RealtimeAudio", "WireProtocol"]),
  tests("RealtimeAudio", and: ["AudioTime"]),
  .testTarget(name: "RepositoryTests", swiftSettings: house),
  tests("SecureLink", and: ["AudioTime", "LinuxNetworking", "WireProtocol"]),
  tests(
    "Simulation",
    and: ["AudioTime", "ClockSync", "House", "Playout", "RealtimeAudio", "WireProtocol"]),
  tests(
    "SpeakerRuntime",
    and: [
      "AudioTime", "ClockSync", "DaemonProcess", "LinuxNetworking", "OpusCodec", "Playout",
      "RealtimeAudio", "SecureLink", "WireProtocol",
    ]),
  tests("StateStore", and: ["SQLiteDatabase"]),
  tests("TagRules", and: ["DecoderProtocol"]),
  .testTarget(
    name: "SystemTests",
    dependencies: ["ControlAPI", "tutti", "tutti-coordinator", "tutti-decoder", "tutti-speaker"],
    swiftSettings: house),
  tests("WireProtocol", and: ["AudioTime"]),
]

let package = Package(
  name: "tutti",
  products: [
    .executable(name: "tutti", targets: ["tutti"]),
    .executable(name: "tutti-speaker", targets: ["tutti-speaker"]),
    .executable(name: "tutti-coordinator", targets: ["tutti-coordinator"]),
    .executable(name: "tutti-decoder", targets: ["tutti-decoder"]),
  ],
  targets: cModules + cores + adapters + runtimes + programs + simulation + testTargets
)
