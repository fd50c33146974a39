# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Reads what a virtual card logged (card/card.c): which frame was heard when."""
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

FORMATS = {
    "FLOAT_LE": ("<f4", 1.0),
    "S32_LE": ("<i4", 2.0**-31),
    "S16_LE": ("<i2", 2.0**-15),
}


@dataclass
class Run:
    """One unbroken run of the device: frame `first` of the file is heard at `start_ns`."""

    start_ns: int
    first: int
    rate: float  # frames per second at the start
    end: int = -1  # exclusive; -1: to the end of the file
    late: list = field(default_factory=list)
    # Where the line bends: (ns, frame of the file, frames per second from there on).
    bends: list = field(default_factory=list)

    def __post_init__(self):
        self.bends = [(self.start_ns, float(self.first), self.rate)]

    @cached_property
    def line(self):
        """The bends as arrays. Between two of them the line is straight, for it joins what the card
        logged; after the last its own rate holds."""
        at, frame, rate = (np.array(column) for column in zip(*self.bends))
        return at, frame, np.append(np.diff(frame) / np.maximum(np.diff(at), 1) * 1e9, rate[-1])

    def frame_at(self, ns):
        """Frames of the file that have been heard at `ns` (an array or a number)."""
        at, frame, rate = self.line
        k = np.maximum(np.searchsorted(at, ns, side="right") - 1, 0)
        return frame[k] + (ns - at[k]) / 1e9 * rate[k]

    def ns_at(self, frame):
        """When a frame of the file was heard; the frame that a stall cut in two: after it."""
        at, first, rate = self.line
        k = max(0, int(np.searchsorted(first, frame, side="right")) - 1)
        return int(at[k]) + int((frame - first[k]) * 1e9 / rate[k])

    @property
    def end_ns(self):
        return self.ns_at(self.end)


class CardLog:
    """The sound of one room, addressed by the time it was heard (CLOCK_MONOTONIC_RAW, ns)."""

    def __init__(self, stem):
        self.name = stem.rsplit("/", 1)[-1]
        self.runs = []
        self.events = []  # (ns, what, detail) that the lab did to the card
        sample, scale, channels = "<f4", 1.0, 2
        for line in open(stem + ".txt"):
            word, *rest = line.split()
            if word == "format":
                sample, scale = FORMATS[rest[0]]
                channels = int(rest[2])
            elif word == "start":
                self.runs.append(Run(int(rest[0]), int(rest[1]), float(rest[2])))
            elif word == "at" and self.runs:
                self.runs[-1].bends.append((int(rest[0]), float(rest[1]), float(rest[2])))
            elif word == "event":
                self.events.append((int(rest[0]), rest[1], float(rest[2])))
            elif word == "stop" and self.runs:
                self.runs[-1].end = int(rest[1])
            elif word == "late" and self.runs:
                self.runs[-1].late.append((int(rest[0]), int(rest[1])))
        data = np.fromfile(stem + ".raw", dtype=sample)
        data = data[: data.size // channels * channels].reshape(-1, channels)
        self.frames = data.astype(np.float32) * scale
        self.mono = self.frames.mean(axis=1).astype(np.float64)
        following = [run.first for run in self.runs[1:]] + [self.mono.size]
        for run, after in zip(self.runs, following):
            if run.end < 0:  # the player was killed: what it wrote was heard, nothing later
                run.end = after
            for first, count in run.late:  # nobody heard these
                self.mono[first : first + count] = 0

    @property
    def late_frames(self):
        return sum(count for run in self.runs for _, count in run.late)

    def first_sound_ns(self, after_ns=0, threshold=1e-3):
        """When the first frame louder than `threshold` was heard, at or after `after_ns`."""
        for run in self.runs:
            skip = max(run.first, int(run.frame_at(after_ns)))
            loud = np.flatnonzero(np.abs(self.mono[skip : run.end]) > threshold)
            if loud.size:
                return run.ns_at(skip + loud[0])
        return None

    def window(self, start_ns, frames):
        """`frames` samples of 48 kHz heard from `start_ns` on; None where no run covers them."""
        for run in self.runs:
            if start_ns < run.start_ns:
                continue
            at = run.frame_at(start_ns + np.arange(frames) * (1e9 / 48_000))
            if at[-1] + 1 <= run.end:
                return sample(self.mono, at)
        return None


TAPS = 32
PHASES = 2048


def kernel_table():
    """Windowed-sinc interpolation kernels, one row a phase (Kaiser 9: -90 dB beyond the band)."""
    phase = np.arange(PHASES + 1)[:, None] / PHASES
    tap = np.arange(TAPS)[None, :] - (TAPS // 2 - 1)
    x = tap - phase
    inside = np.clip(1 - (x / (TAPS / 2)) ** 2, 0, None)
    return np.sinc(x) * np.i0(9.0 * np.sqrt(inside)) / np.i0(9.0)


KERNELS = kernel_table()


def sample(signal, positions):
    """`signal` at fractional `positions`, band-limited; zero outside."""
    whole = np.floor(positions).astype(np.int64)
    phase = (positions - whole) * PHASES
    low = phase.astype(np.int64)
    blend = (phase - low)[:, None]
    weights = KERNELS[low] * (1 - blend) + KERNELS[np.minimum(low + 1, PHASES)] * blend
    index = whole[:, None] + np.arange(TAPS)[None, :] - (TAPS // 2 - 1)
    inside = (index >= 0) & (index < signal.size)
    values = np.where(inside, signal[np.clip(index, 0, signal.size - 1)], 0.0)
    return np.einsum("ij,ij->i", values, weights)


def stretch(signal, first, count):
    """sample(signal, first + arange(count)), seventeen times faster: all share one phase."""
    whole = int(np.floor(first))
    phase = (first - whole) * PHASES
    low = int(phase)
    blend = phase - low
    weights = KERNELS[low] * (1 - blend) + KERNELS[min(low + 1, PHASES)] * blend
    begin = whole - (TAPS // 2 - 1)
    end = begin + count + TAPS - 1
    inside = signal[max(begin, 0) : max(end, 0)]
    padded = np.pad(inside, (max(-begin, 0) if inside.size else 0, 0))
    padded = np.pad(padded, (0, count + TAPS - 1 - padded.size))
    return np.correlate(padded, weights, "valid")
