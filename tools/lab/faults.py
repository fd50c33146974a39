# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""What scenarios do to links and nodes.

Each factory returns an action. The moment from which all is as it should be again goes to the stage
as returned_ns: recovery.py counts from there."""
import shutil
import signal
import threading
import time

from bentclock import HostClock
from house import raw_ns
from network import COORDINATOR, STRANGER

TWIN = STRANGER  # the node of the speaker with a copied identity
HOUR = 3600


def over(stage, node=None):
    """From here on all is as it should be, but for what the fault has left behind."""
    stage.note("over", node)
    stage.returned_ns = raw_ns()


def outage(node, seconds, direction="both", what=""):
    """Nothing passes the node's link ("all": any link), or nothing of one kind."""

    def act(stage):
        stage.house.network.down(node, direction, what)
        time.sleep(seconds)
        over(stage)
        stage.house.network.up(node, direction, what)

    return act


def unplug(node, seconds):
    """The node's interface is down."""

    def act(stage):
        stage.house.network.unplug(node)
        time.sleep(seconds)
        over(stage)
        stage.house.network.plug_in(node)

    return act


def move(node):
    """The node has another address from one moment to the next."""

    def act(stage):
        over(stage)
        stage.house.network.move(node)

    return act


def restart_elsewhere(node, seconds=1):
    """The node goes off and comes back with another address."""

    def act(stage):
        stage.house.kill(node)
        stage.house.network.move(node)
        time.sleep(seconds)
        over(stage)
        stage.house.start_daemon(node)

    return act


def twin(of, seconds):
    """A speaker appears that runs on a copy of another one's state; the house says what it sees."""

    def act(stage):
        house = stage.house
        state = f"{house.folder}/twin.state"
        shutil.copytree(f"{house.folder}/{of}.state", state)
        house.clocks[TWIN] = HostClock(f"{house.folder}/twin.clock")
        house.start("twin", [
            house.bin + "/tutti-speaker", "--state-dir", state, "--name", of, "--output", "null",
            "--listen", house.network.listen_address(TWIN), "--port", str(house.port(TWIN)),
            "--pair", "automatic", "--no-zeroconf"], TWIN)
        over(stage)
        time.sleep(seconds)
        stage.found["shown"] = house.tutti("rooms", "--verbose", check=False)

    return act


def reboot(seconds, resume_after):
    """The coordinator's host is booted; the music waits, paused, until somebody resumes it."""

    def act(stage):
        house = stage.house
        house.kill(COORDINATOR)
        house.boot(COORDINATOR, offset_s=-int(time.clock_gettime(time.CLOCK_BOOTTIME)) + 20)
        time.sleep(seconds)
        house.start_coordinator()
        time.sleep(resume_after)
        stage.found["stateAfterBoot"] = house.tutti("--json", "status")
        over(stage)
        house.tutti("resume")

    return act


def suspend(node, seconds):
    """The node's host sleeps: its programs stand still, and so do its clocks but BOOTTIME."""

    def act(stage):
        stage.house.send_signal(node, signal.SIGSTOP)
        time.sleep(seconds)
        stage.house.clocks[node].sleep_through(seconds)
        over(stage)
        stage.house.send_signal(node, signal.SIGCONT)

    return act


def freeze(node, seconds):
    """The node's programs stand still; its clocks go on."""

    def act(stage):
        stage.house.send_signal(node, signal.SIGSTOP)
        time.sleep(seconds)
        over(stage)
        stage.house.send_signal(node, signal.SIGCONT)

    return act


def step_wall_clock(node, seconds):
    """Somebody sets the node's wall clock."""

    def act(stage):
        over(stage)
        stage.house.clocks[node].step_realtime(seconds)

    return act


def watch_wire(stage):
    """Notes what leaves the coordinator from now on, until the music's end (wirewatch.py)."""
    if not stage.house.sends_rtp:
        return
    from wirewatch import WireWatch

    watch = WireWatch(stage.house.network, COORDINATOR, stage.house.port(COORDINATOR))
    stage.found["wire"] = watch
    threading.Thread(target=watch.run, args=(stage.seconds,), daemon=True).start()
