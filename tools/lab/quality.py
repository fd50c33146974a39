# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""How one room's sound differs from the reference: clicks, steps of whole frames, pitch."""
import numpy as np

from align import BLOCK

# A click is a difference of neighbouring samples (of the room less the reference) that is this many
# times the usual one of its block, and larger than any that the music itself makes within 5 ms:
# what Opus at 192 kb/s leaves of a note's attack reached 0.53 of that in 25 s of the tune.
CLICK_RATIO = 12.0
CLICK_LEVEL = 0.005  # of full scale (-46 dB); below it a click is not counted
CLICK_NEAR = 240  # 5 ms: what is nearer is one click, or hidden by the music
NEARBY = 12  # blocks either side from which the usual gain comes: 0.25 s
FRAME_US = 1e6 / 48_000
MOST_FRAMES = 5  # a larger step is not a frame added or dropped
PITCH_BLOCKS = 100  # 2 s: Opus shifts single blocks by some us, which is 1 ppm over that long


def steepest_nearby(reference, first):
    """The music's own largest difference of neighbouring samples, 5 ms around each of a block."""
    low = int(first) - CLICK_NEAR
    at = np.clip(np.arange(low, low + BLOCK + 2 * CLICK_NEAR + 1), 0, reference.size - 1)
    steps = np.abs(np.diff(reference[at]))
    return np.lib.stride_tricks.sliding_window_view(steps, 2 * CLICK_NEAR + 1).max(axis=1)


def heard_steps(alignment, k):
    """The differences of neighbouring samples in block `k` as it was heard, from the one before on."""
    heard, before = alignment.heard(k), alignment.heard(k - 1) if k else None
    return np.abs(np.diff(heard, prepend=heard[0] if before is None else before[-1]))


def clicks(alignment, first, last):
    """(block, size) of each click between two blocks; size is a share of full scale."""
    found, before, last_at = [], 0.0, -CLICK_NEAR
    for k in range(first, last):
        near = alignment.gain[max(0, k - NEARBY) : k + NEARBY + 1]
        near = near[~np.isnan(near)]
        gain = np.median(near) if near.size else None
        rest = alignment.residual(k, gain) if near.size else None
        if rest is None:
            before = 0.0
            continue
        jumps = np.abs(np.diff(rest, prepend=before))
        before = rest[-1]
        # The median of |noise| is 0.67 of its deviation; a block with one click keeps it.
        limit = max(CLICK_RATIO * np.median(jumps) / 0.6745, CLICK_LEVEL)
        suspects = np.flatnonzero(jumps > limit)
        if suspects.size == 0:
            continue
        own = abs(gain) * steepest_nearby(alignment.reference, alignment.expected[k])
        # What is silent, or fading, differs from the reference by the music's own attacks: what was
        # heard must have jumped too.
        steps = heard_steps(alignment, k)
        for at in suspects[np.minimum(jumps, steps)[suspects] > own[suspects]]:
            place = k * BLOCK + int(at)
            if place - last_at >= CLICK_NEAR:
                found.append((k, float(jumps[at])))
            last_at = place
    return found


def frames_per_minute(steps, seconds):
    """Frames added to and dropped from the music, by a player that corrects by whole frames."""
    added = dropped = 0
    for _, size in steps:
        frames = round(abs(size) / FRAME_US)
        if not 1 <= frames <= MOST_FRAMES:
            continue
        if size > 0:
            dropped += frames
        else:
            added += frames
    per_minute = 60 / seconds if seconds > 0 else 0
    return round(added * per_minute, 1), round(dropped * per_minute, 1)


def pitch_ppm(line_us):
    """Speed of the music less 48 kHz, ppm, in 2 s windows without holes."""
    whole = line_us[: line_us.size // PITCH_BLOCKS * PITCH_BLOCKS].reshape(-1, PITCH_BLOCKS)
    seconds = np.arange(PITCH_BLOCKS) * BLOCK / 48_000
    return np.array([np.polyfit(seconds, window, 1)[0] for window in whole
                     if not np.isnan(window).any()])
