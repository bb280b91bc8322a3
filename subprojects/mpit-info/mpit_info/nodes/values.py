"""The command values: all values of a variable or of a rank, from a run of `mpit-info watch --nodes`: `values.show(options)`.

The tool that watches listens on an abstract socket of its user and process, with a random end: another user cannot take the name before.
It sends a request down the tree, and each node answers for its ranks.
"""

import contextlib
import json
import os
import pathlib
import secrets
import socket

from mpit_info import connections, schema
from mpit_info.document import clean
from mpit_info.nodes import node_meeting
from mpit_info.refusal import Refusal
from mpit_info.settings import shown

# Seconds for an answer to be sent, and to wait for one.
SENDING, PATIENCE = 2.0, 15.0


def socket_of(pid):
    """The begin of the name of the socket of a tool that watches."""
    return f"mpit-info/{os.geteuid()}/watch/{pid}/"


def connected(pid):
    """The connection to a tool of this user that watches; OSError if there is none."""
    text = pathlib.Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace")
    for name in dict.fromkeys(line.split()[-1][1:] for line in text.splitlines() if " @" + socket_of(pid) in line):
        source = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        source.settimeout(PATIENCE)
        with contextlib.suppress(OSError):
            source.connect("\0" + name)
            if node_meeting.is_of_this_user(source):
                return source
        source.close()
    raise FileNotFoundError


class Answering:
    """The side of the tool that watches: its connections are read like those of the run."""

    def __init__(self, root, ready):
        self.root = root
        self.connections = connections.Connections(node_meeting.AgentMeeting(socket_of(os.getpid()) + secrets.token_hex(8)), ready)
        self.connections.is_welcome = node_meeting.is_of_this_user

    def take(self, connection, message):
        """Takes a request, and answers it later."""
        if message["message"] == "request":
            self.root.ask(lambda answer: self.answer(connection, answer),
                          **{name: message[name] for name in ("variable", "rank") if name in message})

    def answer(self, connection, message):
        """Sends the answer, and closes the connection."""
        with contextlib.suppress(OSError):
            connection.source.settimeout(SENDING)
            connection.source.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        if connection.source.fileno() >= 0:
            self.connections.close(connection)


def asked(pid, **what):
    """The answer of the nodes of a run."""
    try:
        owner = os.stat(f"/proc/{pid}").st_uid
    except OSError:
        raise Refusal(f"there is no process {pid}", 1) from None
    if owner != os.geteuid():
        raise Refusal(f"process {pid} belongs to another user", 1)
    try:
        with connected(pid) as source:
            source.sendall(json.dumps({"message": "request", "request": 0, **what}).encode() + b"\n")
            with source.makefile("rb") as file:
                line = file.readline()
    except OSError:
        raise Refusal(f"process {pid} is no `mpit-info watch --nodes`, or does not answer", 1) from None
    problem = None
    try:
        told = schema.parsed(line)
        problem = schema.problem("stream.json", told, "/$defs/ranks")
    except schema.Misfit as misfit:
        problem = str(misfit)
    if problem:
        raise Refusal(f"process {pid} has sent an answer that {problem}", 1)
    return told


def label(name, element, bound):
    """The name of a variable with its element and its object."""
    return clean(name + ("" if element is None else f"[{element}]") + (f" ({bound})" if bound else ""))


def show(options):
    """Prints the values by rank."""
    what = {"variable": options.name} if options.name is not None else {"rank": options.rank}
    told = asked(options.watch, **what)
    rows = [row for row in told["values"] if options.rank is None or row[0] == options.rank]
    if not rows:
        raise Refusal(f"no rank has a value of {options.name}" if options.name is not None else f"there is no rank {options.rank}", 1)
    for rank, name, element, bound, value in sorted(rows, key=lambda row: row[0]):
        title = f"rank {rank}" if rank >= 0 else f"process {-1 - rank}"
        print(f"{title}: {label(name, element, bound)} = {shown(value)}")
    return 0
