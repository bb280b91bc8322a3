"""Reaches sleeping agents of running processes: `reaching.processes(options)`, `reaching.connected(pid, {"want": "get", ...})`.

Such an agent listens on a file in a directory that belongs to this user alone (MPIT_AGENT=resident, agent/listener.hpp), so that no other
user can take its name or connect. The name has the namespace of processes and the number in it. The tool checks the user and the number
of the process behind it before it sends anything.
"""

import contextlib
import errno
import functools
import json
import os
import pathlib
import re
import socket
import stat
import sys
import time

from mpit_info import calls, measured, schema
from mpit_info.meeting import peer_of
from mpit_info.refusal import Refusal

# Seconds for an answer, and between two attempts to connect: an agent serves one connection at a time.
PATIENCE, PAUSE = 5.0, 0.02
LONGEST = 64 << 20
HINT = "start the job with `mpit-info resident -- ...`"


class Unreached(Refusal):
    """A process that cannot be reached; the others of a job are not concerned."""


def stat_of(pid):
    """The fields of /proc/PID/stat behind the name of the command; empty if there is no such process."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def parent_of(pid):
    """The number of the parent of a process; None if there is no such process."""
    fields = stat_of(pid)
    return int(fields[1]) if fields else None


def above(pid):
    """The numbers of a process and of all processes above it, up to the first one of the system."""
    found = [pid]
    while parent := parent_of(found[-1]):
        found.append(parent)
    return found


def command_of(pid):
    """The words of the command of a process; empty if it has ended."""
    try:
        return [os.fsdecode(word) for word in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:-1]]
    except OSError:
        return []


def below(launcher):
    """The numbers of a process and of all processes below it on this node."""
    children = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        children.setdefault(parent_of(path.name), []).append(int(path.name))
    found, seen = [launcher], 0
    while seen < len(found):
        found += sorted(children.get(found[seen], []))
        seen += 1
    return found


def state_of(pid):
    """The letter of the state of a process, as ps prints it; empty if there is no such process."""
    return next(iter(stat_of(pid)), "")


def is_running(pid):
    """Whether there is a process of this number that has not ended."""
    return state_of(pid) not in ("", "Z", "X")


def root_of(pid):
    """What is before the paths of a process here: nothing, or the root of its container."""
    with contextlib.suppress(OSError):
        if os.readlink(f"/proc/{pid}/ns/mnt") != os.readlink("/proc/self/ns/mnt"):
            return f"/proc/{pid}/root"
    return ""


def folders(root=""):
    """The directories with sockets of this user, and those that another user has put in their place."""
    places, user = ["/dev/shm", f"/run/user/{os.geteuid()}"], str(os.geteuid())
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    places += [runtime] if runtime and os.path.isabs(runtime) and runtime not in places else []
    own, foreign = [], []
    for path in (path for place in places for path in pathlib.Path(root + place).glob("mpit-info-*")):
        try:
            found = path.lstat()
        except OSError:
            continue
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            own.append(path)
        elif path.name.split("-")[2] == user:
            foreign.append(path)
    return own, foreign


def namespace_of(pid):
    """The number of the namespace of a process; that of the tool if it cannot be read."""
    for process in (pid, "self"):
        with contextlib.suppress(OSError):
            return re.sub("[^0-9]", "", os.readlink(f"/proc/{process}/ns/pid"))
    return "0"


def inner(pid):
    """The number of a process in its own namespace."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        status = ""
    found = re.search(r"^NSpid:.*?([0-9]+)$", status, re.MULTILINE)
    return int(found[1] if found else pid)


def name_of(pid):
    """The name of the socket of a process."""
    return f"{namespace_of(pid)}-{inner(pid)}"


def socket_of(pid):
    """The path of the socket of a process, which may be in a container; None if it has none."""
    return next((path for path in (folder / name_of(pid) for folder in folders(root_of(pid))[0]) if os.path.exists(path)), None)


def names_in(root):
    """The names of all sockets of this user in a container, or here."""
    names = set()
    for folder in folders(root)[0]:
        with contextlib.suppress(OSError):
            names.update(os.listdir(folder))
    return names


def tidy():
    """Removes the sockets of processes that were killed."""
    # Where /proc is that of another namespace, its numbers are not those of the names.
    own = namespace_of("self") if os.readlink("/proc/self") == str(os.getpid()) else None
    for folder in folders()[0]:
        with contextlib.suppress(OSError):
            for path in folder.iterdir():
                namespace, _, number = path.name.partition("-")
                if namespace == own and not os.path.exists(f"/proc/{number}"):
                    path.unlink(missing_ok=True)  # another tool may have done it


