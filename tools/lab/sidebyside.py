# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Puts the results of two systems, from the same scenario, beside each other."""
import numpy as np

import measure
from network import COORDINATOR

# Snapcast begins with fifty exchanges for its clock and then makes one a second, and moves by one
# frame at a time: from here on it has had long enough, whatever the scenario.
SETTLED_SECONDS = 30


def settled_skew(alignments, began_ns):
    """The skew of all pairs from SETTLED_SECONDS after `began_ns` on; None: that is too short."""
    late = alignments[0].grid_ns >= began_ns + SETTLED_SECONDS * 1e9
    if np.count_nonzero(late) < 2 * measure.WINDOW:
        return None
    kept = [alignment.position.copy() for alignment in alignments]
    for alignment in alignments:
        alignment.position[~late] = np.nan
    windows = [mean for mean, _ in measure.skews(alignments).values()]
    for alignment, position in zip(alignments, kept):
        alignment.position = position
    values = np.concatenate(windows)
    return measure.percentiles(values[~np.isnan(values)])


def skew(numbers):
    if numbers is None or numbers["p50"] is None:
        return "-"
    return " / ".join(f"{numbers[key]:.4g}" for key in ("p50", "p99", "max"))


def each(result, key):
    """One figure a room, in the order of the rooms."""
    return " / ".join(f"{room[key]:g}" for room in result["rooms"].values())


def corrections(result):
    return " / ".join(f"{room['framesAddedPerMinute'] + room['framesDroppedPerMinute']:.0f}"
                      for room in result["rooms"].values())


def process(result, names):
    """The mean cost of the processes of these names."""
    there = [result["processes"][name] for name in names if name in result["processes"]]
    if not there:
        return "-"
    cpu, memory = (sum(p[key] for p in there) / len(there) for key in ("cpuPercent", "rssMiB"))
    return f"{cpu:.2f} %, {memory:.1f} MiB"


def heard(result, kind):
    times = [t for t in result["timeToSoundMilliseconds"][kind].values() if t is not None]
    return f"{max(times):.0f} ms" if len(times) == len(result["rooms"]) else "not in every room"


ROWS = (
    ("skew p50 / p99 / max, us", lambda r: skew(r["skewMicroseconds"])),
    (f"  the same from {SETTLED_SECONDS} s on", lambda r: skew(r["settledSkewMicroseconds"])),
    ("missing, ms, each room", lambda r: each(r, "missingMilliseconds")),
    ("frames added or dropped a minute", corrections),
    ("clicks", lambda r: each(r, "clicks")),
    ("play to sound, cold, last room", lambda r: heard(r, "cold")),
    ("play to sound, armed, last room", lambda r: heard(r, "armed")),
    ("speaker, of one core and resident", lambda r: process(r, r["rooms"])),
    ("server, of one core and resident", lambda r: process(r, [COORDINATOR])),
)


def show(scenario, results):
    """Prints one column per system; `results`: name -> result."""
    print(f"side by side, {scenario}")
    print(f"  {'':36}" + "".join(f"{name:>34}" for name in results))
    for what, value in ROWS:
        print(f"  {what:36}" + "".join(f"{value(result):>34}" for result in results.values()))
