#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""A live source for the lab: music into a named pipe, by a clock of its own.

As a program: livesource.py WAV PIPE PPM LUMP writes the sound of a 48 kHz stereo file as raw 16 bit
samples, LUMP seconds at a time, as a source would whose crystal is off by PPM."""
import json
import os
import subprocess
import sys
import threading
import time
import wave
from dataclasses import dataclass

NAME = "lab"


@dataclass(frozen=True)
class Source:
    """The input, and who writes into it."""

    delay: str = "adaptive"
    ppm: float = 200
    lump_s: float = 0.02


def pipe(house):
    return f"{house.folder}/{NAME}.pipe"


def option(house, source):
    """What the coordinator is told."""
    return ["--input", f"{NAME}=pipe:{pipe(house)},delay={source.delay}"]


def command(house, source, path):
    """The writer."""
    return [sys.executable, os.path.abspath(__file__), path, pipe(house), str(source.ppm),
            str(source.lump_s)]


def watch_delay(stage):
    """Notes the playout delay each second, from now on."""
    found = stage.found["delayMilliseconds"] = []
    house = stage.house
    until = time.monotonic() + stage.seconds

    def watch():
        began = time.monotonic()
        while time.monotonic() < until:
            done = subprocess.run([house.bin + "/tutti", "--json", "status"], env=house.environment,
                                  capture_output=True, text=True)
            if done.returncode == 0:
                delay = json.loads(done.stdout)["groups"][0]["playback"].get("delayMilliseconds")
                found.append((round(time.monotonic() - began, 1), delay))
            time.sleep(1)

    threading.Thread(target=watch, daemon=True).start()


def show(result):
    """D over time in one line: only where it changed."""
    delays = [(at, d) for at, d in result.get("delayMilliseconds", []) if d is not None]
    changes = [delays[k] for k in range(len(delays)) if k == 0 or delays[k][1] != delays[k - 1][1]]
    if delays:
        shown = changes if len(changes) <= 12 else changes[:4] + changes[-8:]
        print("  D over time: " + ", ".join(f"{d:.0f} ms at {at:.0f} s" for at, d in shown)
              + f"; {delays[-1][1]:.0f} ms at the end")


def write(path, target, ppm, lump_s):
    with wave.open(path) as source:
        frames = source.readframes(source.getnframes())
        rate = source.getframerate()
    size = 4 * int(lump_s * rate)
    with open(target, "wb", buffering=0) as out:
        began = time.clock_gettime(time.CLOCK_MONOTONIC_RAW)
        for number, start in enumerate(range(0, len(frames), size)):
            due = began + number * lump_s / (1 + ppm * 1e-6)
            time.sleep(max(0.0, due - time.clock_gettime(time.CLOCK_MONOTONIC_RAW)))
            out.write(frames[start : start + size])


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