def with_agents(pids):
    """Those of the processes in which an agent sleeps."""
    tidy()
    names_of = functools.cache(names_in)  # a directory is read once
    return [pid for pid in pids if (names := names_of(root_of(pid))) and name_of(pid) in names]


def environment_of(pid):
    """The environment of a process; empty if it cannot be read."""
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(os.fsdecode(word).partition("=")[::2] for word in words)


class Newcomers:  # pylint: disable=too-few-public-methods
    """The processes of this user on this node in which agents sleep, in a batch job those of the job. A call returns those that have come
    since the last one.
    """

    def __init__(self):
        self.known = set()

    def __call__(self):
        there = with_agents(all_of_job())
        come, self.known = [pid for pid in there if pid not in self.known], set(there)
        return come


def all_of_job():
    """The numbers of the processes of this user on this node, in a batch job those of the job."""
    job, there = measured.job_of(), []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            there += [int(path.name)] if path.stat().st_uid == os.geteuid() else []
    return [pid for pid in there if not job or measured.job_of(environment_of(pid)) == job]


def owner(pid):
    """The user of a process, who owns its socket."""
    try:
        return os.stat(f"/proc/{pid}").st_uid
    except OSError:
        raise Unreached(f"there is no process {pid}", 1) from None


def processes(options):
    """The numbers of the processes that the options name."""
    numbers = [int(number) for number in options.pid]
    foreign = folders()[1]
    if foreign:
        more = f", nor do {len(foreign) - 1} more" if len(foreign) > 1 else ""
        print(f"mpit-info: {foreign[0]} does not belong to this user alone{more}; what is there is left out", file=sys.stderr)
    if options.all and options.command != "attach":
        numbers += with_agents(all_of_job())
        if not numbers:
            raise Refusal(f"no process of this {'job' if measured.job_of() else 'user'} on this node has a sleeping agent; {HINT}", 1)
    for launcher in options.launchers:
        owner(launcher)
        found = with_agents(below(launcher))
        if not found:
            raise Refusal(f"no process below {launcher} has a sleeping agent; {HINT}", 1)
        numbers += found
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
    if owner(pid) != os.geteuid():
        raise Unreached(f"process {pid} belongs to another user", 1)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connect(made, pid, socket_of(pid))
        behind, user = peer_of(made)
        # In another namespace of processes the number is 0.
        if user != os.geteuid() or behind not in (pid, 0):
            raise Unreached(f"the socket of process {pid} belongs to {f'process {behind}' if user == os.geteuid() else 'another user'}", 1)
    except Refusal:
        made.close()
        raise
    try:
        made.sendall(json.dumps(request, separators=(",", ":")).encode() + b"\n")
    except OSError:
        made.close()
        raise Unreached(f"process {pid} refuses the connection", 1) from None
    return made


def connect(made, pid, path):
    """Connects to the socket of a process; waits while others wait for its agent."""
    limit = time.monotonic() + PATIENCE
    while path is not None:
        # A connection beyond the agent's queue fails at once, and not after the time.
        made.settimeout(PATIENCE)
        try:
            return made.connect(str(path))
        except OSError as problem:
            if problem.errno != errno.EAGAIN:
                break
        if time.monotonic() > limit:
            raise Refusal(f"process {pid} does not answer: other tools wait for it", 1)
        time.sleep(PAUSE)
    raise Unreached(f"process {pid} has no sleeping agent; {HINT}" if is_running(pid) else f"process {pid} has ended", 1)


def of_those_reached(pids, function):
    """What the function returns for each process that can be reached, and sentences about the others. Refused if none can."""
    found, sentences = [], []
    for pid in pids:
        try:
            found.append(function(pid))
        except Unreached as refusal:
            sentences.append(str(refusal))
    if sentences:
        tidy()
    if sentences and not found:
        raise Refusal("; ".join(sentences), 1)
    return found, sentences


def answer(pid, request):
    """The one message with which the agent answers."""
    with connected(pid, request) as source:
        text = b""
        try:
            while not text.endswith(b"\n") and len(text) < LONGEST:
                part = source.recv(1 << 16)
                if not part:
                    raise Unreached(f"process {pid} has ended, or refuses the connection", 1)
                text += part
        except socket.timeout:  # TimeoutError, but not in Python 3.9
            raise Refusal(f"process {pid} does not answer: another tool may be attached", 1) from None
        except OSError as problem:
            raise Unreached(f"process {pid}: {problem.strerror}", 1) from None
    try:
        told = schema.parsed(text)
    except schema.Misfit as misfit:
        raise Refusal(f"process {pid} has sent a line that {misfit}", 1) from None
    if not isinstance(told, dict) or not isinstance(told.get("values"), list):
        raise Refusal(f"process {pid} has sent no values", 1)
    # In its own namespace of processes it has another number.
    return {**told, "pid": pid}
