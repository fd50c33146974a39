# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Watches what a node sends: how fast at most, and whether any of it came too late to be heard."""
import socket
import struct
import time

import numpy as np

ETH_P_ALL = 3
OUTGOING = 4
SO_TIMESTAMPNS = 35
SO_RCVBUFFORCE = 33
RATE = 48_000
PACKET_S = 0.02
WINDOW_S = 0.1  # the rate is that of the fullest window of this length
AUDIO = (97, 100)  # RTP payload types: first sent, sent again


class WireWatch:
    """Datagrams that leave a node's port: (s, octets with IP and UDP, RTP stamp, payload type)."""

    def __init__(self, network, node, port):
        self.port, self.rows = port, []
        with network.entered(network.namespace(node)):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM,
                                        socket.htons(ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 25)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.bind(("eth0", 0))
        self.socket.settimeout(0.2)

    def run(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                data, control, _, address = self.socket.recvmsg(2048, 256)
            except TimeoutError:
                continue
            except OSError:  # the node is no more
                return
            if address[2] == OUTGOING:
                self.take(data, struct.unpack("qq", control[0][2]))

    def take(self, data, stamp):
        head = (data[0] & 15) * 4 if data else 0
        if len(data) < head + 8 + 12 or data[9] != socket.IPPROTO_UDP:
            return
        if struct.unpack("!H", data[head : head + 2])[0] != self.port:
            return
        kind, media = data[head + 9] & 0x7F, struct.unpack("!I", data[head + 12 : head + 16])[0]
        is_audio = data[head + 8] >> 6 == 2 and kind in AUDIO
        self.rows.append((stamp[0] + stamp[1] / 1e9, len(data), media if is_audio else -1, kind))

    def report(self, delay_s):
        """The fullest window, and packets that left later than they could be heard.

        A packet leaves when its stamp is due, at the latest a packet's length later, and is heard
        `delay_s` after its stamp. What that looks like on the wire is taken from the packets
        themselves: the earliest are on time. Of a packet the last frame is heard a packet later than
        the first: it is worth sending until then."""
        rows = np.array(self.rows)
        at, size, media, kind = rows.T
        filled = np.cumsum(size)
        ends = np.searchsorted(at, at + WINDOW_S)
        fullest = (filled[np.minimum(ends, filled.size) - 1] - filled + size).max() * 8 / WINDOW_S
        audio = (media >= 0) & (kind == AUDIO[0])
        age = at[audio] - np.unwrap(media[audio], period=2.0**32) / RATE
        usual = np.percentile(age, 5)
        return {"packets": int(rows.shape[0]), "fullestMegabitsPerSecond": round(fullest / 1e6, 2),
                "latestSeconds": round(float((age - usual).max()), 3),
                "unheardPackets": int((age - usual > delay_s + PACKET_S).sum())}
