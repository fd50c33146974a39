# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Starts the real daemons, each in its own place: a network node, a host clock and a virtual card."""
import json
import os
import signal
import subprocess
import time
import uuid
from dataclasses import dataclass

import livesource
import zeroconf
from bentclock import HostClock, build_clock
from cardcontrol import CardControl
from network import COORDINATOR, Link, Loopback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIBRARY = "libasound_module_pcm_tutticard.so"


@dataclass(frozen=True)
class Room:
    """One room: its card, its host's clock and its link to the coordinator."""

    name: str
    card_ppm: float = 0.0
    granularity: int = 1  # frames by which the card's pointer moves
    host_ppm: float = 0.0
    host_offset_s: int = 0  # how far its clocks are ahead of the machine's (needs namespaces)
    wander_ppm: float = 0.0  # of the card's crystal, around card_ppm
    link: Link = Link()


def raw_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


def programs():
    """The folder of the built programs: $TUTTI_BIN, else the release build, else the debug one."""
    candidates = [os.environ.get("TUTTI_BIN", ""), ROOT + "/.build/release", ROOT + "/.build/debug"]
    for folder in candidates:
        if folder and os.path.exists(folder + "/tutti-speaker"):
            return folder
    raise SystemExit("lab: nothing is built yet; run 'swift build -c release' first")


def build_card(folder):
    """Compiles the virtual card; returns the path of the ALSA plug-in."""
    target = os.path.join(folder, LIBRARY)
    subprocess.run(["gcc", "-O2", "-Wall", "-shared", "-fPIC", "-DPIC", "-o", target,
                    HERE + "/card/card.c", "-lasound"], check=True)
    return target


class Usage:
    """CPU seconds and resident memory of a process, from /proc."""

    def __init__(self, pid):
        self.pid = pid
        fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
        self.cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.at = time.monotonic()
        status = open(f"/proc/{pid}/status").read()
        self.rss_mib = int(status.split("VmRSS:")[1].split()[0]) / 1024

    def percent_since(self, earlier):
        return 100 * (self.cpu - earlier.cpu) / max(self.at - earlier.at, 1e-3)


# A node has names and a boot of its own.
BIND = ('mount --bind "$1" /etc/hosts && mount --bind "$2" /proc/sys/kernel/random/boot_id'
        ' && shift 2 && exec "$@"')


