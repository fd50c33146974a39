# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Holds a run's result against its scenario's judgement."""
import numpy as np

import measure

IN_TIME_US = 1000  # a room that comes back is in time when, and while, it is this close


def seconds_until_in_time(alignments, victim, from_ns):
    """From a room's return until it is, and stays, in time with another room."""
    mine = next(a for a in alignments if a.room.name == victim)
    other = next(a for a in alignments if a.room.name != victim)
    apart = np.abs(measure.drift_us(mine) - measure.drift_us(other))
    wrong = np.isnan(apart) | (apart > IN_TIME_US)
    after = np.flatnonzero(mine.grid_ns >= from_ns)
    bad = [k for k in after if wrong[k]]
    last_bad = bad[-1] if bad else after[0]
    if last_bad == after[-1]:
        return None
    return round(float(mine.grid_ns[last_bad + 1] - from_ns) / 1e9, 2)


def bounds_us(result):
    """The clock bound that each room reported at the end."""
    return {room["name"]: room["health"]["clockBoundMicroseconds"]
            for room in result["reported"]["rooms"]}


def uncovered(pairs, bounds):
    """Pairs whose skew is larger than their two rooms said was possible."""
    found = []
    for name, pair in pairs.items():
        possible = sum(bounds[room] for room in name.split("/"))
        if pair["max"] is None or pair["max"] > possible:
            found.append(f"{name}: skew {pair['max']} us, the reported bounds allow {possible:.0f}")
    return found


def failures(result, judgement):
    """What --assert objects to, in words."""
    found = []
    victim = judgement.victim
    pairs = {n: p for n, p in result["pairs"].items() if victim not in n.split("/")}
    if judgement.skew_p99_us is not None:
        p99 = max((p["p99"] for p in pairs.values() if p["p99"] is not None), default=None)
        if p99 is None or p99 >= judgement.skew_p99_us:
            found.append(f"skew p99 is {p99} us, not below {judgement.skew_p99_us:.0f}")
    if judgement.bound_covers:
        found += uncovered(pairs, bounds_us(result))
    if judgement.back_within_s is not None:
        back = result["backInTimeSeconds"]
        if back is None or back > judgement.back_within_s:
            found.append(f"{victim}: in time again after {back} s, "
                         f"not within {judgement.back_within_s}")
    for name, room in result["rooms"].items():
        if name == victim:
            continue
        if room["likeness"] < judgement.likeness:
            found.append(f"{name}: not the right music (likeness {room['likeness']})")
        if room["missingMilliseconds"] > judgement.missing_ms:
            found.append(f"{name}: {room['missingMilliseconds']} ms missing")
    return found
