"""The connections of a program's processes, and of whoever else connects: `for message in connections.read(connection): ...`.

Nothing that is sent can do more than close the connection that it came on. A connection over a port shows the token before anything
else of it is looked at, within a time, and only so many may be without; then each line is a message of stream.json, up
to a length. What was closed is counted and named.
"""

import collections
import errno
import hmac
import resource
import selectors
import time

from mpit_info import document, messages, schema, words

# Seconds for showing the token, and how many connections may be without: the oldest gives way.
PATIENCE, MOST_STRANGERS = 5.0, 64
# Processes of one run that are listened to, and bytes of all lines that have not ended yet.
MOST_PROCESSES, MOST_UNFINISHED = 1 << 16, 4 * messages.LONGEST
# Bytes that are taken at once, and connections.
PIECE, AT_ONCE = 1 << 16, 64
# Descriptors that the tool needs for other things, and those that it asks for.
SPARE, WANTED = 32, 1 << 16
# What accepting answers where the machine has no room; it is tried again after seconds.
EXHAUSTED, PAUSE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM), 0.2


class Connection:
    """One that was accepted; `number` is that of its process, None as long as it has not shown the token."""

    def __init__(self, source, now):
        self.source, self.since, self.number, self.rank, self.host = source, now, None, None, ""
        self.shown, self.parts, self.size = b"", [], 0

    def facts(self):
        """Which process it is, as far as it has said so: ` (rank 2 on node7)`."""
        facts = ([f"rank {self.rank}"] if self.rank is not None and self.rank >= 0 else []) + (
            [f"on {document.clean(self.host)}"] if self.host else [])
        return f" ({' '.join(facts)})" if facts else ""

    def lines(self, data):
        """The lines that have ended with this piece, none of which is empty."""
        first, *others = data.split(b"\n")
        self.parts.append(first)
        self.size += len(first)
        if not others:
            return []
        whole = [b"".join(self.parts), *others[:-1]]
        self.parts, self.size = [others[-1]], len(others[-1])
        return [line for line in whole if line.strip()]


