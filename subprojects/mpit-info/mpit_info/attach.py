"""The messages of running processes in which agents sleep, for the view of watch: `Attached(pids, request, seconds).messages()`.

It has the interface of launch.Run. At its end the connections are closed, and the agents sleep again.
"""

import contextlib
import selectors
import signal
import time

from mpit_info import connections, reaching
from mpit_info.launch import TICK
from mpit_info.refusal import Refusal

# Seconds between two looks for processes that have come.
PAUSE = 1.0


class NoMeeting:  # pylint: disable=too-few-public-methods
    """Nothing listens: all connections are opened by the tool."""

    token, listening = None, None


def close_all(ready):
    """Closes the connections that are open."""
    for key in list(ready.get_map().values()):
        key.fileobj.close()


class Attached:
    """Running processes; ends when all have ended, after `seconds`, or with Ctrl-C. With `newcomers`, which returns the processes that have
    come since its last call, it does not end with them.
    """

    runs_program = False

    def __init__(self, pids, request, seconds=None, newcomers=None):
        self.pids, self.request, self.seconds, self.newcomers = pids, request, seconds, newcomers
        self.command = ["attach", *map(str, pids)]
        self.status, self.signal, self.connections, self.on_stop = None, None, None, None
        self.without_agent, self.received, self.is_interrupted, self.unreached = {}, set(), False, []

    def problems(self):
        """Sentences about the messages that were left out, with the reason."""
        return self.unreached + (self.connections.problems() if self.connections else [])

    def interrupt(self, number, *_):
        """Ctrl-C ends the view, not the processes."""
        self.received.add(number)
        self.is_interrupted = True

    def messages(self):
        """Yields pairs of a process's number and its message, and at each tick without any, None and None."""
        with selectors.DefaultSelector() as ready, contextlib.ExitStack() as closing:
            self.connections = connections.Connections(NoMeeting, ready)
            for number in (signal.SIGINT, signal.SIGTERM):
                closing.callback(signal.signal, number, signal.signal(number, self.interrupt))
            if self.request.get("regions"):
                reaching.check_regions(self.pids)
            sources, sentences = reaching.of_those_reached(
                self.pids, lambda pid: closing.enter_context(reaching.connected(pid, self.request)))
            self.unreached = [f"{sentence}; it is left out." for sentence in sentences]
            for source in sources:
                self.connections.add(source)
            closing.callback(close_all, ready)  # also those of newcomers
            began = looked = time.monotonic()
            while (self.connections.open or self.newcomers) and not self.is_interrupted:
                now = time.monotonic()
                if self.seconds is not None and now - began >= self.seconds:
                    break
                if self.newcomers and now >= looked:
                    looked = now + PAUSE
                    for pid in self.newcomers():
                        with contextlib.suppress(Refusal):
                            self.connections.add(reaching.connected(pid, self.request))
                heard = ready.select(TICK)
                for key, _ in heard:
                    for message in self.connections.read(key.data):
                        yield key.data.number, message
                if not heard:
                    yield None, None
        self.status = 0
