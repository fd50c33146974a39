# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""What a network between rooms looks like, and the plainest one: everybody on loopback.

A node is a place where programs run: "coordinator", each room by its name, and a stranger. Every
network has the methods of Loopback; namespaces.py has the emulated one."""
import socket
from dataclasses import dataclass

COORDINATOR = "coordinator"
STRANGER = "stranger"  # somebody in the house who is no room


@dataclass(frozen=True)
class Path:
    """What one direction of a link does to packets."""

    delay_us: float = 0.0
    jitter_us: float = 0.0  # uniform: from 0 to this; exponential: the mean
    jitter: str = "uniform"
    loss: float = 0.0  # share of packets, 0..1
    burst: float = 1.0  # mean packets lost in a row (Gilbert-Elliott); 1: independent losses
    reorder: float = 0.0  # share of packets that are overtaken
    reorder_us: float = 2000.0  # by being held this much longer
    duplicate: float = 0.0  # share of packets that come twice
    rate_bps: float = 0.0  # bits a second; 0: no limit
    stall_every_s: float = 0.0  # mean time between stalls (exponential); 0: none
    stall_us: tuple = (20_000.0, 100_000.0)  # a stall holds everything this long, uniform


@dataclass(frozen=True)
class Link:
    """The way between one room and the coordinator."""

    to_room: Path = Path()
    from_room: Path = Path()

    @staticmethod
    def both(path):
        return Link(path, path)


class Loopback:
    """Everybody shares the machine's loopback: no delay, no loss. Needs no rights."""

    emulated = False

    def address(self, node):
        return "127.0.0.1"

    def listen_address(self, node):
        """Where a node's programs listen: everywhere, when its address may change."""
        return self.address(node)

    def name(self, node):
        """By what others look a node up."""
        return self.address(node)

    def command(self, node, argv):
        return list(argv)

    def socket(self, node, kind=socket.SOCK_DGRAM):
        """A socket at the node."""
        return socket.socket(socket.AF_INET, kind)

    def processes(self):
        """Processes of the network itself."""
        return {}

    def reset(self):
        """Forgets the counts so far."""

    def report(self):
        """What the links did, and how exactly."""
        return None

    def close(self):
        pass
