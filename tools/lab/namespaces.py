# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""Network namespaces joined by the link emulator (link/): each node a host of its own.

Namespaces are named tutti-lab.PID.NODE after the lab that made them; whatever a killed lab left
behind is removed when the next one starts."""
import contextlib
import ctypes
import glob
import json
import os
import signal
import socket
import subprocess
import time

from network import COORDINATOR, Link, Path

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = "tutti-lab."
FOLDER = "/run/netns/"
CLONE_NEWNET = 0x4000_0000
LIBC = ctypes.CDLL(None, use_errno=True)


def build_emulator(folder):
    target = os.path.join(folder, "link")
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-std=c17", "-o", target,
                    *sorted(glob.glob(HERE + "/link/*.c")), "-lm"], check=True)
    return target


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def remove_namespace(name):
    """Ends what still runs inside, then the namespace with its interfaces."""
    inside = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True).stdout
    for pid in inside.split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    subprocess.run(["ip", "netns", "del", name], capture_output=True)


def is_alive(pid):
    """Whether a process runs; one that has ended and was not waited for (a zombie) does not."""
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1][0] not in "ZX"
    except OSError:
        return False


def remove_stale():
    """Removes the namespaces of labs that are no more."""
    for path in glob.glob(FOLDER + PREFIX + "*"):
        name = os.path.basename(path)
        owner = name.split(".")[1]
        if not is_alive(owner):
            remove_namespace(name)


def why_not():
    """None when this machine permits what the lab needs, else the reason in words."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    probe = f"{PREFIX}{os.getpid()}.probe"
    try:
        ip("netns", "add", probe)
        ip("-n", probe, "link", "add", "name", "v0", "type", "veth",
           "peer", "name", "v1")
        subprocess.run(["nsenter", f"--net={FOLDER}{probe}", "unshare", "-T", "--monotonic", "1",
                        "true"], check=True, capture_output=True)
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    except (OSError, subprocess.CalledProcessError) as problem:
        return f"namespaces are not permitted here ({problem})"
    finally:
        subprocess.run(["ip", "netns", "del", probe], capture_output=True)
    return None


def settings(path):
    """A Path in the words of the emulator's "set"."""
    least, most = path.stall_us
    return (f"delay={path.delay_us} jitter={path.jitter_us} shape={path.jitter} loss={path.loss} "
            f"burst={path.burst} reorder={path.reorder} reorder_by={path.reorder_us} "
            f"duplicate={path.duplicate} rate={path.rate_bps} "
            f"stall_every={path.stall_every_s * 1e6} stall_min={least} stall_max={most}")


