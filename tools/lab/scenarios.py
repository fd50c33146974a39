# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""The scenarios: which rooms, which links, what happens when, and what is held against the result.

To add one, add a line to SCENARIOS. An action gets the Stage while the music plays: its house has
the clocks, the cards and the network to do things to. A scenario that needs the emulated network is
refused without it, not weakened.

Every scenario gives the hosts clocks that are off by HOSTS and cards that are off by CARDS: on one
machine all clocks agree, and a single look at the offset would do for ever."""
import math
import os
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Optional

import faults
import livesource
import trouble
from house import Room, raw_ns
from network import COORDINATOR, STRANGER, Link, Path

FLOOD_FROM = 0.2  # of the playing time; it stops one second before the end
KITCHEN, LIVING, BEDROOM = "kitchen", "living", "bedroom"


@dataclass
class Stage:
    """What an action may touch, and where it notes what it did."""

    house: object
    seconds: float  # the music plays this long
    began_ns: int = 0
    ended_ns: int = 0
    returned_ns: Optional[int] = None  # when the victim came back
    trouble: dict = field(default_factory=dict)  # what was said, and what it cost (trouble.py)
    found: dict = field(default_factory=dict)  # what actions saw; goes into the result
    events: list = field(default_factory=list)  # (ns, node or None, what)

    def note(self, what, node=None):
        self.events.append((raw_ns(), node, what))


@dataclass(frozen=True)
class Action:
    """Something that happens `at` a share (0..1) of the playing time."""

    at: float
    do: Callable[[Stage], None]


@dataclass(frozen=True)
class Judgement:
    """What --assert demands."""

    skew_p99_us: Optional[float] = 1000.0
    bound_covers: float = 0.99  # share of windows within what the two rooms report as bounds
    victim: Optional[str] = None  # a room that is hurt on purpose: not in skew, missing, likeness
    back_within_s: Optional[float] = None  # the victim is in time (1 ms) again, from its return on
    victim_missing_ms: Optional[float] = None  # at most, of the victim's music
    said: str = ""  # the house says this of the victim while it is in trouble
    trouble_percent: float = 5.0  # of a core: the victim's speaker while it is in trouble
    sound_within_s: Optional[float] = None  # every room sounds, from the fault's end on
    in_time_within_s: Optional[float] = None  # and is within 100 us of the others
    clicks: float = math.inf  # at most, in any room but the victim
    found: tuple = ()  # (key, words): what an action must have seen
    likeness: float = 0.95
    missing_ms: float = 0.0


@dataclass(frozen=True)
class Scenario:
    name: str
    about: str
    rooms: tuple
    actions: tuple = ()
    judgement: Judgement = Judgement()
    needs_network: bool = False  # meaningless on loopback
    guests: tuple = ()  # nodes that are no rooms, and that the coordinator calls too
    has_zeroconf: bool = False  # rooms are found by an avahi-daemon on each host, not named
    is_ours: bool = False  # it is about something that no other system has
    live: Optional[livesource.Source] = None  # the music comes through a pipe, by a clock of its own


CARDS = (40, -35, 0)  # ppm
HOSTS = (12, -18, 25)  # ppm; the coordinator's is 0
OFFSETS = (1_000, 300_000, 7)  # s: the rooms' hosts were not started together
LAN = Link.both(Path(delay_us=100, jitter_us=50))
# 2 ms in the mean; the receiver sleeps now and then, as with power saving.
WIFI = Link.both(Path(delay_us=1000, jitter_us=1000, jitter="exponential", loss=0.01, reorder=0.01,
                      stall_every_s=2.0, stall_us=(20_000, 100_000)))
LOSSY = Link.both(Path(delay_us=2000, jitter_us=200, loss=0.05, burst=4))
EARLY, LATE = Path(delay_us=1000, jitter_us=50), Path(delay_us=8000, jitter_us=50)
ASYMMETRIC = (Link(LATE, EARLY), Link(EARLY, LATE), Link.both(EARLY))


def three_rooms(links=(LAN, LAN, LAN), granularities=(1, 1, 1), hosts=HOSTS):
    parts = zip((KITCHEN, LIVING, BEDROOM), CARDS, hosts, OFFSETS, links, granularities)
    return tuple(Room(name, card_ppm=card, host_ppm=host, host_offset_s=offset, link=link,
                      granularity=step) for name, card, host, offset, link, step in parts)


def restart(node):
    """Kills a daemon with -9; a second later it is back."""

    def act(stage):
        stage.house.kill(node)
        stage.note("killed", node)
        time.sleep(1)
        stage.note("back", node)
        stage.returned_ns = raw_ns()
        stage.house.start_daemon(node)

    return act


def pour(house, until):
    """Garbage at every port: at most 2000 datagrams a second, and a TCP client now and then."""
    udp = house.network.socket(STRANGER)
    targets = [(house.network.address(node), house.port(node)) for node in house.nodes()]
    while time.monotonic() < until:
        for target in targets:
            for size in (1, 12, 48, 200, 1200):
                udp.sendto(os.urandom(size), target)
            with house.network.socket(STRANGER, socket.SOCK_STREAM) as tcp:
                tcp.settimeout(0.2)
                try:
                    tcp.connect(target)
                    tcp.sendall(os.urandom(400))
                except OSError:
                    pass
        time.sleep(0.01)


def flood(stage):
    stage.note("flood")
    until = time.monotonic() + stage.seconds * (1 - FLOOD_FROM) - 1
    threading.Thread(target=pour, args=(stage.house, until), daemon=True).start()


def slew(node, ppm, seconds):
    """NTP slews a host's MONOTONIC, BOOTTIME and REALTIME; RAW goes on."""

    def act(stage):
        stage.note(f"slew {ppm:+} ppm", node)
        stage.house.clocks[node].slew(ppm, seconds)

    return act


