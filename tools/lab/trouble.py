# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""What scenarios do to one room's card. Each factory returns an action; the moment from which the
card is whole again goes to the stage's returned_ns, what the house says of the room while the card is
in trouble and what its speaker costs then to the stage's trouble."""
import time

from house import Usage, raw_ns

TELL_SECONDS = 1.5  # until what a room says of itself has reached the command line


def over(stage):
    stage.returned_ns = raw_ns()


def endure(stage, room, seconds):
    """Lets the trouble last, and notes what it costs and what is said."""
    process = stage.house.running[room]
    before = Usage(process.pid)
    time.sleep(TELL_SECONDS)
    stage.trouble["said"] = stage.house.said_of(room)
    time.sleep(max(0.0, seconds - TELL_SECONDS))
    lived = process.poll() is None
    stage.trouble["cpuPercent"] = (
        round(Usage(process.pid).percent_since(before), 2) if lived else None)


def xrun(room):
    """The device ends its run with EPIPE; what it held is never heard."""

    def act(stage):
        over(stage)
        stage.house.cards[room].xrun()

    return act


def stall(room, milliseconds):
    """The pointer and the sound stand still, then go on: all that follows is late by that much."""

    def act(stage):
        stage.house.cards[room].stall(milliseconds)
        time.sleep(milliseconds / 1e3)
        over(stage)

    return act


def unplug(room, seconds):
    """The card is gone, and back."""

    def act(stage):
        card = stage.house.cards[room]
        card.unplug()
        endure(stage, room, seconds)
        over(stage)
        card.plug()

    return act


def busy(room, seconds):
    """The speaker starts while another program has its card."""

    def act(stage):
        house = stage.house
        house.kill(room)
        house.cards[room].busy()
        house.start_daemon(room)
        endure(stage, room, seconds)
        over(stage)
        house.cards[room].free()

    return act


def lie(room, milliseconds, seconds):
    """The card runs dry, and tells its delay wrong for the first part of each run from then on."""

    def act(stage):
        card = stage.house.cards[room]
        card.lie(milliseconds, seconds)
        over(stage)
        card.xrun()

    return act
