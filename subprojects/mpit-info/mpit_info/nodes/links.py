"""The links from the collectors below, in a collector and at the root: `links.accept(connection, message)`, `links.closed(connection)`.

What a message says about the tree goes to `forward`, summaries go to the merger. A request for values goes to all links, and is answered when
all that are still there have answered.
"""

import json

from mpit_info.nodes.summaries import Columns, Summary

# Seconds until a request is answered without the links that are silent.
PATIENCE = 10.0


class Link:  # pylint: disable=too-few-public-methods
    """One collector below."""

    def __init__(self, connection, node):
        self.connection, self.node, self.columns, self.has_ended, self.heard = connection, node, Columns(), False, 0.0


class Asked:  # pylint: disable=too-few-public-methods
    """A request that is not answered yet: the links that it waits for, and what has come."""

    def __init__(self, links, values, nodes, done, until):
        self.links, self.values, self.nodes, self.done, self.until = links, values, nodes, done, until


class Links:
    """`forward(message)` takes what is said about nodes, and the first snapshot; `clock` is in seconds."""

    def __init__(self, merger, forward, clock):
        self.merger, self.forward, self.clock = merger, forward, clock
        self.links, self.asked, self.has_snapshot, self.said = {}, {}, False, None

    def accept(self, connection, message):
        """Takes a message of a collector below; returns false for one of another kind. ValueError if it contradicts itself."""
        kind, link = message["message"], self.links.get(connection)
        if kind == "node":
            if link is None and not message.get("joins"):
                link = self.links[connection] = Link(connection, message["node"])
                if self.said is not None:
                    sent(connection, self.said)
            self.forward({**message, "joins": False})
        elif link is None:
            return False
        elif kind == "columns":
            link.columns.set_told(message["columns"])
        elif kind == "summary":
            self.merger.add(connection, Summary.from_told(message, link.columns))
        elif kind == "snapshot":
            if not self.has_snapshot:
                self.has_snapshot = True
                self.forward(message)
        elif kind in ("lost_node", "no_agent"):
            self.forward(message)
        elif kind == "end":
            link.has_ended = True
            self.merger.end(connection)
        elif kind == "ranks":
            self.take_answer(connection, message)
        else:
            return False
        if link is not None:
            link.heard = self.clock()
        return True

    def closed(self, connection):
        """A connection was closed."""
        link = self.links.pop(connection, None)
        if link is None:
            return
        if not link.has_ended:
            self.merger.lose(connection)
            self.forward({"message": "lost_node", "node": link.node})
        for asked in list(self.asked.values()):
            asked.links.discard(connection)
        self.answer()

    def silent(self, seconds):
        """The connections of links that have sent nothing for so long."""
        return [connection for connection, link in self.links.items()
                if not link.has_ended and link.heard and self.clock() - link.heard > seconds]

    def say(self, message):
        """Sends a short message to all links, and to those that come later."""
        self.said = json.dumps(message).encode() + b"\n"
        for connection in list(self.links):
            sent(connection, self.said)

    def ask(self, request, values, nodes, done):
        """Sends a request to all links; `done(message)` gets the answer, with these values of this node."""
        told = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        waited = set()
        for connection, link in list(self.links.items()):
            if not link.has_ended and sent(connection, told):
                waited.add(connection)
        self.asked[request["request"]] = Asked(waited, list(values), nodes, done, self.clock() + PATIENCE)
        self.answer()

    def take_answer(self, connection, message):
        """Takes the answer of one link."""
        asked = self.asked.get(message["request"])
        if asked is not None and connection in asked.links:
            asked.links.discard(connection)
            asked.values += message["values"]
            asked.nodes += message.get("nodes", 0)
            self.answer()

    def answer(self):
        """Answers the requests that wait for no link any more."""
        for number, asked in list(self.asked.items()):
            if not asked.links or self.clock() > asked.until:
                del self.asked[number]
                asked.done({"message": "ranks", "request": number, "nodes": asked.nodes, "values": asked.values})


def sent(connection, line):
    """Whether a short line could be sent at once."""
    try:
        return connection.source.send(line) == len(line)
    except OSError:
        return False
