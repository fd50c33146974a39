# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Tutti authors
"""A real avahi-daemon on each host of the lab, with a message bus of its own.

Programs reach the bus by a path, which no network namespace hides: each node has its own. The daemon's
/run/avahi-daemon is fixed, so each has a mount namespace too."""
import os
import shutil
import time

PROGRAMS = ("dbus-daemon", "avahi-daemon")
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={path}</listen>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
  </policy>
</busconfig>
"""
AVAHI = """[server]
host-name={node}
allow-interfaces=eth0
use-ipv6=no
[publish]
publish-hinfo=no
publish-workstation=no
"""
RUN = ("mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon && "
       "exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f {path}")


def why_not():
    """None when the programs are there, else what to do."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"{' and '.join(missing)} missing; run tools/setup" if missing else None


def bus(house, node):
    """The address of the node's bus."""
    return f"unix:path={house.folder}/{node}.bus"


def start(house, node):
    """Starts the bus and the daemon of a node."""
    path = f"{house.folder}/{node}.bus"
    with open(path + ".conf", "w") as out:
        out.write(BUS.format(path=path))
    house.start_beside(node, "bus", ["dbus-daemon", "--nofork", "--nopidfile",
                                     f"--config-file={path}.conf"])
    deadline = time.monotonic() + 5
    while not os.path.exists(path) and time.monotonic() < deadline:
        time.sleep(0.02)
    with open(f"{house.folder}/{node}.avahi.conf", "w") as out:
        out.write(AVAHI.format(node=node))
    house.start_beside(node, "avahi", [
        "env", f"DBUS_SYSTEM_BUS_ADDRESS={bus(house, node)}", "unshare", "-m", "sh", "-c",
        RUN.format(path=f"{house.folder}/{node}.avahi.conf")])
