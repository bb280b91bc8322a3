"""Runs a program with the agent inside and yields the messages of its processes.

    for process, message in Run(["./program"], request, directory).messages():

Each process connects to the address of the meeting, which exists during the run, and writes one JSON object a line.
After a failure here the program still runs to its own end, and its status is returned. Processes that outlive the program are read to
their ends, unless a signal ends the run before.
"""

import contextlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time

from mpit_info import call_folders, calls, connections, job_end, job_environment, origins, signals, words
from mpit_info.meeting import Meeting, peer_of
from mpit_info.refusal import Refusal

# Seconds for which processes that outlive the program may send nothing.
PATIENCE = 2.0
TICK = 0.1
# The status of timeout(1) where it has ended a program.
ENDED = 124


class Run:
    """A program that runs; `status` is its exit status as a shell sees it, once messages() has ended.

    The program writes directly to its standard streams, also on a terminal, or to the file `output`. Its output does
    not pass through the tool, so it is neither slower nor lost if the tool fails. `variables` are added to its
    environment, and `streams` are the standard streams of Popen. With `nodes` (nodes/local.py) the messages are those of the root
    of a tree over nodes.
    """

    runs_program = True

    def __init__(self, command, request, directory, output=None, listen=None, *, plain=False, variables=None, streams=None,
                 nodes=None):
        self.plain = plain  # whether the program runs without settings of an MPI in its environment
        self.command, self.request, self.directory = command, request, directory
        self.streams, self.listen = streams or {"stdout": output}, listen
        self.variables, self.received, self.nodes = variables or {}, set(), nodes
        self.patience = PATIENCE if nodes is None else PATIENCE + 2 * nodes.settings.period
        self.status, self.connections, self.address = None, None, None
        self.program, self.on_stop, self.on_continue, self.on_start = None, None, None, None
        self.has_ended_launch = False
        self.late, self.ended_by, self.limit, self.left = [], None, None, 0  # of signals after the program's end
        # The directory of the call logs of the processes on this machine, and at the end, if the program has failed, the logs of those
        # that have not ended in order.
        self.call_logs, self.logs = None, []
        self.without_agent = {}  # the version texts of MPIs that no agent can read, with their binary interfaces

    @property
    def signal(self):
        """The number of the signal that ended the program; None if it runs or has ended otherwise."""
        ended = self.program.returncode if self.program else None
        return None if ended is None or ended >= 0 else -ended

    def messages(self):
        """Yields pairs of a process's number and its message, and at each tick without any, None and None.

        If this ends before the program, the program continues without the tool, which waits for its end.
        """
        # The call logs go last: whoever connects before may make their directory again.
        with contextlib.ExitStack() as at_end, Meeting(self.listen) as meeting, selectors.DefaultSelector() as ready:
            self.connections = connections.Connections(meeting, ready)
            if self.request.get("calls", "no") != "no":
                of_user = call_folders.of_user()
                self.call_logs = of_user or call_folders.new_of_run()
                self.variables = {**self.variables, call_folders.VARIABLE: self.call_logs}
                at_end.callback(self.take_call_logs, not of_user)
            if self.nodes:
                self.nodes.begin(self.connections, ready, meeting.address)
                self.variables = {**self.variables, **self.nodes.variables(meeting.address)}
            with signals.Forwarding(self.on_stop, self.on_continue, lambda *late: self.late.append(late)) as forwarding:
                self.program, self.received = self.start(meeting), forwarding.received
                try:
                    forwarding.begin(self.program)
                    if self.on_start:
                        self.on_start()
                    connections.widen()
                    self.wake_at_end(ready)
                    yield from self.gather(ready)
                finally:
                    self.leave(ready)

    def wake_at_end(self, ready):
        """Lets the selector wake up when the program ends; without such a descriptor it is seen at the next tick."""
        with contextlib.suppress(AttributeError, OSError):
            ready.register(os.pidfd_open(self.program.pid), selectors.EVENT_READ, self)

    def leave(self, ready):
        """Closes all connections, without which the processes continue, and waits for the end of the program."""
        for key in list(ready.get_map().values()):
            ready.unregister(key.fileobj)
            if key.data is self:
                os.close(key.fd)
            else:
                key.fileobj.close()
        self.program.wait()
        self.take_status()

    def take_call_logs(self, is_own):
        """Reads the call logs if the program has failed, and removes them if their directory is that of the tool."""
        from mpit_info import call_log
        self.logs = call_log.of_folder(self.call_logs) if self.status else []
        if is_own:
            shutil.rmtree(self.call_logs, ignore_errors=True)

    def problems(self):
        """Sentences about the messages that were left out, with the reason."""
        told = self.connections.problems() if self.connections else []
        if self.left:
            name = signal.Signals(self.ended_by).name
            told.append(f"{words.plural(self.left, 'process')} of the program still ran when {name} ended the run.")
        return told

    def start(self, meeting):
        """Starts the program with the agent loaded before all others."""
        self.address = meeting.address
        added = {**calls.variables(self.directory, self.request), **self.variables}
        environment = job_environment.of_the_job(
            calls.libraries(self.directory, self.request), **{
                "MPIT_INFO_SOCKET": meeting.address, "MPIT_INFO_AGENTS": self.directory,
                "MPIT_INFO_REQUEST": json.dumps(self.request, separators=(",", ":")), **meeting.environment(self.command, added),
                **added})
        if self.plain:
            environment = origins.without_settings(environment)
        sys.stdout.flush()
        try:
            return subprocess.Popen(self.command, env=environment, **self.streams,
                                    close_fds=False)  # the tool's own close on exec; the others are inherited
        except OSError as problem:
            status = 127 if isinstance(problem, FileNotFoundError) else 126
            raise Refusal(f"cannot run {self.command[0]}: {problem.strerror}", status) from None

    def own(self, pids):
        """Those of the processes that are of this run: the number of one in a container, or of one that has ended, may be that of another
        process.
        """
        from mpit_info import reaching
        return [pid for pid in pids if reaching.environment_of(pid).get("MPIT_INFO_SOCKET") == self.address]

    def gather(self, ready):
        """Reads all connections until the program has ended and they are closed."""
        silent_since = None
        while True:
            has_told, was_over = False, self.status is not None
            heard = ready.select(0 if was_over and self.connections.processes and not self.connections.open else TICK)
            for key, _ in heard:
                if isinstance(key.data, connections.Connections):
                    key.data.accept()
                    continue
                if key.data is self:
                    ready.unregister(key.fd)
                    os.close(key.fd)
                    continue
                for message in key.data.owner.read(key.data):
                    has_told = True
                    if self.nodes:
                        self.nodes.take(key.data, message)
                    else:
                        yield from self.told(key.data.number, message)
            self.connections.expire(was_over)
            for message in self.nodes.root.told() if self.nodes else ():
                yield from self.told(0, message)
            if not heard:
                yield None, None
            self.take_status()
            if self.nodes and self.status is not None and not was_over:
                self.nodes.root.end()
            if self.status is not None and self.is_ended(ready):
                self.left = self.connections.open
                break
            # Bytes that are not a message, and connections of outsiders, do not delay the end.
            if not was_over or has_told:
                silent_since = time.monotonic()
            elif not (heard or self.connections.open) or time.monotonic() - silent_since > self.patience:
                break
        for message in self.nodes.root.told(is_over=True) if self.nodes else ():
            yield from self.told(0, message)

    def is_ended(self, ready):
        """Whether a signal ends the run now: the processes that outlive the program get those that the program can get no more, and have
        `patience` then.
        """
        if self.status - 128 in signals.ENDS and self.status - 128 in self.received:
            self.end_by(self.status - 128)
        while self.late:
            number, is_known = self.late.pop(0)
            if not is_known and not self.nodes:
                for pid in processes_of(ready):
                    with contextlib.suppress(OSError):
                        os.kill(pid, number)
            if number in signals.ENDS:
                self.end_by(number)
        return self.ended_by is not None and time.monotonic() > self.limit

    def end_by(self, number):
        """Begins the patience, once."""
        if self.ended_by is None:
            self.ended_by, self.limit = number, time.monotonic() + self.patience

    def told(self, number, message):
        """Yields a message with its process; that of an MPI without an agent is kept apart."""
        if message["message"] == "no_agent":
            self.without_agent[message.get("library", "")] = message["interface"]
            return
        if message["message"] == "snapshot" and not self.plain:
            message["document"] = origins.complete(message["document"], self.command, os.environ)
        yield number, message

    def take_status(self):
        """Stores the status of the program if it has ended."""
        if self.status is None and self.program.poll() is not None:
            ended = self.program.returncode
            self.status = ended if ended >= 0 else 128 - ended
            # MPICH's launcher sometimes returns 0 after SIGTERM.
            if self.status == 0 and self.has_ended_launch:
                self.status = ENDED

    def end_launch(self, pids):
        """Asks the launch of these processes, as far as they are of this run, to end. A program that returns 0 then has the status of timeout(1)."""
        self.has_ended_launch = True
        job_end.end_launch(self.program, self.own(pids))


def processes_of(ready):
    """The numbers of the processes of this machine that are connected."""
    for key in ready.get_map().values():
        if isinstance(key.data, connections.Connection) and key.fileobj.family == socket.AF_UNIX:
            pid, user = peer_of(key.fileobj)
            if pid > 0 and user == os.geteuid():
                yield pid