def load(stage):
    """As many busy loops as the machine of the figures has cores, at common priority."""
    stage.note("load")
    for number in range(2):
        stage.house.start(f"busy{number}", ["sh", "-c", "while :; do :; done"], COORDINATOR)


def card_trouble(name, about, action, missing, back, said=""):
    """The kitchen's card fails: it is back in time by itself, and the other rooms do not notice."""
    return Scenario(name, about, three_rooms(), (Action(0.4, action),),
                    Judgement(victim=KITCHEN, victim_missing_ms=missing, back_within_s=back,
                              said=said))


TROUBLES = (
    card_trouble("xrun", "one card runs dry", trouble.xrun(KITCHEN), 400, 0.5),
    card_trouble("stall150", "one card stands still for 150 ms", trouble.stall(KITCHEN, 150), 400, 0.5),
    card_trouble("stall300", "one card stands still for 300 ms", trouble.stall(KITCHEN, 300), 600, 0.5),
    card_trouble("cardgone", "one card is unplugged for 6 s", trouble.unplug(KITCHEN, 6), 8_000, 2.0,
                 "No such device"),
    card_trouble("cardbusy", "one speaker starts while another program has its card for 6 s",
                 trouble.busy(KITCHEN, 6), 9_000, 2.0, "another program holds it"),
    card_trouble("lie", "one card runs dry, and tells 20 ms too much for its first 0.4 s",
                 trouble.lie(KITCHEN, 20, 0.4), 600, 1.0),
)


def fault(name, about, *actions, victim=None, sound=None, in_time=None, **judged):
    """A scenario of the emulated network in which something breaks and must be whole again soon."""
    guests, is_ours = judged.pop("guests", ()), judged.pop("is_ours", False)
    has_zeroconf = judged.pop("has_zeroconf", False)
    return Scenario(name, about, three_rooms(), tuple(Action(at, do) for at, do in actions),
                    Judgement(**{"victim": victim, "sound_within_s": sound, "clicks": 0,
                                 "in_time_within_s": in_time} | judged),
                    needs_network=True, guests=guests, is_ours=is_ours,
                    has_zeroconf=has_zeroconf)


