# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Shows a run's result, and holds it against its scenario's judgement."""
import numpy as np

import compare
import livesource
import measure
import recovery
from align import BLOCK

SURELY_ALIKE = 0.9  # Opus alone leaves 0.99 and more of a block
# The coordinator's cap, and a tenth more: the watcher counts in windows of 0.1 s, and flushes and
# clock answers are not under the cap.
MOST_MEGABITS = 22
IN_TIME_US = 1000  # a room that comes back is in time when, and while, it is this close


def fits(mine, other, k):
    """Whether a block is right where the other room is. After a gap the search may have settled on a
    place a few ms off that is like enough: music repeats itself."""
    heard = mine.heard(k)
    if heard is None or np.isnan(other.position[k]):
        return False
    there = other.position[k] - BLOCK / 2
    found = mine.refine(heard, there)
    if found is None or found[1] < SURELY_ALIKE:
        return False
    return abs(found[0] - there) / 48_000 * 1e6 < IN_TIME_US


def seconds_until_in_time(alignments, victim, from_ns):
    """From a room's return until it is, and stays, in time with another room."""
    mine = next(a for a in alignments if a.room.name == victim)
    other = next(a for a in alignments if a.room.name != victim)
    apart = np.abs(measure.drift_us(mine) - measure.drift_us(other))
    wrong = np.isnan(apart) | (apart > IN_TIME_US)
    after = np.flatnonzero(mine.grid_ns >= from_ns)
    bad = [k for k in after if wrong[k] and not fits(mine, other, k)]
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


def victim_failures(result, judgement):
    """What the room that is hurt did wrong, beside coming back late."""
    found, victim = [], judgement.victim
    missing = result["rooms"][victim]["missingMilliseconds"] if victim else 0
    if judgement.victim_missing_ms is not None and missing > judgement.victim_missing_ms:
        found.append(f"{victim}: {missing} ms missing, not at most {judgement.victim_missing_ms}")
    trouble = result["trouble"]
    if judgement.said not in trouble.get("said", ""):
        found.append(f'{victim}: "{judgement.said}" was not said, but "{trouble.get("said")}"')
    if trouble.get("cpuPercent", 0) > judgement.trouble_percent:
        found.append(f"{victim}: {trouble['cpuPercent']} % of a core while in trouble")
    return found


def unrecovered(result, judgement):
    """Rooms that took too long once the fault was over."""
    limits = {"secondsToSound": judgement.sound_within_s,
              "secondsToInTime": judgement.in_time_within_s}
    found = []
    for room, back in result["recovery"].items():
        for key, limit in limits.items():
            if limit is not None and (back[key] is None or back[key] > limit):
                found.append(f"{room}: {key} after the fault is {back[key]}, not within {limit}")
    return found


def unruly_wire(wire):
    """What is wrong with what the coordinator sent."""
    found = []
    if wire["fullestMegabitsPerSecond"] > MOST_MEGABITS:
        found.append(f"{wire['fullestMegabitsPerSecond']} Mb/s sent, more than {MOST_MEGABITS}")
    if wire["unheardPackets"]:
        found.append(f"{wire['unheardPackets']} packets were sent too late to be heard")
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
    found += victim_failures(result, judgement)
    found += unrecovered(result, judgement)
    if "wire" in result:
        found += unruly_wire(result["wire"])
    for key, words in judgement.found:
        if words not in str(result.get(key, "")):
            found.append(f"{key} does not say \"{words}\"")
    for name, room in result["rooms"].items():
        if name == victim:
            continue
        if room["clicks"] > judgement.clicks:
            found.append(f"{name}: {room['clicks']} clicks")
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
    if result["trouble"]:
        print("  in trouble: {said}; {cpuPercent} % of a core".format(**result["trouble"]))
    recovery.show(result)
    livesource.show(result)
    for name, usage in result["processes"].items():
        print(f"  {name:14} {usage['cpuPercent']} % of a core, {usage['rssMiB']} MiB resident")
    if result["links"]:
        show_links(result["links"])
    compare.show(result["comparison"])
