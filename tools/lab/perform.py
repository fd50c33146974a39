# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Plays a scenario in a house and measures what was heard."""
import os
import subprocess
import time

import judge
import measure
import recovery
from cardlog import CardLog
from compare import Sampler, compare
from house import HERE, raw_ns
from scenarios import Stage
from sidebyside import settled_skew

SETTLE_SECONDS = 5  # of the music, before skew is judged: the start is shown apart
DELAY_SECONDS = 6  # the coordinator's default playout delay
LEAD_SECONDS = 2  # of the music, before CPU is counted and actions begin


def first_sounds(house, after_ns):
    """Milliseconds from `after_ns` to the first sound of each room."""
    found = {}
    for stem in house.stems():
        heard = CardLog(stem).first_sound_ns(after_ns)
        found[os.path.basename(stem)] = None if heard is None else round((heard - after_ns) / 1e6, 1)
    return found


def play(house, path):
    """Plays a file; returns the time the command was given."""
    began = raw_ns()
    house.play(path)
    return began


def times_to_sound(house, tune):
    """First a start with the devices closed, then one with them still open."""
    times = {}
    for kind in ("cold", "armed"):
        began = play(house, tune)
        time.sleep(2)
        house.end_music()
        time.sleep(1)
        times[kind] = first_sounds(house, began)
    return times


def act(stage, actions):
    """Lets the music play, with the scenario's actions at their times."""
    began = time.monotonic()
    for action in sorted(actions, key=lambda a: a.at):
        time.sleep(max(0.0, began + action.at * stage.seconds - time.monotonic()))
        action.do(stage)
    time.sleep(max(0.0, began + stage.seconds - time.monotonic()))


def usage_between(before, after):
    """Of the processes that lived all the time."""
    return {name: {"cpuPercent": round(after[name].percent_since(before[name]), 2),
                   "rssMiB": round(after[name].rss_mib, 1)}
            for name in after if name in before and after[name].pid == before[name].pid}


def play_scenario(house, scenario, tune, seconds):
    """Everything that happens in the house; returns the stage and what was noted."""
    house.guests, house.has_zeroconf = scenario.guests, scenario.has_zeroconf
    house.live = scenario.live
    house.start_all()
    house.wait_for_rooms()
    notes = {"timeToSoundMilliseconds": times_to_sound(house, tune)}
    house.network.reset()
    stage = Stage(house, seconds - LEAD_SECONDS)
    stage.began_ns = play(house, tune)
    with Sampler(house) as sampler:
        time.sleep(LEAD_SECONDS)
        before = house.usage()
        act(stage, scenario.actions)
        notes["processes"] = usage_between(before, house.usage())
        house.must_run()
        notes["reported"] = house.reported()
        notes["samples"] = sampler.samples
    stage.ended_ns = raw_ns()
    notes["links"] = house.network.report()
    house.end_music()
    time.sleep(0.5)
    return stage, notes


def run_scenario(make_house, scenario, seconds, folder, network, base_port):
    """The result, as --json writes it."""
    house = None
    try:
        house = make_house(folder, scenario.rooms, network, base_port)
        tune = house.music + "/tune.wav"
        subprocess.run([HERE + "/../tune", tune, str(seconds + 10), "11"], check=True)
        stage, notes = play_scenario(house, scenario, tune, seconds)
    finally:
        if house:
            house.stop()
        network.close()
    alignments = measure.align_rooms(measure.load_reference(tune), house.stems(), stage.began_ns,
                                     stage.ended_ns)
    back = None
    if stage.returned_ns is not None and scenario.judgement.victim:
        back = judge.seconds_until_in_time(alignments, scenario.judgement.victim, stage.returned_ns)
    if "wire" in stage.found:
        stage.found["wire"] = stage.found["wire"].report(DELAY_SECONDS)
    result = {"scenario": scenario.name,
              "network": "emulated" if network.emulated else "loopback",
              **measure.report(alignments, SETTLE_SECONDS), "backInTimeSeconds": back,
              "trouble": stage.trouble,
              "settledSkewMicroseconds": settled_skew(alignments, stage.began_ns), **notes,
              **stage.found}
    result["recovery"] = recovery.report(alignments, stage.returned_ns)
    measure.add_events(result, stage.events)
    result["comparison"] = compare(result, result["samples"])
    return result
