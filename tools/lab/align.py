# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Finds where in the reference a room is, every 20 ms of the time it was heard.

Coarse: one cross-correlation with the whole reference. Fine: Gauss-Newton on the delay, which is
the maximum-likelihood estimate for a known waveform in noise, to a fraction of a microsecond."""
import numpy as np

from cardlog import stretch

BLOCK = 960  # 20 ms: one packet
SILENT = 0.2  # of the reference's level: below this the block is missing
# From here on a block tells the time. What is all there is above 0.999 through Opus; concealed packets
# were found alike by up to 0.987 at places 10 - 30 ms off (music resembles itself) and held there.
SURE = 0.99
STEADY_FRAMES = 48  # 1 ms: no servo moves as far within a block
ALIKE = 0.6  # correlation from which a block counts as the right music
# So many blocks in a row that do not tell the time may be another place of the same chord, some
# ms off, that a search settled on after a gap: search again.
DOUBTS = 3


class Alignment:
    """Per 20 ms block of heard time: position in the reference, and how well it fits."""

    def __init__(self, room, reference, grid_ns):
        self.room = room
        self.reference = reference
        self.grid_ns = grid_ns
        self.position = np.full(grid_ns.size, np.nan)  # reference frames at the block's middle
        self.likeness = np.zeros(grid_ns.size)
        self.level = np.zeros(grid_ns.size)  # of the room, relative to the reference
        self.covered = np.zeros(grid_ns.size, bool)
        self.gain = np.full(grid_ns.size, np.nan)  # of the room over the reference, with its sign
        self.expected = np.full(grid_ns.size, np.nan)  # reference frame of the block's start
        self.spectra = {}  # of the reference, per size of the transform
        self.derivative = np.gradient(reference)
        self.track()

    def track(self):
        predicted, doubts = None, 0
        for k, middle in enumerate(self.grid_ns):
            start = middle - BLOCK * 1e9 / 48_000 / 2
            heard = self.room.window(start, BLOCK)
            if heard is None:
                continue
            self.covered[k] = True
            loudness = np.sqrt(np.mean(heard**2))
            if loudness < 1e-4:
                if predicted is not None:
                    self.expected[k] = predicted
                    predicted += BLOCK
                continue
            found = self.refine(heard, predicted) if predicted is not None else None
            doubts = doubts + 1 if found is not None and found[1] < SURE else 0
            if found is None or found[1] < ALIKE or doubts >= DOUBTS:
                again = self.search(start)
                other = self.refine(heard, again) if again is not None else None
                if found is None or other is not None and other[1] > found[1]:
                    found = other
                doubts = 0
            if found is None:
                continue
            first, self.likeness[k], self.level[k], gain = found
            moved = predicted is not None and abs(first - predicted) > STEADY_FRAMES
            if self.likeness[k] >= (SURE if moved else ALIKE):
                # A block that is in part made up (a concealed packet) is right music at no exact time.
                self.position[k] = first + BLOCK / 2 if self.likeness[k] >= SURE else np.nan
                self.expected[k], self.gain[k] = first, gain
                predicted = first + BLOCK
            elif predicted is not None:
                self.expected[k] = predicted
                predicted += BLOCK

    def heard(self, k):
        """The samples of block `k`; None when the card did not run all the time."""
        start = self.grid_ns[k] - BLOCK * 1e9 / 48_000 / 2
        return self.room.window(start, BLOCK) if self.covered[k] else None

    def residual(self, k, gain):
        """What block `k` has beside the reference; None where it is not known what was due."""
        heard = self.heard(k)
        if heard is None or np.isnan(self.expected[k]):
            return None
        return heard - gain * stretch(self.reference, self.expected[k], BLOCK)

    def search(self, start_ns):
        """Reference frame at `start_ns`, by correlating up to 0.4 s with all of the reference."""
        for blocks in (20, 8, 3):
            heard = self.room.window(start_ns, BLOCK * blocks)
            if heard is not None:
                break
        else:
            return None
        size = 1 << int(np.ceil(np.log2(self.reference.size + heard.size)))
        if size not in self.spectra:
            self.spectra[size] = np.fft.rfft(self.reference, size)
        match = np.fft.irfft(self.spectra[size] * np.conj(np.fft.rfft(heard, size)), size)
        best = int(np.argmax(match[: self.reference.size]))
        return float(best)

    def refine(self, heard, first):
        """Delay, likeness, level and gain of one block, from a guess within a few frames."""
        for attempt in (0, 1):
            estimate = first
            for _ in range(6):
                wanted = stretch(self.reference, estimate, BLOCK)
                slope = stretch(self.derivative, estimate, BLOCK)
                energy = wanted @ wanted
                if energy < 1e-9:
                    return None
                gain = (heard @ wanted) / energy
                if abs(gain) < 1e-6:
                    break
                change = ((heard - gain * wanted) @ slope) / (gain * (slope @ slope) + 1e-12)
                change = float(np.clip(change, -2, 2))
                estimate += change
                if abs(change) < 1e-4:
                    break
            wanted = stretch(self.reference, estimate, BLOCK)
            norm = np.linalg.norm(wanted) * np.linalg.norm(heard)
            likeness = float(heard @ wanted / norm) if norm > 0 else 0.0
            if likeness >= ALIKE or attempt:
                break
            first = self.nearby(heard, first)
        level = float(np.linalg.norm(heard) / max(np.linalg.norm(wanted), 1e-9))
        return estimate, likeness, level, gain

    def nearby(self, heard, first, reach=960):
        """The best whole-frame lag within +-20 ms of a guess."""
        low = max(0, int(first) - reach)
        part = self.reference[low : int(first) + reach + BLOCK]
        if part.size <= BLOCK:
            return first
        match = np.correlate(part, heard, "valid")
        return float(low + int(np.argmax(match)))
