# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Shows a run's result, and holds it against its scenario's judgement."""
import numpy as np

import compare
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


def outside_bounds(result, victim, covered):
    """Pairs whose skew was too often larger than their two rooms said was possible."""
    found = []
    for name, pair in result["comparison"]["pairs"].items():
        if victim in name.split("/"):
            continue
        if not pair["windows"] or pair["withinBound"] < covered:
            found.append(f"{name}: skew within the reported bounds in "
                         f"{100 * pair.get('withinBound', 0):.1f} % of the windows")
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
    found += outside_bounds(result, victim, judgement.bound_covers)
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


def show_links(links):
    print(f"  links: {links['kernelDrops']} packets lost by the emulator itself; how late it was:")
    for room, way in links["links"].items():
        parts = []
        for direction, count in way.items():
            late = count["lateMicroseconds"]
            parts.append(f"{direction} p50 {late['p50']} p99 {late['p99']} max {late['max']} us "
                         f"({count['sent']} sent, {count['lost']} lost, {count['stalled']} stalled)")
        if any(count["sent"] for count in way.values()):
            print(f"  {room:14} " + "; ".join(parts))


def show(result, scenario):
    print(f"scenario {scenario.name} ({scenario.about}), network: {result['network']}")
    measure.show(result)
    for kind, rooms in result["timeToSoundMilliseconds"].items():
        print(f"  play to sound, {kind}: " + ", ".join(f"{r} {t} ms" for r, t in rooms.items()))
    if result["backInTimeSeconds"] is not None:
        print(f"  {scenario.judgement.victim} was in time again (1 ms) "
              f"{result['backInTimeSeconds']} s after its return")
    for name, usage in result["processes"].items():
        print(f"  {name:14} {usage['cpuPercent']} % of a core, {usage['rssMiB']} MiB resident")
    if result["links"]:
        show_links(result["links"])
    compare.show(result["comparison"])
