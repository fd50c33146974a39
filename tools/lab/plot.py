#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Draws what the measurer found, from what run --json or measure.py --json wrote.

usage: plot.py RESULT.json OUT.png

Needs matplotlib: tools/setup --lab installs Debian's python3-matplotlib."""
import json
import math
import sys

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]  # told apart by all
MARK = "#666666"


def library():
    """matplotlib, drawing to files only; says what to do when it is missing."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("plot: matplotlib is missing; 'tools/setup --lab' installs python3-matplotlib "
                 "(the scripts run on Debian's /usr/bin/python3)")
    matplotlib.use("Agg")
    import matplotlib.pyplot
    return matplotlib.pyplot


def scale(axes, pairs):
    """Height of the picture: all of it, 5 us at least; logarithmic beyond the usual where a fault
    would make a flat line of the rest."""
    sizes = sorted(abs(v) for values in pairs.values() for v in values if v is not None) or [0.0]
    largest, usual = sizes[-1], max(5.0, 2 * sizes[int(0.8 * (len(sizes) - 1))])
    if largest <= 10 * usual:
        height = max(5.0, 1.15 * largest)
        axes.set_ylim(-height, height)
        axes.set_ylabel("skew, microseconds")
        return
    linear = 10.0 ** math.ceil(math.log10(usual))
    axes.set_yscale("symlog", linthresh=linear)
    axes.set_ylim(-4 * largest, 4 * largest)
    axes.set_ylabel(f"skew, microseconds (log. beyond {linear:.0f})")


def mark_events(axes, events):
    """A dotted line for each; words only where they do not run into the ones before."""
    free_from = -math.inf
    left, right = axes.get_xlim()
    for event in events:
        at = event["seconds"]
        if not left <= at <= right:
            continue
        axes.axvline(at, color=MARK, linewidth=0.8, linestyle=":")
        if at < free_from:
            continue
        words = " ".join(str(w) for w in (event.get("room"), event["what"]) if w)
        axes.annotate(words, (at, 1), xycoords=("data", "axes fraction"), xytext=(3, -4),
                      textcoords="offset points", rotation=90, va="top", fontsize=7, color=MARK)
        free_from = at + (right - left) * 0.015


def skew_over_time(result, path, title=None):
    """Writes a PNG of every pair's skew, each 0.5 s, with what was done to the rooms marked."""
    plt = library()
    series, skew = result["series"], result["skewMicroseconds"]
    figure, axes = plt.subplots(figsize=(9, 4), dpi=120)
    for number, (name, values) in enumerate(sorted(series["pairs"].items())):
        line = [math.nan if v is None else v for v in values]
        axes.plot(series["seconds"], line, linewidth=1.1, color=COLOURS[number % len(COLOURS)],
                  label=name)
    axes.axhline(0, color="black", linewidth=0.6)
    scale(axes, series["pairs"])
    if series["seconds"]:
        axes.set_xlim(0, series["seconds"][-1])
    mark_events(axes, series["events"])
    axes.set_xlabel("seconds")
    axes.set_title(title or result.get("scenario", "room skew"), loc="left")
    axes.set_title(f"p50 {skew['p50']}, p99 {skew['p99']}, max {skew['max']} us", loc="right",
                   fontsize=9)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if series["pairs"]:
        axes.legend(frameon=False, fontsize=8, ncol=3, loc="lower left")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as source:
        skew_over_time(json.load(source), sys.argv[2])


if __name__ == "__main__":
    main()
