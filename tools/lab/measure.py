#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Says how well rooms played together.

usage: measure.py REFERENCE.wav CARD_STEM... [--json] [--skip SECONDS] [--png FILE]

Room skew: difference of two rooms' heard time, all pairs, means of 0.5 s windows. Missing: 20 ms
blocks at less than a fifth of their level or unlike the reference, between a room's first and last
sound. Discontinuity: a step of the alignment that no servo makes; of 20.8 us: a frame added or
dropped. Click: a jump of the samples that is not the music's. Pitch: the music's speed less 48 kHz.
The floor is the measurer's own: the median standard error of a 0.5 s mean."""
import argparse
import itertools
import json
import sys
import wave

import numpy as np

import plot
import quality
from align import ALIKE, BLOCK, SILENT, Alignment
from cardlog import CardLog

WINDOW = 25  # blocks in 0.5 s
# A lost frame is 20.8 us. Opus moves the estimate of one quiet 20 ms block by up to 8 us (measured,
# alike in all rooms), two of them by 13: between those lies what counts as a step.
STEP_US = 16.0
REACH = 4  # blocks either side of a step that are compared


def load_reference(path):
    with wave.open(path, "rb") as wav:
        if wav.getframerate() != 48_000 or wav.getsampwidth() != 2:
            sys.exit(f"{path}: the reference must be 16-bit at 48 kHz")
        data = np.frombuffer(wav.readframes(wav.getnframes()), "<i2").astype(np.float64) / 32_768
    return data.reshape(-1, wav.getnchannels()).mean(axis=1)


def align_rooms(reference, stems, from_ns=0, to_ns=None):
    """Aligns every room over the same grid of heard time, optionally only a part of it."""
    rooms = [CardLog(stem) for stem in stems]
    starts = [r.runs[0].start_ns for r in rooms if r.runs]
    ends = [run.end_ns for r in rooms for run in r.runs]
    if not starts:
        sys.exit("no card has played anything")
    step = BLOCK * 1e9 / 48_000
    last = max(ends) if to_ns is None else min(max(ends), to_ns)
    grid = np.arange(max(min(starts) + step, from_ns), last, step)
    return [Alignment(room, reference, grid) for room in rooms]


def drift_us(alignment):
    """Heard position minus a steady 48 kHz, in microseconds: flat for a perfect room."""
    ideal = (alignment.grid_ns - alignment.grid_ns[0]) * 48_000 / 1e9
    return (alignment.position - ideal) / 48_000 * 1e6


def sounding(alignment):
    """Index range from the room's first block of right music to its last."""
    right = np.flatnonzero(~np.isnan(alignment.position))
    return (right[0], right[-1] + 1) if right.size else (0, 0)


def missing_ms(alignment, reference_loud):
    first, last = sounding(alignment)
    lost = 0
    for k in range(first, last):
        absent = alignment.level[k] < SILENT * reference_loud or alignment.likeness[k] < ALIKE
        lost += 1 if absent else 0
    return lost * BLOCK / 48


def discontinuities(alignment):
    """(heard time s, size us) of each step of the alignment."""
    first, last = sounding(alignment)
    line = drift_us(alignment)[first:last]
    found = []
    k = REACH
    while k < line.size - REACH:
        before, after = line[k - REACH : k], line[k : k + REACH]
        if np.isnan(before).any() or np.isnan(after).any():
            k += 1
            continue
        slope = np.median(np.concatenate([np.diff(before), np.diff(after)]))
        step = np.median(after - slope * np.arange(REACH)) - np.median(
            before + slope * np.arange(REACH, 0, -1)
        )
        if abs(step) > STEP_US and abs(after[0] - before[-1] - slope) > STEP_US / 2:
            found.append((float((first + k) * 0.02), float(step)))
            k += REACH
        k += 1
    return found


