# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""What chaos does to a house: a plan drawn from a seed, carried out by one thread.

A fault has a node, a beginning and an end; a node has one fault at a time, so each mends what it
broke. Daemons die with the thread that started them (setpriv --pdeathsig): hence one thread."""
import heapq
import itertools
import json
import os
import signal
import subprocess
import threading
import time

from network import COORDINATOR
from scenarios import pour

MEAN_GAP_SECONDS = 2.5
LEAST_GAP_SECONDS = 0.3
COMMAND_SECONDS = 10  # a command that takes longer is stuck
HOUSE = "house"  # the node of faults that are commands


class Faults:
    """The plan. `counts` says how often each kind happened."""

    def __init__(self, house, rng, queue, tune_seconds, problems):
        self.house, self.rng, self.queue, self.problems = house, rng, queue, problems
        self.tune_seconds = tune_seconds
        self.counts, self.broken, self.commands = {}, set(), []
        self.mending, self.order = [], itertools.count()
        self.next = 0.0
        self.kinds = [self.kill, self.kill, self.freeze, self.stall, self.xrun, self.unplug,
                      self.flood, self.seek, self.pause, self.skip]
        if house.network.emulated:
            self.kinds += [self.cut, self.cut]

    def due(self, now):
        """Does what is due; yields what was done, in words."""
        while self.mending and self.mending[0][0] <= now:
            _, _, node, words, mend = heapq.heappop(self.mending)
            yield self.mended(node, words, mend)
        if now < self.next:
            return
        self.next = now + LEAST_GAP_SECONDS + self.rng.expovariate(1 / MEAN_GAP_SECONDS)
        kind = self.rng.choice(self.kinds)
        words = kind(now, self.rng.choice(self.house.nodes()), self.rng.random())
        if words:
            self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
            yield words

    def mend_all(self):
        while self.mending:
            _, _, node, words, mend = heapq.heappop(self.mending)
            yield self.mended(node, words, mend)

    def mended(self, node, words, mend):
        mend()
        self.broken.discard(node)
        return f"{node}: {words}"

    def takes(self, node):
        """Whether the node is whole, and now is not."""
        if node in self.broken:
            return False
        self.broken.add(node)
        return True

    def later(self, at, node, words, mend):
        heapq.heappush(self.mending, (at, next(self.order), node, words, mend))

    # What breaks. Each takes the time, a node and a random share of how bad; None: not now.

    def kill(self, now, node, share):
        if not self.takes(node):
            return None
        self.house.kill(node)
        self.later(now + 0.2 + 3 * share, node, "started", lambda: self.house.start_daemon(node))
        return f"{node}: killed (-9)"

    def freeze(self, now, node, share):
        if not self.takes(node):
            return None
        self.send(node, signal.SIGSTOP)
        self.later(now + 0.2 + 4 * share, node, "goes on (SIGCONT)",
                   lambda: self.send(node, signal.SIGCONT))
        return f"{node}: stopped (SIGSTOP)"

    def cut(self, now, node, share):
        node = self.room(node)
        if not self.takes(node):
            return None
        self.house.network.down(node)
        self.later(now + 0.2 + 6 * share, node, "link mended",
                   lambda: self.house.network.up(node))
        return f"{node}: link cut"

    def stall(self, now, node, share):
        node, milliseconds = self.room(node), round(50 + 350 * share)
        self.house.cards[node].stall(milliseconds)
        return f"{node}: card stands still for {milliseconds} ms"

    def xrun(self, now, node, share):
        node = self.room(node)
        self.house.cards[node].xrun()
        return f"{node}: card runs dry"

    def unplug(self, now, node, share):
        node = self.room(node)
        if not self.takes(node):
            return None
        card = self.house.cards[node]
        card.unplug()
        self.later(now + 0.2 + 4 * share, node, "card plugged in", card.plug)
        return f"{node}: card unplugged"

    def flood(self, now, node, share):
        until = time.monotonic() + 0.5 + 2 * share
        threading.Thread(target=pour, args=(self.house, until), daemon=True).start()
        return f"garbage at every port for {0.5 + 2 * share:.1f} s"

    def seek(self, now, node, share):
        place = round(share * (self.tune_seconds - 30))
        self.command("seek", str(place))
        return f"seek {place}"

    def pause(self, now, node, share):
        if not self.takes(HOUSE):
            return None
        self.command("pause")
        self.later(now + 0.3 + 2 * share, HOUSE, "resume", lambda: self.command("resume"))
        return "pause"

    def skip(self, now, node, share):
        if share < 0.5:
            self.command("play", *self.queue)
            return "play"
        self.command("next")
        return "next"

    def room(self, node):
        names = self.house.names()
        return node if node != COORDINATOR else names[len(self.counts) % len(names)]

    def send(self, node, number):
        os.killpg(self.house.running[node].pid, number)

    # Commands: nobody waits for them, since whoever answers may stand still.

    def command(self, *words, wait=False):
        process = subprocess.Popen(
            [self.house.bin + "/tutti", *words], env=self.house.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.commands.append((process, time.monotonic(), words))
        if wait:
            process.wait(timeout=COMMAND_SECONDS)

    def reap(self):
        """Forgets commands that have ended; a crash or a hang is a problem, a refusal is not."""
        for entry in list(self.commands):
            process, began, words = entry
            if process.poll() is None:
                # A coordinator that was stopped or killed may keep a command waiting.
                if time.monotonic() - began < 2 * COMMAND_SECONDS:
                    continue
                process.kill()
                process.wait()
                self.problems.note(f"'tutti {words[0]}' did not end within {2 * COMMAND_SECONDS} s")
            elif process.returncode < 0:
                self.problems.note(f"'tutti {words[0]}' was killed by {-process.returncode}")
            self.commands.remove(entry)

    def ask(self, *words):
        """A document of the command line; raises when there is none."""
        done = subprocess.run([self.house.bin + "/tutti", "--json", *words],
                              env=self.house.environment, capture_output=True, text=True,
                              timeout=COMMAND_SECONDS)
        return json.loads(done.stdout)
