"""Where a collector listens: `AgentMeeting(name)` for the processes of its node, `ChildMeeting(address, token)` for other collectors.

The processes of a node find an abstract socket, a name of the network namespace that disappears with its owner: the first collector
of a node and a job gets it. Abstract names have no permissions, so that both sides check the user behind a connection.
"""

import os
import socket

from mpit_info.meeting import peer_of
from mpit_info.refusal import Refusal


def socket_name(job):
    """The name of the socket of a job's collectors, without the null in front."""
    return f"mpit-info/{os.geteuid()}/node/{job}"


def is_of_this_user(source):
    """Whether the other process of a connection on this machine belongs to the same user."""
    return peer_of(source)[1] == os.geteuid()


class AgentMeeting:
    """For the processes of this node; refused if another collector has the name."""

    token = None

    def __init__(self, name):
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.listening.bind("\0" + name)
        except OSError as problem:
            self.listening.close()
            raise Refusal(f"this node has a collector of the job already ({problem.strerror})", 1) from None
        self.listening.listen(4096)
        self.listening.setblocking(False)


class ChildMeeting:
    """For other collectors, which send the token of the job; at the address of this machine that the root has seen."""

    def __init__(self, host, token):
        self.token = token
        self.listening = socket.create_server((host, 0), backlog=256, family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        self.listening.setblocking(False)
        numbers = socket.getnameinfo(self.listening.getsockname(), socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)
        self.address = "/".join(("tcp:" + numbers[0], numbers[1], token))


def connected(address, seconds):
    """A connection to an address as in MPIT_INFO_SOCKET, which has got the token; OSError if there is none."""
    if not address.startswith("tcp:"):
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.settimeout(seconds)
        try:
            made.connect(address)
        except OSError:
            made.close()
            raise
        return made
    host, port, token = (address[len("tcp:"):] + "//").split("/")[:3]
    made = socket.create_connection((host, int(port or 0)), timeout=seconds)
    made.sendall(token.encode() + b"\n")
    return made


def token_of(address):
    """The token of an address; None if it needs none."""
    return address.rpartition("/")[2] if address.startswith("tcp:") else None
