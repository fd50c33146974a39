# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Builds the bent clock (clock/clock.c says what it bends) and moves it while programs run.

    library = build_clock(folder)
    clock = HostClock(folder + "/kitchen.clock", ppm=12)
    subprocess.Popen(..., env=os.environ | clock.environment(library))
    clock.slew(500, seconds=20)"""
import mmap
import os
import struct
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# struct control in clock/clock.c: turn, slewed, start, length, ppb, step, BOOTTIME ahead, asleep.
LAYOUT = struct.Struct("<Q7q")


def build_clock(folder):
    """Compiles the library into `folder`; returns its path."""
    target = os.path.join(folder, "bentclock.so")
    sources = [f"{HERE}/clock/{name}.c" for name in ("clock", "waits", "stamps")]
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", target, *sources],
                   check=True)
    return target


class HostClock:
    """The clock of one lab host: every program of that host gets the same environment."""

    def __init__(self, path, ppm=0.0):
        self.path, self.ppm = os.path.abspath(path), ppm
        with open(path, "wb") as out:
            out.write(bytes(mmap.PAGESIZE))
        with open(path, "r+b") as control:
            self.memory = mmap.mmap(control.fileno(), mmap.PAGESIZE)

    def environment(self, library):
        """What a program of this host is started with."""
        return {"LD_PRELOAD": library, "BENTCLOCK_PPM": repr(self.ppm),
                "BENTCLOCK_CONTROL": self.path}

    def slew(self, ppm, seconds):
        """Slews MONOTONIC, BOOTTIME and REALTIME from now on, not RAW; ends an earlier slew."""
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        slewed, start, length, ppb, *others = self.read()
        slewed += max(0, min(now - start, length)) * ppb // 10**9
        self.write(slewed, now, int(seconds * 1e9), int(ppm * 1000), *others)

    def step_realtime(self, seconds):
        """Steps the wall clock, by what it was stepped before and this."""
        self.add(4, seconds)

    def wake_later(self, seconds):
        """BOOTTIME goes ahead of the others, as if the host had slept (nothing is stopped)."""
        self.add(5, seconds)

    def sleep_through(self, seconds):
        """RAW and MONOTONIC fall back: call it after the host's programs were stopped (SIGSTOP) for
        at least `seconds` and before they go on. BOOTTIME and REALTIME go on: a true suspend."""
        self.add(6, seconds)

    def add(self, index, seconds):
        values = list(self.read())
        values[index] += int(seconds * 1e9)
        self.write(*values)

    def read(self):
        return LAYOUT.unpack(self.memory[: LAYOUT.size])[1:]

    def write(self, *values):
        turn = LAYOUT.unpack(self.memory[: LAYOUT.size])[0]
        self.memory[:8] = struct.pack("<Q", turn + 1)  # odd: being written
        self.memory[8 : LAYOUT.size] = LAYOUT.pack(0, *values)[8:]
        self.memory[:8] = struct.pack("<Q", turn + 2)
