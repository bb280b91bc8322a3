"""The connections of a program's processes, and of outsiders: `for message in connections.read(connection): ...`.

Bad input closes only the connection that sent it. A connection over a port must send the token before anything else is
parsed, within a time limit, and the number of connections without it is limited. Then each line is a message of
stream.json, of limited length. Closed connections are counted and named.
"""

import collections
import errno
import resource
import selectors
import time

from mpit_info import document, messages, schema, words

# Seconds until the token must have arrived, and the most connections without it: the oldest is closed for a new one.
PATIENCE, MOST_STRANGERS = 5.0, 64
# The most processes of a run, and the most bytes of all incomplete lines.
MOST_PROCESSES, MOST_UNFINISHED = 1 << 16, 4 * messages.LONGEST
# The most bytes that are read at once, and the most connections that are accepted at once.
PIECE, AT_ONCE = 1 << 16, 64
# Descriptors that the tool needs for other things, and the soft limit that it sets.
SPARE, WANTED = 32, 1 << 16
# Errors of accept() if resources are exhausted; it is tried again after seconds.
EXHAUSTED, PAUSE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM), 0.2


class Connection:
    """An accepted connection; `number` is that of its process, None until it has sent the token."""

    def __init__(self, source, now):
        self.source, self.since, self.number, self.rank, self.host = source, now, None, None, ""
        self.owner = None  # the Connections that has accepted it
        self.shown, self.parts, self.size = b"", [], 0

    def facts(self):
        """The process, as far as its messages name it: ` (rank 2 on node7)`."""
        facts = ([f"rank {self.rank}"] if self.rank is not None and self.rank >= 0 else []) + (
            [f"on {document.clean(self.host)}"] if self.host else [])
        return f" ({' '.join(facts)})" if facts else ""

    def lines(self, data):
        """The lines that this piece completes, without empty ones."""
        first, *others = data.split(b"\n")
        self.parts.append(first)
        self.size += len(first)
        if not others:
            return []
        whole = [b"".join(self.parts), *others[:-1]]
        self.parts, self.size = [others[-1]], len(others[-1])
        return [line for line in whole if line.strip()]