class Connections:
    """Those of one meeting; `processes` counts those that were let in."""

    def __init__(self, meeting, ready, clock=time.monotonic, time_of_day=time.time):
        self.meeting, self.ready, self.clock, self.time_of_day = meeting, ready, clock, time_of_day
        self.token = meeting.token.encode() if meeting.token else None
        self.strangers, self.processes, self.open, self.unfinished = {}, 0, 0, 0
        self.misfits, self.turned_away, self.paused = [], collections.Counter(), None
        ready.register(meeting.listening, selectors.EVENT_READ, self)

    def accept(self):
        """Takes in who has connected, as many as there is room for in one turn."""
        for _ in range(AT_ONCE):
            try:
                source, _ = self.meeting.listening.accept()
            except OSError as problem:
                # No more have connected, or one has gone again.
                if problem.errno in EXHAUSTED:
                    self.ready.unregister(self.meeting.listening)
                    self.paused = self.clock()
                return
            source.setblocking(False)
            connection = Connection(source, self.clock())
            self.open += 1
            if self.open > room() or self.processes >= MOST_PROCESSES:
                self.turn_away(connection, "process" if self.token is None else "connection", "there was no room for it")
                continue
            self.ready.register(source, selectors.EVENT_READ, connection)
            if self.token is None:
                self.let_in(connection)
                continue
            self.strangers[connection] = None
            # Who belongs to the program has sent the token before anything else, and is not pushed out by others.
            self.read_token(connection)
            if len(self.strangers) > MOST_STRANGERS:
                self.turn_away(next(iter(self.strangers)), "connection", "it did not show the token, and others waited")

    def let_in(self, connection):
        """From now on it is a process of the program."""
        self.strangers.pop(connection, None)
        connection.number = self.processes
        self.processes += 1

    def read_token(self, connection):
        """Reads no byte more than the token; whether it was wrong is told when it is whole, so that no part can be guessed."""
        data = receive(connection.source, len(self.token) + 1 - len(connection.shown))
        if data is None:
            return
        connection.shown += data
        if not data:
            self.turn_away(connection, "connection", "it did not show the token")
        elif len(connection.shown) > len(self.token):
            if hmac.compare_digest(connection.shown, self.token + b"\n"):
                self.let_in(connection)
            else:
                self.turn_away(connection, "connection", "it did not show the token")

    def read(self, connection):
        """Yields the messages that have become whole; what is none ends the connection."""
        if connection.number is None:
            if connection in self.strangers:
                self.read_token(connection)
            return
        data = receive(connection.source, PIECE)
        if data is None:
            return
        if not data:
            self.close(connection)
            return
        self.unfinished -= connection.size
        lines = connection.lines(data)
        self.unfinished += connection.size
        for line in lines:
            try:
                message = messages.parsed(line)
            except schema.Misfit as misfit:
                self.end(connection, f"has sent a line that {'is no JSON object' if str(misfit) == schema.NO_JSON else misfit}")
                return
            # A defect of the tool, or no memory, must not be the end of the program.
            except Exception as problem:  # pylint: disable=broad-except
                self.end(connection, f"could not be understood ({type(problem).__name__})")
                return
            if message is not None:
                if message["message"] == "hello":
                    connection.rank, connection.host = message.get("rank"), message.get("host", "")
                    # The time of the day when it connected: a tool that is behind takes no clock for a wrong one.
                    message["heard"] = round(self.time_of_day() - (self.clock() - connection.since), 3)
                yield message
        if connection.size > messages.LONGEST:
            self.end(connection, f"has sent a line of more than {messages.LONGEST >> 20} MB")
        elif self.unfinished > MOST_UNFINISHED:
            self.end(connection, "has sent one of too many long lines")

    def end(self, connection, why):
        """Closes the connection of a process that does not keep to the protocol, and notes it."""
        self.misfits.append(f"process {connection.number} {why}{connection.facts()}")
        self.close(connection)

    def turn_away(self, connection, what, why):
        """Closes a connection that was not let in, and counts it."""
        self.turned_away[what, why] += 1
        self.close(connection)

    def close(self, connection):
        """Closes a connection; its process goes on without being listened to."""
        self.strangers.pop(connection, None)
        self.unfinished -= connection.size
        connection.size, connection.parts = 0, []
        if connection.source in self.ready.get_map():
            self.ready.unregister(connection.source)
        connection.source.close()
        self.open -= 1

    def expire(self, is_over=False):
        """Turns away who has not shown the token in time; when the program is over, whoever has not."""
        for connection in list(self.strangers):
            if not is_over and self.clock() - connection.since <= PATIENCE:
                break
            self.turn_away(connection, "connection", "it did not show the token in time")
        if self.paused is not None and self.clock() - self.paused > PAUSE:
            self.paused = None
            self.ready.register(self.meeting.listening, selectors.EVENT_READ, self)

    def problems(self):
        """What was closed and why, as sentences that can be shown."""
        told = words.first_few(
            [f"{misfit}; it was no longer listened to" for misfit in self.misfits],
            lambda more: f"{more} more {'process was' if more == 1 else 'processes were'} no longer listened to, for the like")
        for (what, why), count in self.turned_away.items():
            told.append(f"a {what} was closed: {why}" if count == 1 else f"{count} times a {what} was closed: {why}")
        return told


def receive(source, size):
    """What has come; nothing at the end, however it ended, and None where nothing has come yet."""
    try:
        return source.recv(size)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:
        return b""


def room():
    """How many connections there may be at once, with all descriptors that this process may have."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_PROCESSES if limit == resource.RLIM_INFINITY else max(limit - SPARE, 1)


def widen():
    """Asks for more descriptors; the program must have been started before, which has to have as many as it had."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            pass