class Namespaces:
    """A star of nodes around the coordinator, one emulated link each.

    links: node name -> Link. Nodes reach each other too: then a packet passes both links."""

    emulated = True

    def __init__(self, folder, links, seed=1, spin_us=30):
        remove_stale()
        self.folder, self.links = folder, dict(links)
        self.nodes = [COORDINATOR, *links]
        self.addresses = {node: f"10.77.0.{number}" for number, node in enumerate(self.nodes, 1)}
        self.write_names()
        self.emulator = self.control = None
        try:
            for node in ("wire", *self.nodes):
                ip("netns", "add", self.namespace(node))
            for number, node in enumerate(self.nodes):
                self.plug(number, node)
            self.wait_for_cables()
            self.start_emulator(seed, spin_us)
            for node, link in self.links.items():
                self.set(node, link)
        except BaseException:
            self.close()
            raise

    def namespace(self, node):
        return f"{PREFIX}{os.getpid()}.{node}"

    def address(self, node):
        return self.addresses[node]

    def listen_address(self, node):
        return "0.0.0.0"

    def name(self, node):
        return node + ".lab"

    @property
    def names_file(self):
        """What nodes have for /etc/hosts."""
        return os.path.join(self.folder, "hosts")

    def write_names(self):
        with open(self.names_file, "w") as out:
            out.write("127.0.0.1 localhost\n")
            out.writelines(f"{self.addresses[node]} {self.name(node)}\n" for node in self.nodes)

    def mac(self, node):
        return "02:00:" + ":".join(f"{int(part):02x}" for part in self.address(node).split("."))

    def plug(self, number, node):
        """One cable: `eth0` at the node, `n<number>` at the emulator."""
        inside, wire = self.namespace(node), self.namespace("wire")
        mac = self.mac(node)
        # No segmentation off-load: the emulator is to see packets as a network does.
        ip("-n", wire, "link", "add", "name", f"n{number}", "type", "veth", "peer", "name", "eth0",
           "address", mac, "gso_max_segs", "1", "netns", inside)
        with self.entered(inside), open("/proc/sys/net/ipv6/conf/all/disable_ipv6", "w") as off:
            off.write("1")
        ip("-n", inside, "link", "set", "lo", "up")
        ip("-n", inside, "link", "set", "eth0", "arp", "off", "up")
        ip("-n", inside, "address", "add", self.address(node) + "/24", "dev", "eth0")
        ip("-n", wire, "link", "set", f"n{number}", "arp", "off", "up")

    def wait_for_cables(self, seconds=5):
        """The kernel takes up to a second to let packets into a cable it has just seen come up."""
        deadline = time.monotonic() + seconds
        while any(" DOWN " in ip("-n", self.namespace(node), "-br", "link", "show", "type", "veth")
                  for node in ("wire", *self.nodes)):
            if time.monotonic() > deadline:
                raise OSError("the virtual cables did not come up")
            time.sleep(0.02)

    def start_emulator(self, seed, spin_us):
        path = os.path.join(self.folder, "link.sock")
        program = build_emulator(self.folder)
        nodes = [f"{node}=n{number}={self.address(node)}" for number, node in enumerate(self.nodes)]
        with open(os.path.join(self.folder, "link.log"), "ab") as log:
            self.emulator = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", *self.enter("wire"), program,
                 "--control", path, "--seed", str(seed), "--spin", str(spin_us), *nodes],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        deadline = time.monotonic() + 5
        while self.emulator.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                return self.control.connect(path)
            time.sleep(0.02)
        raise OSError(f"the link emulator did not start; see {self.folder}/link.log")

    def enter(self, node):
        return ["nsenter", f"--net={FOLDER}{self.namespace(node)}", "--"]

    def command(self, node, argv):
        return [*self.enter(node), *argv]

    @contextlib.contextmanager
    def entered(self, namespace):
        """This thread is inside the namespace for the block."""
        with open("/proc/thread-self/ns/net") as home, open(FOLDER + namespace) as there:
            if LIBC.setns(there.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")
            try:
                yield
            finally:
                LIBC.setns(home.fileno(), CLONE_NEWNET)

    def socket(self, node, kind=socket.SOCK_DGRAM):
        """A socket in the node's namespace; it stays there."""
        with self.entered(self.namespace(node)):
            return socket.socket(socket.AF_INET, kind)

    def ask(self, command):
        self.control.send(command.encode())
        answer = self.control.recv(1 << 16).decode().strip()
        if not answer or answer.startswith("error"):
            raise OSError(f"link emulator: {command}: {answer or 'gone'}")
        return answer

    def set(self, node, link):
        """Changes a node's link (a Link, or a Path for both directions) from now on."""
        if isinstance(link, Path):
            link = Link.both(link)
        self.links[node] = link
        self.ask(f"set {node} to {settings(link.to_room)}")
        self.ask(f"set {node} from {settings(link.from_room)}")

    def down(self, node="all", direction="both", what=""):
        """An outage, until up(); what is on its way is lost. direction: to, from or both.

        what="tcp": of TCP alone."""
        self.ask(f"down {node} {direction} {what}")

    def up(self, node="all", direction="both", what=""):
        self.ask(f"up {node} {direction} {what}")

    def unplug(self, node):
        """The node's interface goes down."""
        ip("-n", self.namespace(node), "link", "set", "eth0", "down")

    def plug_in(self, node):
        ip("-n", self.namespace(node), "link", "set", "eth0", "up")

    def move(self, node):
        """The node has another address at once, as when DHCP gives it a new one."""
        inside, old = self.namespace(node), self.address(node)
        head, _, last = old.rpartition(".")
        self.addresses[node] = f"{head}.{int(last) + 100}"
        ip("-n", inside, "address", "del", old + "/24", "dev", "eth0")
        ip("-n", inside, "link", "set", "eth0", "address", self.mac(node))
        self.ask(f"move {node} {self.address(node)}")
        ip("-n", inside, "address", "add", self.address(node) + "/24", "dev", "eth0")
        self.write_names()

    def hold(self, node, direction, microseconds):
        """One stall: everything waits this long, then comes in order."""
        self.ask(f"hold {node} {direction} {microseconds}")

    def processes(self):
        return {"link emulator": self.emulator}

    def reset(self):
        """Forgets the counts so far."""
        self.ask("reset")

    def report(self):
        """Counts per link and direction, and how late the emulator itself was."""
        return json.loads(self.ask("report"))

    def close(self):
        if self.emulator is not None:
            self.emulator.terminate()
            try:
                self.emulator.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.emulator.kill()
                self.emulator.wait()
        if self.control is not None:
            self.control.close()
        for path in glob.glob(f"{FOLDER}{PREFIX}{os.getpid()}.*"):
            remove_namespace(os.path.basename(path))