FAULTS = (
    fault("outage5", "one room is without network for 5 s, and nobody hears it",
          (0.35, faults.outage(KITCHEN, 5)), sound=0, in_time=0),
    fault("outage5all", "all rooms are without network for 5 s, and nobody hears it",
          (0.35, faults.outage("all", 5)), sound=0, in_time=0),
    fault("outage60", "one room is without network for 60 s (--seconds 85)",
          (0.15, faults.outage(KITCHEN, 60)), victim=KITCHEN, sound=0.3, in_time=2),
    fault("outage60all", "all rooms are without network for 60 s (--seconds 85)",
          (0.15, faults.outage("all", 60)), sound=0.3, in_time=2, missing_ms=55_500,
          likeness=0),  # silent for most of the run
    fault("halfopen", "TCP from one room vanishes for 8 s, without a word; UDP passes",
          (0.3, faults.outage(KITCHEN, 8, "from", "tcp")), sound=0, in_time=0),
    fault("moved", "one room's address changes", (0.4, faults.move(KITCHEN)), sound=0, in_time=0),
    fault("elsewhere", "one speaker is killed (-9) and comes back with another address",
          (0.4, faults.restart_elsewhere(KITCHEN)), victim=KITCHEN, sound=2, in_time=2),
    fault("found", "one room's address changes; rooms are found by Avahi, not named",
          (0.4, faults.move(KITCHEN)), has_zeroconf=True, is_ours=True, sound=0, in_time=0),
    fault("foundelsewhere", "one speaker is killed (-9) and comes back with another address; the same",
          (0.4, faults.restart_elsewhere(KITCHEN)), has_zeroconf=True, is_ours=True, victim=KITCHEN,
          sound=2, in_time=2),
    fault("movedhouse", "the coordinator's address changes", (0.4, faults.move(COORDINATOR)),
          sound=0, in_time=0),
    fault("unplugged", "one room's interface is down for 3 s", (0.4, faults.unplug(KITCHEN, 3)),
          sound=0, in_time=0),
    fault("unpluggedhouse", "the coordinator's interface is down for 3 s",
          (0.4, faults.unplug(COORDINATOR, 3)), sound=0, in_time=0),
    fault("twin", "a speaker with a copy of one room's identity appears",
          (0.3, faults.twin(KITCHEN, 10)), sound=0, in_time=0, guests=(faults.TWIN,),
          is_ours=True,
          found=(("shown", "same identity"),)),
    fault("reboot", "the coordinator's host is booted; 'tutti resume' 3 s after its start",
          (0.3, faults.reboot(3, 3)), skew_p99_us=None, missing_ms=math.inf, sound=0.7, in_time=2,
          is_ours=True, found=(("stateAfterBoot", '"paused"'),)),
    fault("asleep", "one room's host sleeps for 4 s", (0.35, faults.suspend(KITCHEN, 4)),
          victim=KITCHEN, sound=0.3, in_time=2),
    fault("asleephouse", "the coordinator's host sleeps for 4 s",
          (0.35, faults.suspend(COORDINATOR, 4)), sound=0.5, in_time=2, missing_ms=500,
          clicks=1),
    fault("wallclock", "the wall clocks of the coordinator and of a room are set, by +1 h and -1 h",
          (0.3, faults.step_wall_clock(COORDINATOR, faults.HOUR)),
          (0.5, faults.step_wall_clock(KITCHEN, -faults.HOUR)), sound=0, in_time=0),
    fault("frozen", "the coordinator stands still for 3 s (SIGSTOP)", (0.2, faults.watch_wire),
          (0.4, faults.freeze(COORDINATOR, 3)), sound=0, in_time=0),
    fault("frozenlong", "the coordinator stands still for 8 s (SIGSTOP), longer than D",
          (0.2, faults.watch_wire), (0.4, faults.freeze(COORDINATOR, 8)), sound=0.3, in_time=2,
          missing_ms=math.inf),
)

def live(name, about, links, source, **judged):
    """Music through a named pipe, by a clock of its own; the playout delay is watched."""
    return Scenario(name, about, three_rooms(links=(links,) * 3),
                    (Action(0, livesource.watch_delay),), Judgement(**judged), needs_network=True,
                    is_ours=True, live=source)


LIVE = (
    live("live", "a live input over the links of wifi; its delay follows them", WIFI,
         livesource.Source(ppm=200), skew_p99_us=300),
    live("livelumps", "a live input in lumps of 0.5 s, 500 ppm fast, over wired links", LAN,
         livesource.Source(ppm=500, lump_s=0.5), skew_p99_us=300),
    live("livelow", "a live input with low delay (60 ms) over wired links", LAN,
         livesource.Source("low", ppm=100, lump_s=0.005), skew_p99_us=300, missing_ms=40),
)

SCENARIOS = {scenario.name: scenario for scenario in (
    Scenario("clean", "three rooms, nothing happens", three_rooms()),
    Scenario("agreeing", "as clean, but the hosts' clocks run alike, which real ones do not",
             three_rooms(hosts=(0, 0, 0))),
    Scenario("restart", "the coordinator is killed (-9) and back within 4 s", three_rooms(),
             (Action(0.5, restart(COORDINATOR)),),
             Judgement(sound_within_s=0, in_time_within_s=0, clicks=0)),
    Scenario("speaker", "one speaker is killed (-9) and restarted; the others must not notice",
             three_rooms(), (Action(0.5, restart(KITCHEN)),),
             Judgement(victim=KITCHEN, back_within_s=3.0, sound_within_s=2, in_time_within_s=2)),
    Scenario("flood", "garbage datagrams and garbage TCP clients at every port", three_rooms(),
             (Action(FLOOD_FROM, flood),)),
    Scenario("wifi", "2 ms, exponential jitter, sleeps to 100 ms, 1 % loss, reordering",
             three_rooms(links=(WIFI,) * 3), needs_network=True),
    Scenario("loss5", "2 ms each way, 5 % lost in bursts of four", three_rooms(links=(LOSSY,) * 3),
             needs_network=True),
    Scenario("asymmetric", "8 ms there and 1 ms back, 1 and 8, 1 and 1: cannot be seen, only bounded",
             three_rooms(links=ASYMMETRIC), needs_network=True,
             judgement=Judgement(skew_p99_us=None, bound_covers=1.0)),
    Scenario("granularity", "the cards' pointers move by 1, 48 and 480 frames",
             three_rooms(granularities=(1, 48, 480))),
    Scenario("slewed", "one host's clocks but RAW are slewed by +500 ppm for 20 s", three_rooms(),
             (Action(0.35, slew(KITCHEN, 500, 20)),)),
    Scenario("loaded", "two busy loops beside it on this machine", three_rooms(),
             (Action(0.0, load),)),
    *TROUBLES,
    *FAULTS,
    *LIVE,
)}