def windows(line):
    """Means of 0.5 s windows that are at least half there; with their standard errors."""
    whole = line[: line.size // WINDOW * WINDOW].reshape(-1, WINDOW)
    there = (~np.isnan(whole)).sum(axis=1)
    good = there >= WINDOW // 2
    mean = np.full(whole.shape[0], np.nan)
    error = np.full(whole.shape[0], np.nan)
    for k in np.flatnonzero(good):
        values = whole[k][~np.isnan(whole[k])]
        x = np.arange(values.size)
        trend = np.polyval(np.polyfit(x, values, 1), x)
        mean[k] = values.mean()
        error[k] = np.std(values - trend) / np.sqrt(values.size)
    return mean, error


def skews(alignments):
    """Per pair: the skew of every 0.5 s window in microseconds, NaN where there is none, and the
    standard errors, which are the measurer's floor."""
    result = {}
    for a, b in itertools.combinations(alignments, 2):
        result[f"{a.room.name}/{b.room.name}"] = windows(drift_us(a) - drift_us(b))
    return result


def series(alignments, pairs):
    """The skews over time, for plots, and what was done to the cards meanwhile."""
    grid = alignments[0].grid_ns
    count = grid.size // WINDOW
    start = float(grid[0])
    events = [{"seconds": round((ns - start) / 1e9, 3), "room": a.room.name, "what": what,
               "detail": detail} for a in alignments for ns, what, detail in a.room.events]
    return {
        "startNanoseconds": int(start),
        "seconds": [round((k + 0.5) * WINDOW * BLOCK / 48_000, 3) for k in range(count)],
        "pairs": {name: [None if np.isnan(value) else round(float(value), 3) for value in mean]
                  for name, (mean, _) in pairs.items()},
        "events": sorted((e for e in events if 0 <= e["seconds"] <= (grid[-1] - start) / 1e9),
                         key=lambda event: event["seconds"]),
    }


def add_events(result, events):
    """Adds what happened to rooms and hosts, [(true RAW ns, node or None, what)], to the series."""
    series = result["series"]
    series["events"] += [{"seconds": round((ns - series["startNanoseconds"]) / 1e9, 3),
                          "room": node, "what": what} for ns, node, what in events]
    series["events"].sort(key=lambda event: event["seconds"])


def percentiles(values):
    values = values[~np.isnan(values)]
    if values.size == 0:
        return {"p50": None, "p99": None, "max": None}
    size = np.abs(values)
    return {
        "p50": round(float(np.percentile(size, 50)), 2),
        "p99": round(float(np.percentile(size, 99)), 2),
        "max": round(float(size.max()), 2),
    }


def room_report(alignment):
    """How right one room was, by itself."""
    first, last = sounding(alignment)
    seconds = (last - first) * BLOCK / 48_000
    level = np.median(alignment.level[first:last]) if last > first else 0
    steps = discontinuities(alignment)
    clicks = quality.clicks(alignment, first, last)
    added, dropped = quality.frames_per_minute(steps, seconds)
    return {
        "seconds": round(seconds, 2),
        "missingMilliseconds": round(missing_ms(alignment, level), 1),
        "lateFrames": alignment.room.late_frames,
        "discontinuities": len(steps),
        "steps": [[round(t, 2), round(s, 1)] for t, s in steps[:200]],
        "framesAddedPerMinute": added,
        "framesDroppedPerMinute": dropped,
        "clicks": len(clicks),
        "clickPlaces": [[round(k * BLOCK / 48_000, 2), round(size, 4)] for k, size in clicks[:200]],
        "pitchPPM": percentiles(quality.pitch_ppm(drift_us(alignment)[first:last])),
        "likeness": round(float(np.median(alignment.likeness[first:last])), 4)
        if last > first else 0,
        "firstSoundNanoseconds": alignment.room.first_sound_ns(),
    }


def report(alignments, skip_seconds):
    for alignment in alignments:  # the first seconds, when asked, are not judged
        first, _ = sounding(alignment)
        alignment.position[first : first + int(skip_seconds * 50)] = np.nan
    pairs = skews(alignments)
    everything = np.concatenate([mean for mean, _ in pairs.values()]) if pairs else np.zeros(0)
    errors = np.concatenate([e for _, e in pairs.values()]) if pairs else np.zeros(0)
    errors = errors[~np.isnan(errors)]
    return {
        "skewMicroseconds": percentiles(everything),
        "pairs": {name: percentiles(mean) for name, (mean, _) in pairs.items()},
        "floorMicroseconds": round(float(np.median(errors)), 3) if errors.size else None,
        "rooms": {alignment.room.name: room_report(alignment) for alignment in alignments},
        "series": series(alignments, pairs),
    }


def show(result):
    skew = result["skewMicroseconds"]
    print(f"room skew, all pairs, 0.5 s windows: p50 {skew['p50']} us, p99 {skew['p99']} us, "
          f"max {skew['max']} us (measurer's floor {result['floorMicroseconds']} us)")
    for name, pair in result["pairs"].items():
        print(f"  {name:28} p50 {pair['p50']} us  p99 {pair['p99']} us  max {pair['max']} us")
    for name, room in result["rooms"].items():
        pitch = room["pitchPPM"]
        print(f"  {name:14} {room['seconds']:7.2f} s right, "
              f"missing {room['missingMilliseconds']} ms, late frames {room['lateFrames']}, "
              f"likeness {room['likeness']}")
        print(f"  {'':14} discontinuities {room['discontinuities']}, clicks {room['clicks']}, "
              f"frames a minute added {room['framesAddedPerMinute']}, "
              f"dropped {room['framesDroppedPerMinute']}, pitch error p50 {pitch['p50']}, "
              f"max {pitch['max']} ppm")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference")
    parser.add_argument("stems", nargs="+")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--skip", type=float, default=0)
    parser.add_argument("--png", metavar="FILE")
    options = parser.parse_args()
    result = report(align_rooms(load_reference(options.reference), options.stems), options.skip)
    print(json.dumps(result, indent=2)) if options.json else show(result)
    if options.png:
        plot.skew_over_time(result, options.png)


if __name__ == "__main__":
    main()
