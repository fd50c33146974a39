# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""A house that plays by Snapcast, as Debian ships it, for the comparison: the same cards, nodes,
clocks and links as House, and the same ways to start, kill and play.

"The coordinator" is snapserver, "a speaker" snapclient. Both run with their defaults (FLAC, 20 ms
chunks, buffer 1000 ms, player alsa, software mixer at 100 %) but for where they listen and log.
The source is a pipe, which the server reads in real time, of 48000:16:2 as the tune is: nothing is
resampled. The pipe stays open while no server is there, so a restarted server goes on in the
music where the one before stopped reading; a player paced by its own clock would lose that too.
A program that fails is started again as Debian's units say (Restart=on-failure)."""
import fcntl
import json
import os
import shutil
import socket
import threading
import time
import wave

from house import House
from network import COORDINATOR

PROGRAMS = ("snapserver", "snapclient")
CODECS = ("flac", "opus", "pcm", "ogg")
STREAM = "lab"
ANSWER_SECONDS = 2  # the server's answer to a control request


def why_not():
    """None when Snapcast is installed, else what to do."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"{' and '.join(missing)} missing; run tools/setup --lab" if missing else None


class Feeder(threading.Thread):
    """Writes a WAV file into a pipe, as fast as its reader takes it."""

    def __init__(self, path, pipe):
        super().__init__(daemon=True)
        with wave.open(path, "rb") as wav:
            self.sound = wav.readframes(wav.getnframes())
        self.pipe, self.stopped = pipe, threading.Event()

    def run(self):
        rest = memoryview(self.sound)
        while len(rest) and not self.stopped.is_set():
            rest = rest[os.write(self.pipe, rest[:4096]):]

    def stop(self):
        """Ends the music; what the reader has not taken yet is taken back."""
        self.stopped.set()
        while self.is_alive():  # blocked on a full pipe
            self.drain()
            self.join(timeout=0.02)
        self.drain()

    def drain(self):
        drain = os.open(f"/proc/self/fd/{self.pipe}", os.O_RDONLY | os.O_NONBLOCK)
        try:
            while os.read(drain, 1 << 16):
                pass
        except BlockingIOError:
            pass
        finally:
            os.close(drain)


class Keeper(threading.Thread):
    """Starts what has failed again: after 0.1 s, and not more than five times in 10 s (systemd)."""

    PAUSE_SECONDS, STARTS, WITHIN_SECONDS = 0.1, 5, 10

    def __init__(self, house):
        super().__init__(daemon=True)
        self.house, self.ended, self.starts = house, threading.Event(), {}

    def run(self):
        while not self.ended.wait(0.02):
            for name, process in list(self.house.running.items()):
                if process.poll():  # an end with 0 is none of its business
                    self.revive(name, process)

    def revive(self, name, process):
        now = time.monotonic()
        recent = [at for at in self.starts.get(name, [now]) if now - at < self.WITHIN_SECONDS]
        if len(recent) >= self.STARTS or self.ended.wait(self.PAUSE_SECONDS):
            return
        if self.house.running.get(name) is process:  # nobody has killed it
            self.starts[name] = [*recent, now]
            self.house.start_daemon(name)

    def stop(self):
        self.ended.set()
        self.join()


class SnapcastHouse(House):
    """A House of one snapserver and a snapclient per room."""

    sends_rtp = False

    def __init__(self, folder, rooms, network=None, base_port=17_700, codec="flac"):
        super().__init__(folder, rooms, network, base_port)
        self.codec, self.feeder = codec, None
        # The bus is a file, which no network namespace hides: without it nothing is announced.
        self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/no-bus"
        os.makedirs(folder + "/snapserver", exist_ok=True)
        self.fifo = folder + "/music.fifo"
        os.mkfifo(self.fifo)
        self.pipe = os.open(self.fifo, os.O_RDWR)
        self.keeper = Keeper(self)

    def control_port(self):
        return self.base_port + len(self.nodes())

    def start_coordinator(self):
        address = self.network.listen_address(COORDINATOR)
        self.start(COORDINATOR, [
            "snapserver", "--config", "/dev/null", f"--server.datadir={self.folder}/snapserver",
            "--http.enabled=false", f"--tcp.bind_to_address={address}",
            f"--tcp.port={self.control_port()}", f"--stream.bind_to_address={address}",
            f"--stream.port={self.port(COORDINATOR)}",
            f"--stream.source=pipe://{self.fifo}?name={STREAM}&codec={self.codec}"])

    def start_speaker(self, name):
        self.start(name, ["snapclient", "--host", self.network.name(COORDINATOR),
                          "--port", str(self.port(COORDINATOR)), "--hostID", name,
                          "--player", "alsa", "--soundcard", name, "--logsink", "stdout"])

    def start_all(self):
        self.start_coordinator()  # first: a client that finds none tries again after a second
        for name in self.names():
            self.start_speaker(name)
        self.keeper.start()

    def must_run(self):
        """What has failed for good is a result, not the lab's end."""

    def said_of(self, room):
        """Whether the server knows the room; it says no more."""
        there = any(c["id"] == room and c["connected"] for c in self.clients())
        return "connected" if there else "not connected"

    def ask(self, method):
        """One request to the server's control port; its result, or None."""
        request = json.dumps({"id": 1, "jsonrpc": "2.0", "method": method}) + "\r\n"
        try:
            with self.network.socket(COORDINATOR, socket.SOCK_STREAM) as tcp:
                tcp.settimeout(ANSWER_SECONDS)
                tcp.connect((self.network.address(COORDINATOR), self.control_port()))
                tcp.sendall(request.encode())
                with tcp.makefile() as answers:
                    for line in answers:  # notifications may come first
                        if json.loads(line).get("id") == 1:
                            return json.loads(line)["result"]
        except OSError:
            pass
        return None

    def clients(self):
        status = self.ask("Server.GetStatus")
        groups = status["server"]["groups"] if status else []
        return [client for group in groups for client in group["clients"]]

    def rooms_online(self):
        return sum(1 for client in self.clients() if client["connected"])

    def wait_for_rooms(self):
        self.wait("every room", lambda: self.rooms_online() == len(self.rooms))

    def play(self, path):
        self.end_music()
        self.feeder = Feeder(path, self.pipe)
        self.feeder.start()

    def end_music(self):
        if self.feeder is not None:
            self.feeder.stop()
            self.feeder = None

    def reported(self):
        return {"rooms": self.clients()}

    def stop(self):
        if self.keeper.ident:
            self.keeper.stop()
        self.end_music()
        super().stop()
        os.close(self.pipe)
