#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Does things to a virtual card while it plays; each is logged by the card with its true time.

usage: cardcontrol.py CARD_STEM stall MS | xrun | unplug | plug | busy | free | lie MS SECONDS

From Python: make a CardControl before the player opens the card."""
import mmap
import struct
import sys

# struct control in card/control.h, by place.
FIELDS = ["unplugged", "busy", "stall_ns", "stall_serial", "xrun_serial", "lie_ns", "lie_for_ns"]


class CardControl:
    """The faults of the card that logs to STEM.raw and STEM.txt."""

    def __init__(self, stem):
        path = stem + ".control"
        with open(path, "ab") as out:  # keeps what an earlier CardControl asked for
            out.truncate(mmap.PAGESIZE)
        with open(path, "r+b") as control:
            self.memory = mmap.mmap(control.fileno(), mmap.PAGESIZE)

    def get(self, field):
        return struct.unpack_from("<q", self.memory, 8 * FIELDS.index(field))[0]

    def set(self, field, value):
        struct.pack_into("<q", self.memory, 8 * FIELDS.index(field), int(value))

    def stall(self, milliseconds):
        """Stops the pointer and the sound; what is queued is heard that much later."""
        self.set("stall_ns", milliseconds * 1e6)
        self.set("stall_serial", self.get("stall_serial") + 1)

    def xrun(self):
        """Ends the run with EPIPE; what was queued is never heard."""
        self.set("xrun_serial", self.get("xrun_serial") + 1)

    def unplug(self):
        """Every call fails with ENODEV, opening too, until `plug`."""
        self.set("unplugged", 1)

    def plug(self):
        self.set("unplugged", 0)

    def busy(self):
        """Opening fails with EBUSY, as when another program has the card; until `free`."""
        self.set("busy", 1)

    def free(self):
        self.set("busy", 0)

    def lie(self, milliseconds, seconds):
        """The delay told is `milliseconds` too long for the first `seconds` of a run; 0: never."""
        self.set("lie_for_ns", seconds * 1e9)
        self.set("lie_ns", milliseconds * 1e6)


def main():
    commands = {"stall": 1, "xrun": 0, "unplug": 0, "plug": 0, "busy": 0, "free": 0, "lie": 2}
    if len(sys.argv) < 3 or commands.get(sys.argv[2]) != len(sys.argv) - 3:
        sys.exit(__doc__)
    getattr(CardControl(sys.argv[1]), sys.argv[2])(*[float(word) for word in sys.argv[3:]])


if __name__ == "__main__":
    main()
