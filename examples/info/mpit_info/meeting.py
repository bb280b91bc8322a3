"""Where the processes of a program and the tool meet: `with Meeting(options.listen) as meeting: meeting.listening.accept()`.

On one machine it is a file in a directory of its own. Where processes run on other machines, it is a port, and each of them
shows a token that only the environment of the program has.
"""

import os
import secrets
import socket
import tempfile

from mpit_info.refusal import Refusal

# What processes on other machines have to inherit.
INHERITED = ("LD_PRELOAD", "MPIT_INFO_SOCKET", "MPIT_INFO_AGENTS", "MPIT_INFO_REQUEST")


class Meeting:
    """`address` is for the agents, `token` is None where none is needed."""

    def __init__(self, host=None):
        self.folder, self.token = None, None
        if not host:
            self.folder = tempfile.TemporaryDirectory(prefix="mpit-info-")
            self.address = os.path.join(self.folder.name, "socket")
            self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.listening.bind(self.address)
        else:
            self.token = secrets.token_hex(16)
            self.listening = port_of(host)
            self.address = f"tcp:{host}/{self.listening.getsockname()[1]}/{self.token}"
        self.listening.listen(1024)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listening.close()
        if self.folder:
            self.folder.cleanup()

    def environment(self, command):
        """What Open MPI's mpiexec wants to be told, unless its user tells it: MPICH's takes the whole environment along."""
        if self.folder or "-x" in command or "OMPI_MCA_mca_base_env_list" in os.environ:
            return {}
        return {"OMPI_MCA_mca_base_env_list": ";".join(INHERITED)}


def port_of(host):
    """Listens on a free port of this name or address."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.bind(address)
    except OSError as problem:
        raise Refusal(f"cannot listen on {host}: {problem.strerror}") from None
    return listening
