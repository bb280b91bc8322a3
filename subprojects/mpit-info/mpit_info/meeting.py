"""The socket to which the processes of a program connect: `with Meeting(options.listen) as meeting:
meeting.listening.accept()`.

On one machine it is a file in a directory that only this user can open. For processes on other machines it is a port,
and each process sends a token that is only in the environment of the program.
"""

import contextlib
import os
import socket
import struct
import tempfile

from mpit_info.refusal import Refusal

# Variables of every job that processes on other machines must inherit.
INHERITED = ("LD_PRELOAD", "MPIT_INFO_SOCKET", "MPIT_INFO_AGENTS", "MPIT_INFO_REQUEST")
# The longest path of a socket, with the null at its end.
LONGEST_NAME = 108
LOCAL = "127.0.0.1"


class Meeting:
    """`address` is for the agents, `token` is None if none is needed."""

    def __init__(self, host=None):
        self.folder, self.token = None, None
        self.listening = None if host else self.file()
        if not self.listening:
            import secrets  # imports hashes, which a file needs not
            self.token = secrets.token_hex(16)
            self.listening = port_of(host or LOCAL)
            # An address in numbers: a program must not wait for a name server.
            numbers = socket.getnameinfo(self.listening.getsockname(), socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)
            self.address = "/".join(("tcp:" + numbers[0], numbers[1], self.token))
        self.listening.listen(4096)
        self.listening.setblocking(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listening.close()
        if self.folder:
            with contextlib.suppress(OSError):
                self.folder.cleanup()

    def file(self):
        """Listens on a file in the first directory with a short enough path; None if there is none."""
        for place in dict.fromkeys((place_of_temporaries(), os.environ.get("XDG_RUNTIME_DIR"), "/tmp", "/var/tmp", "/dev/shm")):
            try:
                self.folder = tempfile.TemporaryDirectory(prefix="mpit-info-", dir=place or "/nowhere")
            except OSError:
                continue
            self.address = os.path.join(os.path.abspath(self.folder.name), "socket")
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                if len(os.fsencode(self.address)) < LONGEST_NAME:
                    listening.bind(self.address)
                    return listening
            except OSError:
                pass
            listening.close()
            self.folder.cleanup()
        self.folder = None
        return None

    def environment(self, command, more):
        """Names those variables to Open MPI's mpiexec which it passes on, `more` of this job too, unless the user has named
        some; MPICH's passes on the whole environment. Open MPI 5 ends where one of them has no value.
        """
        if self.folder or "-x" in command or "OMPI_MCA_mca_base_env_list" in os.environ:
            return {}
        return {"OMPI_MCA_mca_base_env_list": ";".join([*INHERITED, *more])}


def peer_of(source):
    """The process and the user at the other end of a connection on this machine; the process is 0 in another namespace of processes."""
    return struct.unpack("3i", source.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[:2]


def place_of_temporaries():
    """The directory for temporary files; None if none is writable."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return None


def port_of(host):
    """Listens on a free port of this name or address."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.bind(address)
    except (OSError, UnicodeError) as problem:
        raise Refusal(f"cannot listen on {host}: {getattr(problem, 'strerror', None) or problem}") from None
    return listening
