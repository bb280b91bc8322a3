"""Reaches sleeping agents of running processes: `reaching.processes(options)`, `reaching.connected(pid, {"want": "get", ...})`.

Such an agent listens on the abstract socket "mpit-info/UID/PID" (MPIT_AGENT=resident). The name is free for anybody, so that the
tool checks the user and the number of the process behind it before it sends anything.
"""

import json
import os
import pathlib
import socket
import struct

from mpit_info import calls, schema
from mpit_info.refusal import Refusal

# Seconds for an answer: an agent serves one connection at a time.
PATIENCE = 5.0
LONGEST = 64 << 20


def below(launcher):
    """The numbers of a process and of all processes below it on this node."""
    children = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found, seen = [launcher], 0
    while seen < len(found):
        found += sorted(children.get(found[seen], []))
        seen += 1
    return found


def is_running(pid):
    """Whether there is a process of this number that has not ended."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in "ZX"


def sleeping():
    """The names of all abstract sockets of agents on this node."""
    try:
        text = pathlib.Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    return {line.split()[-1][1:] for line in text.splitlines() if " @mpit-info/" in line}


def owner(pid):
    """The user of a process, which names its socket."""
    try:
        return os.stat(f"/proc/{pid}").st_uid
    except OSError:
        raise Refusal(f"there is no process {pid}", 1) from None


def processes(options):
    """The numbers of the processes that the options name."""
    numbers = [int(number) for number in options.pid]
    names = sleeping()
    for launcher in options.launchers:
        owner(launcher)
        found = [pid for pid in below(launcher) if any(name.endswith(f"/{pid}") for name in names)]
        if not found:
            raise Refusal(f"no process below {launcher} has a sleeping agent; start the job with `mpit-info resident -- ...`", 1)
        numbers += found
    if not numbers:
        raise Refusal("--pid or --job must name a process")
    return list(dict.fromkeys(numbers))


def check_regions(pids):
    """Refuses processes that do not know their regions: the library for these must be there from the start."""
    for pid in pids:
        try:
            is_there = calls.REGIONS in pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if not is_there:
            raise Refusal(f"process {pid} does not know its regions; start the job with `mpit-info resident --regions -- ...`", 1)


def connected(pid, request):
    """The connection to the agent of a process, which has got the request."""
    uid = owner(pid)
    if uid != os.geteuid():
        raise Refusal(f"process {pid} belongs to another user", 1)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.settimeout(PATIENCE)
    try:
        made.connect(f"\0mpit-info/{uid}/{pid}")
    except OSError:
        made.close()
        raise Refusal(f"process {pid} has no sleeping agent; start the job with `mpit-info resident -- ...`", 1) from None
    behind, user, _ = struct.unpack("3i", made.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    # In another namespace of processes the number is 0.
    if user != os.geteuid() or behind not in (pid, 0):
        made.close()
        raise Refusal(f"the socket of process {pid} belongs to {f'process {behind}' if user == os.geteuid() else 'another user'}", 1)
    try:
        made.sendall(json.dumps(request, separators=(",", ":")).encode() + b"\n")
    except OSError:
        made.close()
        raise Refusal(f"process {pid} refuses the connection", 1) from None
    return made


def answer(pid, request):
    """The one message with which the agent answers."""
    with connected(pid, request) as source:
        text = b""
        try:
            while not text.endswith(b"\n") and len(text) < LONGEST:
                part = source.recv(1 << 16)
                if not part:
                    raise Refusal(f"process {pid} has ended, or refuses the connection", 1)
                text += part
        except socket.timeout:  # TimeoutError, but not in Python 3.9
            raise Refusal(f"process {pid} does not answer: another tool may be attached", 1) from None
        except OSError as problem:
            raise Refusal(f"process {pid}: {problem.strerror}", 1) from None
    try:
        told = schema.parsed(text)
    except schema.Misfit as misfit:
        raise Refusal(f"process {pid} has sent a line that {misfit}", 1) from None
    if not isinstance(told, dict) or not isinstance(told.get("values"), list):
        raise Refusal(f"process {pid} has sent no values", 1)
    return told
