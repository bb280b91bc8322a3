"""The root of the tree, in the tool: `root.take(connection, message)`, `for message in root.told(): ...`.

It merges the summaries of the nodes that are directly below it, and yields one stream of messages: columns, a snapshot, summaries and the
state of the tree.
"""

import collections
import json
import time

from mpit_info.nodes.links import Links, sent
from mpit_info.nodes.merger import Merger
from mpit_info.nodes.collector import SILENCE
from mpit_info.nodes.summaries import Columns
from mpit_info.nodes.tree import Tree


class Root:
    """`connections` are those of the run; set it before the first message."""

    def __init__(self, settings, fan_in, clock=time.monotonic, time_of_day=time.time):
        self.settings, self.clock, self.time_of_day = settings, clock, time_of_day
        self.tree, self.merger, self.columns = Tree(fan_in, clock), Merger(settings.worst), Columns()
        self.links, self.waiting = Links(self.merger, self.forward, clock), collections.deque()
        self.columns_told, self.state_told, self.connections, self.requests = 0, None, None, 0

    def begin(self, connections):
        """Sees each connection that is closed."""
        self.connections = connections
        connections.on_close = self.closed

    def closed(self, connection):
        """A link was closed."""
        self.links.closed(connection)

    def forward(self, message):
        """Takes what is said about nodes."""
        kind = message["message"]
        if kind == "node":
            self.tree.update(message)
        elif kind == "lost_node":
            self.tree.lose(message["node"])
        else:
            self.waiting.append(message)

    def take(self, connection, message):
        """Takes a message of a collector; returns false for that of another process."""
        if message["message"] == "node" and message.get("joins"):
            address = self.tree.join(message["node"], message.get("address"), message.get("refused"))
            sent(connection, json.dumps({"message": "parent", "address": address}).encode() + b"\n")
            if address is None:
                self.links.accept(connection, {**message, "joins": False})
            return True
        try:
            return self.links.accept(connection, message)
        except ValueError as problem:
            self.connections.end(connection, f"has sent a summary that {problem}")
            return True

    def end(self):
        """Says that the program has ended."""
        self.links.say({"message": "over"})

    def told(self, is_over=False):
        """Yields what is new, as messages of one process."""
        self.tree.expire()
        for connection in self.links.silent(SILENCE):
            self.connections.end(connection, "has been silent")
        self.links.answer()
        self.tree.is_over = is_over
        state = self.tree.told()
        if state != self.state_told and state["nodes"]:
            self.state_told = state
            yield state
        while self.waiting:
            yield self.waiting.popleft()
        present = int(self.time_of_day() / self.settings.period) + (1 << 40 if is_over else 0)
        for summary in self.merger.complete(present):
            if not summary.ranks:
                continue
            told = summary.told(self.columns)
            if len(self.columns.columns) > self.columns_told:
                self.columns_told = len(self.columns.columns)
                yield {"message": "columns", "columns": self.columns.told()}
            yield told

    def ask(self, done, **what):
        """Asks all nodes for values: `variable` or `rank`; done(message) gets the answer."""
        self.requests += 1
        self.links.ask({"message": "request", "request": self.requests, **what}, [], 0, done)
