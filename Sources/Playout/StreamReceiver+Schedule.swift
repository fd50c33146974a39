// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import RealtimeAudio
internal import WireProtocol

// Cues: each generation has one that starts it and perhaps one that stops it. The schedule is their list,
// in the order of the generations; the renderer paints later ones over earlier ones.

extension StreamReceiver {
  /// From silence into the middle of a wave: 2 ms do not click and cost no attack.
  private static var fadeFromSilence: Int32 { 96 }
  /// From one music into another: 10 ms.
  private static var crossFade: Int32 { 480 }

  /// Lets `index` fall silent at `frame`.
  mutating func stop(_ index: Int, at frame: MediaFrame, fadeFrames: Int32, serial: UInt32?) {
    generations[index].stop = StreamGeneration.Stop(
      frame: frame, fadeFrames: fadeFrames, serial: serial)
    let begins = generations[index].startCue?.start ?? generations[index].firstAudible
    if generations[index].fill == nil, begins.map({ $0 >= frame }) ?? true {
      // It would never be heard.
      drop(index)
      return
    }
    generations[index].stopCue = cue(lane: nil, at: frame, fade: fadeFrames)
    rebuildSchedule()
  }

  /// Lets `index` sound on `lane` from `opening` on.
  mutating func start(_ index: Int, on lane: Int, _ opening: StreamGeneration.Opening) {
    let isFromSilence =
      !opening.isJoin
      && !generations[..<index].contains { older in
        guard older.startCue != nil else { return false }
        return older.stop.map { $0.settled > opening.audible } ?? true
      }
    generations[index].startCue = cue(
      lane: Int32(lane), at: opening.audible,
      fade: isFromSilence ? Self.fadeFromSilence : Self.crossFade)
    rebuildSchedule()
  }

  /// Forgets a generation; whoever holds its lane is told by `nextStep`.
  mutating func drop(_ index: Int) {
    if let fill = generations[index].fill { closing.append(fill.lane) }
    generations.remove(at: index)
    rebuildSchedule()
  }

  mutating func rebuildSchedule() {
    var cues = LaneSchedule()
    for (index, generation) in generations.enumerated() {
      guard let start = generation.startCue else { continue }
      cues.append(start)
      guard let stop = generation.stopCue else { continue }
      let isCovered = generations[(index + 1)...].contains { newer in
        newer.startCue.map { $0.start <= stop.start } ?? false
      }
      if !isCovered { cues.append(stop) }
    }
    schedule = cues
  }

  private mutating func cue(lane: Int32?, at frame: MediaFrame, fade: Int32) -> LaneCue {
    defer { nextCueSerial = nextCueSerial == .max ? 1 : nextCueSerial + 1 }
    return LaneCue(serial: nextCueSerial, lane: lane, start: frame, fadeFrames: fade)
  }
}
