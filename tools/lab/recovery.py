# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""How soon rooms sound, and are in time, once a fault is over."""
import numpy as np

import measure
from align import BLOCK

IN_TIME_US = 100  # a room is in time when, and while, it is this close to the others
STEADY = 25  # blocks (0.5 s) of right music that make a room one that sounds again
SMOOTH = 5  # blocks (0.1 s): Opus moves the estimate of a single quiet one by several us


def seconds_to_sound(alignment, over_ns):
    """From `over_ns` to the right music that goes on; 0: it never stopped; None: it never came."""
    there = ~np.isnan(alignment.position)
    after = np.flatnonzero(alignment.grid_ns >= over_ns)
    for k in after:
        if there[k] and there[k : k + STEADY].mean() > 0.9:
            return 0.0 if k == after[0] else round(
                float(alignment.grid_ns[k] - over_ns) / 1e9 - BLOCK / 96_000, 3)
    return None


def smooth(line):
    """Medians of SMOOTH blocks; NaN where there is none."""
    padded = np.pad(line, SMOOTH // 2, constant_values=np.nan)
    views = np.lib.stride_tricks.sliding_window_view(padded, SMOOTH)
    known = ~np.isnan(views).all(axis=1)
    result = np.full(line.size, np.nan)
    result[known] = np.nanmedian(views[known], axis=1)
    return result


def seconds_in_time(alignment, others, over_ns):
    """From `over_ns` until the room is, and stays, in time with the nearest of the others.

    Where nobody else sounds there is nothing to be in time with."""
    mine = measure.drift_us(alignment)
    apart = [np.abs(smooth(mine - measure.drift_us(other))) for other in others]
    distance = np.fmin.reduce(apart)
    wrong = np.isnan(distance) | (distance > IN_TIME_US)
    last = measure.sounding(alignment)[1] - 1
    after = np.flatnonzero((alignment.grid_ns >= over_ns) & (np.arange(wrong.size) < last - SMOOTH))
    bad = after[wrong[after]] if after.size else after
    if after.size == 0 or (bad.size and bad[-1] == after[-1]):
        return None
    if bad.size == 0:
        return 0.0
    return round(float(alignment.grid_ns[bad[-1] + 1] - over_ns) / 1e9, 2)


def report(alignments, over_ns):
    """Per room: secondsToSound and secondsToInTime (100 us); nothing when nothing broke."""
    if over_ns is None:
        return {}
    return {a.room.name: {
        "secondsToSound": seconds_to_sound(a, over_ns),
        "secondsToInTime": seconds_in_time(a, [b for b in alignments if b is not a], over_ns)}
        for a in alignments}


def show(result):
    for room, back in result["recovery"].items():
        print(f"  after the fault, {room}: sounds after {back['secondsToSound']} s, "
              f"within {IN_TIME_US} us after {back['secondsToInTime']} s")
    if "wire" in result:
        wire = result["wire"]
        print(f"  the coordinator sent {wire['packets']} packets, at most "
              f"{wire['fullestMegabitsPerSecond']} Mb/s, the latest {wire['latestSeconds']} s "
              f"after its time, {wire['unheardPackets']} too late to be heard")
