# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""The scenarios: which rooms, which links, what happens when, and what is held against the result.

To add one, add a line to SCENARIOS. An action gets the Stage while the music plays; a scenario's
`needs` says what the machine must offer, else the run is refused rather than weakened."""
import os
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Optional

from house import Room, raw_ns
from network import COORDINATOR

FLOOD_FROM = 0.2  # of the playing time; it stops one second before the end
KITCHEN, LIVING, BEDROOM = "kitchen", "living", "bedroom"


@dataclass
class Stage:
    """What an action may touch, and where it notes what it did."""

    house: object
    seconds: float  # the music plays this long
    notes: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Action:
    """Something that happens `at` a share (0..1) of the playing time."""

    at: float
    do: Callable[[Stage], None]


@dataclass(frozen=True)
class Judgement:
    """What --assert demands."""

    skew_p99_us: float = 1000.0
    victim: Optional[str] = None  # a room that is hurt on purpose: not in skew, missing, likeness
    back_within_s: Optional[float] = None  # the victim is in time (1 ms) again, from its return on
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


def three_rooms(granularities=(1, 1, 1)):
    """Cards +40/-35/0 ppm."""
    cards = zip((KITCHEN, LIVING, BEDROOM), (40, -35, 0), granularities)
    return tuple(Room(name, card_ppm=ppm, granularity=step) for name, ppm, step in cards)


def restart(node):
    """Kills a daemon with -9; a second later it is back."""

    def act(stage):
        stage.house.kill(node)
        time.sleep(1)
        stage.notes["returnedNanoseconds"] = raw_ns()
        stage.house.start_daemon(node)

    return act


def pour(house, until):
    """Garbage at every port: at most 2000 datagrams a second, and a TCP client now and then."""
    udp = house.network.socket(COORDINATOR)
    targets = [(house.network.address(node), house.port(node)) for node in house.nodes()]
    while time.monotonic() < until:
        for target in targets:
            for size in (1, 12, 48, 200, 1200):
                udp.sendto(os.urandom(size), target)
            with house.network.socket(COORDINATOR, socket.SOCK_STREAM) as tcp:
                tcp.settimeout(0.2)
                try:
                    tcp.connect(target)
                    tcp.sendall(os.urandom(400))
                except OSError:
                    pass
        time.sleep(0.01)


def flood(stage):
    until = time.monotonic() + stage.seconds * (1 - FLOOD_FROM) - 1
    threading.Thread(target=pour, args=(stage.house, until), daemon=True).start()


SCENARIOS = {scenario.name: scenario for scenario in (
    Scenario("clean", "three rooms, nothing happens", three_rooms()),
    Scenario("restart", "the coordinator is killed (-9) and back within 4 s", three_rooms(),
             (Action(0.5, restart(COORDINATOR)),)),
    Scenario("speaker", "one speaker is killed (-9) and restarted; the others must not notice",
             three_rooms(), (Action(0.5, restart(KITCHEN)),),
             Judgement(victim=KITCHEN, back_within_s=3.0)),
    Scenario("flood", "garbage datagrams and garbage TCP clients at every port", three_rooms(),
             (Action(FLOOD_FROM, flood),)),
)}
