"""Runs a program with the agent inside and yields what its processes tell.

    for process, message in Run(["./program"], request, directory).messages():

Each process connects to the place of the meeting and writes one JSON object a line. The place is there as long as the run.
"""

import fcntl
import json
import os
import pty
import selectors
import shutil
import socket
import struct
import subprocess
import sys
import termios
import time

from mpit_info import agents, job_environment, signals
from mpit_info.meeting import Meeting
from mpit_info.refusal import Refusal

# How long processes that outlive the program may stay silent.
PATIENCE = 2.0
TICK = 0.1
# In place of a process's number: the message is what the program has printed.
OUTPUT = "output"
LISTENING = "listening"


class Run:
    """A program that runs; `status` is its exit status as a shell sees it, once messages() has ended.

    What the program prints goes where it went, or into the file `output`, or, through a terminal of its own that keeps
    its lines and colours, to who reads the messages.
    """

    def __init__(self, command, request, directory, output=None, through_terminal=False,
                 listen=None):
        self.command, self.request, self.directory, self.output = command, request, directory, output
        self.through_terminal, self.listen = through_terminal, listen
        self.status, self.processes = None, 0
        self.program, self.on_stop = None, None

    def messages(self):
        """Yields pairs of a process's number and its message, and at each tick without any, None and None."""
        with Meeting(self.listen) as meeting, selectors.DefaultSelector() as ready:
            ready.register(meeting.listening, selectors.EVENT_READ, LISTENING)
            if self.through_terminal:
                leader, self.output = own_terminal()
                ready.register(leader, selectors.EVENT_READ, OUTPUT)
            try:
                with signals.Forwarding(self.on_stop) as forwarding:
                    self.program = self.start(meeting)
                    forwarding.begin(self.program)
                    yield from self.gather(meeting, ready)
            finally:
                for key in list(ready.get_map().values()):
                    key.fileobj.close()
                if self.program and self.program.poll() is None:
                    self.program.terminate()
                    self.program.wait()

    def start(self, meeting):
        """Starts the program with the agent loaded before all others."""
        environment = job_environment.of_the_job(
            os.path.join(self.directory, agents.LIBRARY), MPIT_INFO_SOCKET=meeting.address, MPIT_INFO_AGENTS=self.directory,
            MPIT_INFO_REQUEST=json.dumps(self.request, separators=(",", ":")), **meeting.environment(self.command))
        sys.stdout.flush()
        try:
            return subprocess.Popen(self.command, env=environment, stdout=self.output,
                                    stderr=self.output if self.through_terminal else None,
                                    close_fds=False)  # those that the tool opens end with it; others are the program's
        except OSError as problem:
            status = 127 if isinstance(problem, FileNotFoundError) else 126
            raise Refusal(f"cannot run {self.command[0]}: {problem.strerror}", status) from None
        finally:
            if self.through_terminal:
                os.close(self.output)

    def gather(self, meeting, ready):
        """Reads all connections until the program has ended and they are closed."""
        silent_since = None
        while True:
            heard = ready.select(TICK)
            for key, _ in heard:
                if key.data == LISTENING:
                    connection, _ = meeting.listening.accept()
                    ready.register(connection, selectors.EVENT_READ, Reader(self.processes, meeting.token))
                    self.processes += 1
                    continue
                data = receive(key.fileobj)
                if key.data == OUTPUT:
                    yield OUTPUT, data
                else:
                    for message in key.data.messages(data):
                        yield key.data.number, message
                if not data or (key.data != OUTPUT and key.data.is_refused):
                    ready.unregister(key.fileobj)
                    key.fileobj.close()
            if not heard:
                yield None, None
            if self.status is None and self.program.poll() is not None:
                ended = self.program.returncode
                self.status = ended if ended >= 0 else 128 - ended
            if self.status is None or heard:
                silent_since = time.monotonic()
            elif len(ready.get_map()) == 1 or time.monotonic() - silent_since > PATIENCE:
                return


class Reader:
    """Puts the messages of one process together from what arrives of them."""

    def __init__(self, number, token=None):
        self.number, self.token, self.rest, self.is_refused = number, token, b"", False

    def messages(self, data):
        """Yields each message that is whole; a line that is no JSON object is told and left out."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.is_refused = self.is_refused or (self.token is not None and len(self.rest) > 1000)
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:
                message = None
            if self.token and not self.is_refused:
                # Whoever does not begin with the token is none of the program's processes.
                self.is_refused = not isinstance(message, dict) or message.get("token") != self.token
                self.token = None
            elif self.is_refused:
                return
            elif isinstance(message, dict):
                yield message
            elif line.strip():
                print(f"mpit-info: process {self.number} has sent a line that is no JSON object", file=sys.stderr)


def receive(source):
    """What a process has written, or printed; nothing at its end, however it ended."""
    try:
        return source.recv(1 << 16) if isinstance(source, socket.socket) else source.read(1 << 16)
    except OSError:
        return b""


def own_terminal():
    """Opens a terminal as large as that of the tool: the end that is read, and the descriptor for the program."""
    leader, follower = pty.openpty()
    size = shutil.get_terminal_size()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))
    return open(leader, "rb", buffering=0), follower
