#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""A radio station on loopback: what Icecast and Shoutcast do on the wire, and what goes wrong there.

usage: station.py [--port N] [--epoch S] [--title S=TEXT ...] FILE [FILE ...]

It sends the files one after the other, for ever, at the pace at which they play; all listeners hear
the same at the same time, and a second station with the same --epoch (seconds since 1970) goes on
where the first would be. --title changes the title S seconds into each round of the files. Prints its
port, then a line for each request.

  GET /stream       the station. Options behind "?", joined by "&":
                    burst=BYTES (65536: Icecast's default)   metaint=BYTES (16000; 0: no titles)
                    shoutcast=1 (answers "ICY 200 OK")       bare=1 (no icy- headers)
                    after=S (until something happens)        how=close|reset|stall (what happens)
                    chain=1 (from the beginning of a file: for Ogg, whose header is there)
                    length=BYTES (a Content-Length)          type=MIME
  GET /moved/CODE?to=PATH   a redirect          GET /circle   redirects to itself for ever
  GET /list.m3u, /list.pls  ?to=PATH            playlists that name PATH on this server
  GET /file         the first file, with its length           GET anything else   404
"""
import argparse
import os
import socket
import struct
import sys
import threading
import time
import urllib.parse

TYPES = {"mp3": "audio/mpeg", "aac": "audio/aac", "ogg": "application/ogg", "opus": "audio/ogg"}
TICK = 0.05  # seconds between two portions


class Station:
    """What is sent when. Position: bytes since the epoch."""

    def __init__(self, files, titles, epoch):
        self.parts = [open(name, "rb").read() for name in files]
        self.seconds = [float(os.popen(
            f"ffprobe -v error -show_entries format=duration -of csv=p=0 '{name}'").read())
            for name in files]
        self.kind = files[0].rsplit(".", 1)[-1]
        self.sound = b"".join(self.parts)
        self.length = sum(self.seconds)
        self.titles = sorted(titles)
        self.epoch = epoch

    def place(self, when):
        """The byte that is on the air at a time."""
        rounds, rest = divmod(max(0.0, when - self.epoch), self.length)
        place = int(rounds) * len(self.sound)
        for part, seconds in zip(self.parts, self.seconds):
            if rest < seconds:
                return place + int(len(part) * rest / seconds)
            rest, place = rest - seconds, place + len(part)
        return place

    def part_start(self, place):
        """Where the file begins that `place` is in."""
        start = place - place % len(self.sound)
        for part in self.parts:
            if start + len(part) > place:
                break
            start += len(part)
        return start

    def read(self, start, end):
        out = bytearray()
        while start < end:
            slot = start % len(self.sound)
            piece = self.sound[slot:slot + end - start]
            out += piece
            start += len(piece)
        return bytes(out)

    def title(self, place):
        at = (place % len(self.sound)) * self.length / len(self.sound)
        past = [text for second, text in self.titles if second <= at]
        return past[-1] if past else (self.titles[-1][1] if self.titles else b"")


class Listener:
    def __init__(self, station, connection):
        self.station, self.connection = station, connection

    def serve(self):
        head = b""
        while b"\r\n\r\n" not in head:
            more = self.connection.recv(4096)
            if not more:
                return
            head += more
        request = head.split(b"\r\n")[0].decode("latin-1")
        print(request, flush=True)
        url = urllib.parse.urlsplit(request.split(" ")[1])
        options = dict(urllib.parse.parse_qsl(url.query))
        self.wants_titles = b"icy-metadata: 1" in head.lower()
        self.answer(url.path, options, url.query)

    def answer(self, path, options, query):
        to = options.get("to", "/stream")
        if path == "/stream":
            self.stream(options)
        elif path == "/circle":
            self.say("302 Found", ["Location: /circle"])
        elif path.startswith("/moved/"):
            self.say(path.split("/")[2] + " Moved", [f"Location: {to}"])
        elif path == "/list.m3u":
            self.say("200 OK", ["Content-Type: audio/x-mpegurl"],
                     f"#EXTM3U\r\n#EXTINF:-1,The station\r\n{self.absolute(to)}\r\n".encode())
        elif path == "/list.pls":
            self.say("200 OK", ["Content-Type: audio/x-scpls"],
                     f"[playlist]\nnumberofentries=1\nFile1={self.absolute(to)}\n".encode())
        elif path == "/file":
            self.say("200 OK", [f"Content-Type: {TYPES[self.station.kind]}"], self.station.parts[0])
        else:
            self.say("404 Not Found", [])

    def absolute(self, to):
        if "://" in to or to.startswith("~"):
            return to.lstrip("~")
        host, port = self.connection.getsockname()
        return f"http://{host}:{port}{to}"

    def say(self, status, headers, body=b""):
        lines = [f"HTTP/1.0 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
        self.connection.sendall("\r\n".join(lines).encode() + body)

    def stream(self, options):
        station = self.station
        interval = int(options.get("metaint", 16000)) if self.wants_titles else 0
        if station.kind not in ("mp3", "aac"):
            interval = 0  # Ogg has its own comments
        status = "ICY 200 OK" if "shoutcast" in options else "HTTP/1.0 200 OK"
        lines = [status, f"Content-Type: {options.get('type', TYPES[station.kind])}"]
        if "bare" not in options:
            lines += ["icy-name: Radio Loopback", "icy-genre: Tones", "icy-br: 128", "icy-pub: 0"]
        if interval:
            lines.append(f"icy-metaint: {interval}")
        if "length" in options:
            lines.append(f"Content-Length: {options['length']}")
        self.connection.sendall("\r\n".join(lines + ["", ""]).encode())
        self.send_sound(options, interval)

    def send_sound(self, options, interval):
        station, began = self.station, time.time()
        place = max(0, station.place(began) - int(options.get("burst", 65536)))
        if "chain" in options:
            place = station.part_start(place)
        self.interval, self.left, self.told = interval, interval, None
        while True:
            now = time.time()
            if "after" in options and now - began > float(options["after"]):
                return self.misbehave(options.get("how", "close"))
            end = station.place(now)
            while place < end:
                place = self.send(place, end)
            time.sleep(TICK)

    def send(self, place, end):
        """Sends sound up to `end`, or to the next block of metadata and that."""
        if not self.interval:
            self.connection.sendall(self.station.read(place, end))
            return end
        upto = min(end, place + self.left)
        self.connection.sendall(self.station.read(place, upto))
        self.left -= upto - place
        if self.left == 0:
            self.connection.sendall(self.metadata(upto))
            self.left = self.interval
        return upto

    def metadata(self, place):
        title = self.station.title(place)
        if title == self.told:
            return b"\0"
        self.told = title
        text = b"StreamTitle='" + title + b"';StreamUrl='';"
        units = (len(text) + 15) // 16
        return bytes([units]) + text.ljust(units * 16, b"\0")

    def misbehave(self, how):
        if how == "stall":
            time.sleep(3600)
        if how == "reset":
            self.connection.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def serve(station, connection):
    try:
        Listener(station, connection).serve()
    except OSError:
        pass
    finally:
        connection.close()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--epoch", type=float, default=None)
    parser.add_argument("--title", action="append", default=[])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    # A station has been on the air for a while when one tunes in.
    epoch = time.time() - 60 if options.epoch is None else options.epoch
    titles = [text.split("=", 1) for text in options.title]
    station = Station(
        options.files, [(float(at), os.fsencode(text)) for at, text in titles], epoch)
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", options.port))
    server.listen(64)
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(station, connection), daemon=True).start()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