class House:
    """A coordinator and one speaker per room, on a network (default: loopback).

    clocks: node -> HostClock, cards: room -> CardControl, for what scenarios do to them."""

    sends_rtp = True

    def __init__(self, folder, rooms, network=None, base_port=17_700):
        self.folder, self.rooms, self.base_port = folder, list(rooms), base_port
        self.network = network or Loopback()
        self.clock_library = build_clock(folder)
        self.clocks = {COORDINATOR: HostClock(folder + "/coordinator.clock")}
        self.clocks |= {r.name: HostClock(f"{folder}/{r.name}.clock", r.host_ppm) for r in rooms}
        self.cards = {room.name: CardControl(f"{folder}/{room.name}") for room in rooms}
        self.offsets = {room.name: room.host_offset_s for room in rooms}
        self.has_zeroconf = False  # rooms are found, not named
        self.guests = ()  # nodes that are no rooms, and that the coordinator calls too
        self.live = None  # a livesource.Source that music comes from instead of files
        self.bin = programs()
        self.music = folder + "/music"
        os.makedirs(self.music, exist_ok=True)
        self.running = {}
        self.environment = dict(os.environ, ALSA_CONFIG_PATH=self.card_configuration(),
                                TUTTI_SERVER=f"unix:{folder}/coordinator/control.sock")

    def card_configuration(self):
        library = build_card(self.folder)
        path = self.folder + "/asound.conf"
        with open(path, "w") as out:
            out.write("</usr/share/alsa/alsa.conf>\n")
            out.write(f'pcm_type.tutticard {{ lib "{library}" }}\n')
            for room in self.rooms:
                out.write(f'pcm.{room.name} {{ type tutticard log "{self.folder}/{room.name}" '
                          f"ppm {room.card_ppm} granularity {room.granularity} "
                          f"wander {room.wander_ppm} }}\n")
        return path

    def names(self):
        return [room.name for room in self.rooms]

    def stems(self):
        return [f"{self.folder}/{name}" for name in self.names()]

    def port(self, node):
        return self.base_port + [COORDINATOR, *self.names(), *self.guests].index(node)

    def nodes(self):
        return [COORDINATOR, *self.names()]

    def command(self, node, argv):
        """The command that runs `argv` at a node: in its network and on its clock.

        It becomes `argv` in the same process, and is killed when the lab dies."""
        clock = self.clocks[node].environment(self.clock_library)
        if self.has_zeroconf:
            clock = dict(clock, DBUS_SYSTEM_BUS_ADDRESS=zeroconf.bus(self, node))
        argv = ["env", *(f"{name}={value}" for name, value in clock.items()), *argv]
        offset = str(self.offsets.get(node, 0))
        if self.network.emulated:
            argv = ["unshare", "-m", "-T", "--monotonic", offset, "--boottime", offset, "--",
                    "sh", "-c", BIND, "sh", self.network.names_file, self.boot_file(node), *argv]
        return ["setpriv", "--pdeathsig", "KILL", "--", *self.network.command(node, argv)]

    def boot_file(self, node):
        """Holds the id of the node's boot."""
        path = f"{self.folder}/{node}.boot"
        if not os.path.exists(path):
            self.boot(node, self.offsets.get(node, 0))
        return path

    def boot(self, node, offset_s):
        """The node's host is booted: another boot id, and clocks that show something else."""
        self.offsets[node] = offset_s
        with open(f"{self.folder}/{node}.boot", "w") as out:
            out.write(f"{uuid.uuid4()}\n")

    def start(self, name, argv, node=None):
        """Runs `argv` at a node (default: the node called `name`) as a process called `name`."""
        with open(f"{self.folder}/{name}.log", "ab") as log:
            self.running[name] = subprocess.Popen(
                self.command(node or name, argv), env=self.environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)

    def start_beside(self, node, what, argv):
        """Runs a helper of the host itself at a node, on the machine's clock."""
        with open(f"{self.folder}/{node}.{what}.log", "ab") as log:
            self.running[f"{node}.{what}"] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", *self.network.command(node, argv)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def start_speaker(self, name):
        command = [self.bin + "/tutti-speaker", "--state-dir", f"{self.folder}/{name}.state",
                   "--name", name, "--output", f"alsa:{name}",
                   "--listen", self.network.listen_address(name), "--port", str(self.port(name)),
                   "--pair", "automatic"]
        self.start(name, command if self.has_zeroconf else [*command, "--no-zeroconf"])

    def start_coordinator(self):
        command = [self.bin + "/tutti-coordinator", "--state-dir", self.folder + "/coordinator",
                   "--music", self.music, "--name", "Lab",
                   "--listen", self.network.listen_address(COORDINATOR),
                   "--port", str(self.port(COORDINATOR)), "--pairing", "automatic"]
        if not self.has_zeroconf:
            command += ["--no-zeroconf"]
        for name in [] if self.has_zeroconf else self.names():
            command += ["--speaker", f"{self.network.name(name)}:{self.port(name)}"]
        if self.live:
            command += livesource.option(self, self.live)
        for guest in self.guests:
            command += ["--speaker", f"{self.network.name(guest)}:{self.port(guest)}"]
        self.start(COORDINATOR, command)

    def start_daemon(self, node):
        self.start_coordinator() if node == COORDINATOR else self.start_speaker(node)

    def start_all(self):
        if self.has_zeroconf:
            for node in self.nodes():
                zeroconf.start(self, node)
        for name in self.names():
            self.start_speaker(name)
        self.start_coordinator()

    def wait_for_rooms(self):
        """Until every speaker is connected; then as loud as can be, so that the cards hear all."""
        self.wait("every room", lambda: self.rooms_online() == len(self.rooms))
        self.tutti("volume", "100", check=False)

    def play(self, path):
        if not self.live:
            return self.tutti("play", path)
        self.tutti("play", "input:" + livesource.NAME)
        self.start("source", livesource.command(self, self.live, path), COORDINATOR)

    def end_music(self):
        self.tutti("stop")
        source = self.running.pop("source", None)
        if source:
            source.kill()
            source.wait()

    def reported(self):
        """What the system itself says about its rooms."""
        return self.document("rooms")

    def said_of(self, room):
        """The room's line of 'tutti rooms': state and words."""
        entry = next(r for r in self.document("rooms")["rooms"] if r["name"] == room)
        return f"{entry['state']}: {entry.get('detail', '')}"

    def tutti(self, *arguments, check=True):
        """Runs the command line; returns what it printed."""
        done = subprocess.run([self.bin + "/tutti", *arguments], env=self.environment,
                              capture_output=True, text=True)
        if check and done.returncode != 0:
            raise SystemExit(f"lab: tutti {' '.join(arguments)}: exit {done.returncode}: "
                             f"{done.stderr.strip()}")
        return done.stdout

    def document(self, *arguments):
        return json.loads(self.tutti("--json", *arguments))

    def must_run(self):
        """Ends the lab when a process that should run has ended by itself."""
        for name, process in self.running.items():
            if process.poll() is not None:
                raise SystemExit(f"lab: {name} ended with {process.returncode}; "
                                 f"see {self.folder}/{name}.log")

    def wait(self, what, condition, seconds=20):
        """Polls until `condition()` holds; says what was waited for when it never does."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.must_run()
            if condition():
                return
            time.sleep(0.1)
        raise SystemExit(f"lab: waited {seconds} s for {what}; logs are in {self.folder}")

    def rooms_online(self):
        done = subprocess.run([self.bin + "/tutti", "--json", "rooms"], env=self.environment,
                              capture_output=True, text=True)
        if done.returncode != 0:
            return 0
        rooms = json.loads(done.stdout)["rooms"]
        return sum(1 for room in rooms if room["isConnected"])

    def usage(self):
        processes = self.running | self.network.processes()
        return {name: Usage(p.pid) for name, p in processes.items() if p.poll() is None}

    def send_signal(self, name, number):
        """Sends a signal to a daemon and its helpers."""
        os.killpg(self.running[name].pid, number)

    def kill(self, name, how=signal.SIGKILL):
        process = self.running.pop(name)
        process.send_signal(how)
        process.wait(timeout=15)

    def stop(self):
        for name in sorted(self.running, key=lambda n: n != COORDINATOR):
            process = self.running[name]
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                print(f"lab: {name} did not stop on SIGTERM within 10 s; killed")
                process.kill()
                process.wait()
        self.running = {}