class Connections:
    """The connections of one meeting; `processes` is the number of accepted processes."""

    def __init__(self, meeting, ready, clock=time.monotonic, time_of_day=time.time):
        self.meeting, self.ready, self.clock, self.time_of_day = meeting, ready, clock, time_of_day
        self.token = meeting.token.encode() if meeting.token else None
        self.strangers, self.processes, self.open, self.unfinished = {}, 0, 0, 0
        self.misfits, self.turned_away, self.paused = [], collections.Counter(), None
        # Called with each connection that is closed; asked about each one that comes; the bytes of all.
        self.on_close, self.is_welcome, self.received = None, None, 0
        if meeting.listening is not None:
            ready.register(meeting.listening, selectors.EVENT_READ, self)

    def add(self, source):
        """Reads a connection that the tool has opened."""
        source.setblocking(False)
        connection = self.made(source)
        self.ready.register(source, selectors.EVENT_READ, connection)
        self.let_in(connection)

    def made(self, source):
        """Counts a new connection."""
        connection = Connection(source, self.clock())
        connection.owner = self
        self.open += 1
        return connection

    def accept(self):
        """Accepts new connections, a limited number in one call."""
        for _ in range(AT_ONCE):
            try:
                source, _ = self.meeting.listening.accept()
            except OSError as problem:
                # No further connection is waiting, or one was closed again.
                if problem.errno in EXHAUSTED:
                    self.ready.unregister(self.meeting.listening)
                    self.paused = self.clock()
                return
            source.setblocking(False)
            connection = self.made(source)
            if self.is_welcome and not self.is_welcome(source):
                self.turn_away(connection, "connection", "it came from another user")
                continue
            if self.open > room() or self.processes >= MOST_PROCESSES:
                self.turn_away(connection, "process" if self.token is None else "connection", "there were too many connections")
                continue
            self.ready.register(source, selectors.EVENT_READ, connection)
            if self.token is None:
                self.let_in(connection)
                continue
            self.strangers[connection] = None
            # A process of the program sends the token first, so outsiders cannot displace it.
            self.read_token(connection)
            if len(self.strangers) > MOST_STRANGERS:
                self.turn_away(next(iter(self.strangers)), "connection", "it did not send the token while others waited")

    def let_in(self, connection):
        """Marks the connection as that of a process of the program."""
        self.strangers.pop(connection, None)
        connection.number = self.processes
        self.processes += 1

    def read_token(self, connection):
        """Reads at most the token. A wrong token is refused only when it is complete, so that it cannot be guessed in
        parts.
        """
        data = receive(connection.source, len(self.token) + 1 - len(connection.shown))
        if data is None:
            return
        connection.shown += data
        if not data:
            self.turn_away(connection, "connection", "it did not send the token")
        elif len(connection.shown) > len(self.token):
            import hmac  # imports hashes
            if hmac.compare_digest(connection.shown, self.token + b"\n"):
                self.let_in(connection)
            else:
                self.turn_away(connection, "connection", "it did not send the token")

    def read(self, connection):
        """Yields the complete messages; a line that is not a message ends the connection."""
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
        self.received += len(data)
        self.unfinished -= connection.size
        lines = connection.lines(data)
        self.unfinished += connection.size
        for line in lines:
            try:
                message = messages.parsed(line)
            except schema.Misfit as misfit:
                self.end(connection, f"has sent a line that {'is not a JSON object' if str(misfit) == schema.NO_JSON else misfit}")
                return
            # A defect of the tool, or a lack of memory, must not end the program.
            except Exception as problem:  # pylint: disable=broad-except
                self.end(connection, f"could not be read ({type(problem).__name__})")
                return
            if message is not None:
                if message["message"] == "hello":
                    connection.rank, connection.host = message.get("rank"), message.get("host", "")
                    # The time when it connected: a tool that is late must not take a right clock for a wrong one.
                    message["heard"] = round(self.time_of_day() - (self.clock() - connection.since), 3)
                yield message
        if connection.size > messages.LONGEST:
            self.end(connection, f"has sent a line of more than {messages.LONGEST >> 20} MB")
        elif self.unfinished > MOST_UNFINISHED:
            self.end(connection, "has sent one of too many long lines")

    def end(self, connection, why):
        """Closes the connection of a process that violates the protocol, and notes the reason."""
        self.misfits.append(f"process {connection.number} {why}{connection.facts()}")
        self.close(connection)

    def turn_away(self, connection, what, why):
        """Closes a connection that was not accepted as a process, and counts it."""
        self.turned_away[what, why] += 1
        self.close(connection)

    def close(self, connection):
        """Closes a connection; its process continues without it."""
        self.strangers.pop(connection, None)
        self.unfinished -= connection.size
        connection.size, connection.parts = 0, []
        if connection.source in self.ready.get_map():
            self.ready.unregister(connection.source)
        connection.source.close()
        self.open -= 1
        if self.on_close:
            self.on_close(connection)

    def expire(self, is_over=False):
        """Closes connections that have not sent the token in time; after the end of the program, all that have not sent
        it.
        """
        for connection in list(self.strangers):
            if not is_over and self.clock() - connection.since <= PATIENCE:
                break
            self.turn_away(connection, "connection", "it did not send the token in time")
        if self.paused is not None and self.clock() - self.paused > PAUSE:
            self.paused = None
            self.ready.register(self.meeting.listening, selectors.EVENT_READ, self)

    def problems(self):
        """Sentences about the closed connections, safe to print."""
        told = words.first_few(
            [f"{misfit}; it was no longer read" for misfit in self.misfits],
            lambda more: f"{more} more {'process was' if more == 1 else 'processes were'} no longer read, for similar reasons")
        for (what, why), count in self.turned_away.items():
            told.append(f"a {what} was closed: {why}" if count == 1 else f"{count} times a {what} was closed: {why}")
        return told


def receive(source, size):
    """The received bytes; empty at the end of the connection or after an error, None if nothing has arrived."""
    try:
        return source.recv(size)
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:
        return b""


def room():
    """The most connections at once, given the descriptors that this process may have."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_PROCESSES if limit == resource.RLIM_INFINITY else max(limit - SPARE, 1)


def widen():
    """Raises the soft limit of descriptors. Call it after the program was started, which must inherit the old limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            pass
