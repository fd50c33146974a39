#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Holds what the rooms say about themselves against what the measurer saw from outside.

usage: compare.py RESULT.json     (of run --json, with "samples")

For each pair and 0.5 s window: the measured skew may be as large as both rooms' claims together.
  said      sum of sync error p99 + 4 sigma of the clock: should cover 99 % of the windows
  bound     sum of sync error max + the clock's hard bound: should cover every window, also where an
            asymmetric path cannot be seen
  ratio     median measured skew to the median that the claims make likely (root sum of squares of
            p50 and sigma of both rooms): well above 1 they flatter, well below 1 they are timid"""
import json
import sys
import threading

import numpy as np

from house import raw_ns

EVERY_SECONDS = 1.0
# A room reports once a second, and is asked once a second: what is read from 1 s after a window on
# includes that window. Read later than 4 s after it, it no longer speaks of it.
SOONEST_NS, LATEST_NS = 1_000_000_000, 4_000_000_000
COVERED = 0.99


class Sampler:
    """Asks the coordinator once a second what the rooms say; `with` or start() and stop()."""

    def __init__(self, house):
        self.house, self.samples = house, []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def stop(self):
        """Ends; returns [{"nanoseconds": true RAW, "rooms": {name: health}}]."""
        self.ended.set()
        self.thread.join(timeout=10)
        return self.samples

    __enter__ = start

    def __exit__(self, *_):
        self.stop()

    def run(self):
        while not self.ended.wait(EVERY_SECONDS):
            try:
                rooms = self.house.reported()["rooms"]
            except (SystemExit, OSError, ValueError, KeyError, TypeError):
                continue  # the coordinator is away
            said = {room["name"]: room["health"] for room in rooms
                    if room.get("isConnected") and "health" in room}
            if said:  # other systems say nothing
                self.samples.append({"nanoseconds": raw_ns(), "rooms": said})


def claim(health):
    """(likely, said, bound) in microseconds; None when the room claims nothing."""
    window = health.get("syncErrorTenSeconds")
    if window:
        p50, p99, most = (window[f"{k}Microseconds"] for k in ("p50", "p99", "max"))
    else:
        p50, p99, most = (health.get(f"syncError{k}Microseconds") for k in ("P50", "P99", "Max"))
    sigma, bound = (health.get(f"clock{k}Microseconds") for k in ("Sigma", "Bound"))
    if None in (p50, p99, most, sigma, bound):
        return None
    return np.hypot(p50, sigma), p99 + 4 * sigma, most + bound


def claims_of(pair, window_ns, samples):
    """Both rooms' claims from the first sample that speaks of the window."""
    for sample in samples:
        if not SOONEST_NS <= sample["nanoseconds"] - window_ns <= LATEST_NS:
            continue
        rooms = sample["rooms"]
        found = [claim(rooms[name]) for name in pair.split("/") if name in rooms]
        if len(found) == 2 and None not in found:
            return found
    return None


def rows(pair, result, samples):
    """(measured, likely, said, bound) of every window of a pair that both spoke of."""
    series = result["series"]
    found = []
    for seconds, skew in zip(series["seconds"], series["pairs"][pair]):
        both = skew is not None and claims_of(
            pair, series["startNanoseconds"] + int(seconds * 1e9), samples)
        if both:
            (likely_a, *a), (likely_b, *b) = both
            found.append((abs(skew), np.hypot(likely_a, likely_b), a[0] + b[0], a[1] + b[1]))
    return np.array(found).reshape(-1, 4)


def summary(table):
    measured, likely, said, bound = table.T
    if measured.size == 0:
        return {"windows": 0}
    middle, expected = float(np.median(measured)), float(np.median(likely))
    return {
        "windows": int(measured.size),
        "withinSaid": round(float(np.mean(measured <= said)), 4),
        "withinBound": round(float(np.mean(measured <= bound)), 4),
        "measuredMedianMicroseconds": round(middle, 2),
        "likelyMedianMicroseconds": round(expected, 2),
        "saidMedianMicroseconds": round(float(np.median(said)), 2),
        "boundMedianMicroseconds": round(float(np.median(bound)), 2),
        "ratio": round(middle / expected, 2) if expected > 0 else None,
    }


def compare(result, samples):
    """For all pairs together and each; `agrees` when the claims covered the skew."""
    tables = {pair: rows(pair, result, samples) for pair in result["series"]["pairs"]}
    every = np.concatenate([*tables.values(), np.zeros((0, 4))])
    together = summary(every)
    return {
        "agrees": bool(every.size and together["withinSaid"] >= COVERED
                       and together["withinBound"] == 1),
        "all": together,
        "pairs": {pair: summary(table) for pair, table in tables.items()},
    }


def show(comparison):
    if comparison["all"]["windows"] == 0:
        print("reported and measured: no window that both speak of")
        return
    print(f"reported and measured {'agree' if comparison['agrees'] else 'DISAGREE'}: skew within "
          f"what was said (p99 + 4 sigma) in {100 * comparison['all']['withinSaid']:.1f} % of "
          f"windows, within the bound in {100 * comparison['all']['withinBound']:.1f} %")
    for name, pair in {"all pairs": comparison["all"], **comparison["pairs"]}.items():
        if pair["windows"]:
            print(f"  {name:20} measured {pair['measuredMedianMicroseconds']} us, "
                  f"likely {pair['likelyMedianMicroseconds']}, "
                  f"said {pair['saidMedianMicroseconds']}, "
                  f"bound {pair['boundMedianMicroseconds']} "
                  f"(medians of {pair['windows']} windows); ratio {pair['ratio']}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1]) as source:
        result = json.load(source)
    show(compare(result, result.get("samples", [])))


if __name__ == "__main__":
    main()
