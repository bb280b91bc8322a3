"""The link of a collector to the one above it: `uplink.step(now)`, `for message in uplink.read(now): ...`, `uplink.send(message, now)`.

The root gives each node its place in the tree. If the link breaks, the node asks the root again, and goes on without one if the root has
gone.
"""

import json
import selectors

from mpit_info import messages, schema
from mpit_info.connections import Connection, receive
from mpit_info.nodes import node_meeting

# Seconds for a connection, between two attempts, and for the answer of the root.
CONNECTING, BETWEEN, ANSWER = 2.0, 1.0, 5.0
# The most bytes that wait for the link. With more the parent does not read, and the link is given up.
MOST_WAITING = 16 << 20
PIECE = 1 << 16


class Uplink:
    """`on_join` is called with the socket's own address before the first join, and returns what other collectors connect to. The
    socket is registered with the selector `ready`.
    """

    def __init__(self, root, name, on_join, ready):
        self.root, self.name, self.on_join, self.ready = root, name, on_join, ready
        self.connection, self.is_ready, self.refused, self.address = None, False, None, None
        self.waiting, self.tried, self.since, self.links, self.sent = bytearray(), None, None, 0, 0
        self.failing_since = None

    def step(self, now):
        """Connects if there is no link, and sends what waits."""
        if self.connection is None:
            if self.tried is None or now - self.tried >= BETWEEN:
                self.tried = now
                self.join(now)
        elif not self.is_ready and now - self.since > ANSWER:
            self.drop(now)
        else:
            self.flush(now)

    def join(self, now):
        """Asks the root for a place."""
        if not self.open(self.root, now):
            self.failing_since = self.failing_since if self.failing_since is not None else now
            return
        if self.address is None and self.root.startswith("tcp:"):
            self.address = self.on_join(self.connection.source.getsockname()[0])
        self.push({"message": "node", "node": self.name, "address": self.address, "joins": True,
                   **({"refused": self.refused} if self.refused else {})})
        self.refused = None

    def open(self, address, now):
        """Connects to an address; whether that worked."""
        try:
            source = node_meeting.connected(address, CONNECTING)
        except (OSError, ValueError):
            return False
        source.setblocking(False)
        self.ready.register(source, selectors.EVENT_READ, self)
        self.connection, self.since, self.waiting = Connection(source, now), now, bytearray()
        return True

    def drop(self, now):
        """Gives up the link."""
        if self.connection is not None:
            self.ready.unregister(self.connection.source)
            self.connection.source.close()
        self.connection, self.is_ready, self.waiting, self.tried = None, False, bytearray(), now

    def read(self, now):
        """Yields the messages from above, and None when a new link has become ready."""
        if self.connection is None:
            return
        data = receive(self.connection.source, PIECE)
        if data is None:
            return
        if not data:
            self.drop(now)
            return
        for line in self.connection.lines(data):
            try:
                message = messages.parsed(line)
            except schema.Misfit:
                self.drop(now)
                return
            if message is None:
                continue
            if self.is_ready:
                yield message
            elif message["message"] == "parent" and self.take_place(message["address"], now):
                yield None
            if self.connection is None:
                return

    def take_place(self, address, now):
        """Connects to the parent; whether the link is ready."""
        if address is not None:
            self.drop(now)
            if not self.open(address, now):
                # The root takes a node that reaches no parent itself.
                self.refused, self.tried = address, None
                return False
            self.push({"message": "node", "node": self.name, "address": self.address})
        self.is_ready, self.failing_since = True, None
        self.links += 1
        return True

    def send(self, message, now):
        """Sends a message if the link is ready."""
        if self.is_ready:
            self.push(message)
            self.flush(now)

    def push(self, message):
        """Appends a message to what waits."""
        self.waiting += json.dumps(message, separators=(",", ":")).encode() + b"\n"

    def flush(self, now):
        """Sends as much as the link takes."""
        try:
            while self.waiting:
                count = self.connection.source.send(memoryview(bytes(self.waiting[:PIECE])))
                self.sent += count
                del self.waiting[:count]
        except (BlockingIOError, InterruptedError):
            if len(self.waiting) > MOST_WAITING:
                self.drop(now)
        except OSError:
            self.drop(now)
