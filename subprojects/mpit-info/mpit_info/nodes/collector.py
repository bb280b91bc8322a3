"""The collector of a node: `Collector(settings, "node7").run()`.

It receives all messages of the processes of its node and writes them to the node's file. Upward it sends a summary for each interval, merged
with those of the collectors below it. It ends when all its processes and the collectors below it have ended.
"""

import os
import re
import selectors
import time

from mpit_info import connections, measured, recording
from mpit_info.nodes import node_meeting
from mpit_info.nodes.links import Links
from mpit_info.nodes.merger import PATIENCE, Merger
from mpit_info.nodes.ranks import Ranks
from mpit_info.nodes.summaries import Columns
from mpit_info.nodes.uplink import Uplink

TICK = 0.1
# The share of an interval by which its end waits for samples that are on their way.
GRACE = 0.2
# Seconds after the last process until the end, without a root until the end, and of silence until a link counts as lost.
LINGER, WITHOUT_ROOT, SILENCE = 1.0, 10.0, 30.0
OWN = "own"


class Collector:  # pylint: disable=too-many-instance-attributes
    """`name` is the node's."""

    def __init__(self, settings, name, clock=time.monotonic, time_of_day=time.time):
        self.settings, self.name, self.clock, self.time_of_day = settings, name, clock, time_of_day
        self.ready = selectors.DefaultSelector()
        self.agents = connections.Connections(node_meeting.AgentMeeting(settings.socket), self.ready)
        self.agents.is_welcome = node_meeting.is_of_this_user
        self.children, self.uplink = None, Uplink(settings.root, name, self.listen, self.ready)
        self.ranks, self.merger, self.columns = Ranks(settings.worst), Merger(settings.worst), Columns()
        self.links = Links(self.merger, self.forward, clock)
        self.closed, self.columns_told, self.facts_told, self.snapshot = self.interval(), 0, None, None
        self.quiet_since, self.is_over, self.linger = None, False, LINGER
        self.recorder, self.live, self.reader = None, None, measured.Reader()

    def interval(self):
        """The number of the present interval."""
        return int(self.time_of_day() / self.settings.period - GRACE)

    def listen(self, host):
        """Listens for other collectors at this address of the machine; returns what they connect to, None if that fails."""
        try:
            meeting = node_meeting.ChildMeeting(host, node_meeting.token_of(self.settings.root))
        except OSError:
            return None
        self.children = connections.Connections(meeting, self.ready)
        self.children.on_close = self.links.closed
        return meeting.address

    def open_outputs(self):
        """The file and the page of this node."""
        safe = re.sub(r"[^A-Za-z0-9_.-]", "_", self.name)
        if self.settings.files:
            os.makedirs(self.settings.files, exist_ok=True)
            path = os.path.join(self.settings.files, f"{safe}.jsonl")
            if os.path.exists(path):
                path = os.path.join(self.settings.files, f"{safe}.{os.getpid()}.jsonl")
            self.recorder = recording.Recorder(path, [], node=self.name)
        if self.settings.openmetrics:
            from mpit_info import openmetrics  # imports a server
            self.live = openmetrics.Live(self.settings.openmetrics.replace("%h", safe))

    def run(self):
        """Works until all processes of the node and the collectors below have ended."""
        self.open_outputs()
        connections.widen()
        try:
            while not self.is_over:
                self.step(TICK)
        finally:
            self.finish()

    def join(self):
        """Asks the root for a place; does not wait for the answer."""
        for _ in ("connect", "send"):
            self.uplink.step(self.clock())

    def step(self, seconds):
        """Waits for messages for so long, processes them, and closes intervals that are over."""
        for key, _ in self.ready.select(seconds):
            if key.data is self.uplink:
                self.read_uplink()
            elif isinstance(key.data, connections.Connections):
                key.data.accept()
            elif key.data.owner is self.agents:
                self.read_agent(key.data)
            else:
                self.read_child(key.data)
        now = self.clock()
        self.uplink.step(now)
        for each in filter(None, (self.agents, self.children)):
            each.expire()
        for connection in self.links.silent(SILENCE):
            self.children.end(connection, "has been silent")
        self.links.answer()
        self.close_intervals(now)
        self.check_end(now)

    def read_uplink(self):
        """Processes what the collector above sends."""
        now = self.clock()
        for message in self.uplink.read(now):
            if message is None:
                # A new link knows nothing.
                self.columns, self.columns_told, self.facts_told = Columns(), 0, None
                if self.snapshot:
                    self.uplink.send(self.snapshot, now)
                self.tell_facts(now)
            elif message["message"] == "request":
                values = self.ranks.values_of(message.get("variable"), message.get("rank"))
                self.links.ask(message, values, 1, lambda answer: self.uplink.send(answer, self.clock()))
            elif message["message"] == "over":
                self.linger = 0
                self.links.say(message)

    def read_agent(self, connection):
        """Processes the messages of a process of this node."""
        for message in self.agents.read(connection):
            if message["message"] == "no_agent":
                self.forward(message)
                continue
            self.ranks.accept(connection.number, message)
            if self.recorder:
                self.recorder.add(connection.number, message)
            if self.live:
                for point in self.reader.points_of(connection.number, message):
                    if isinstance(point, measured.Point):
                        self.live.take(point)
            if message["message"] == "snapshot" and not self.links.has_snapshot:
                self.links.has_snapshot = True
                self.forward(message)

    def read_child(self, connection):
        """Processes the messages of a collector below."""
        try:
            for message in self.children.read(connection):
                self.links.accept(connection, message)
        except ValueError as problem:
            self.children.end(connection, f"has sent a summary that {problem}")

    def forward(self, message):
        """Sends what a collector below says about nodes to the one above; keeps the first snapshot for a later link."""
        if message["message"] == "snapshot":
            self.snapshot = message
        self.uplink.send(message, self.clock())

    def tell_facts(self, now, **more):
        """Says how many ranks this node has, if that has changed."""
        facts = {"message": "node", "node": self.name, "address": self.uplink.address, "ranks": len(self.ranks.ranks),
                 "processes": self.ranks.processes(), **more}
        if self.uplink.is_ready and facts != self.facts_told:
            self.facts_told = facts
            self.uplink.send(facts, now)

    def close_intervals(self, now):
        """Sends the summaries of the intervals that are over."""
        present = self.interval()
        if present > self.closed:
            # After a long wait only the last one.
            self.closed = present
            # Without ranks it is empty, and shows that the collector is alive.
            self.merger.add(OWN, self.ranks.summary(present - 1))
            self.tell_facts(now)
            if self.recorder:
                self.recorder.flush()
        self.send_complete(present, now)
        if self.live:
            self.live.write(at_once=False)

    def send_complete(self, present, now):
        """Sends the merged summaries that are complete."""
        for summary in self.merger.complete(present):
            if not self.uplink.is_ready:
                continue
            told = summary.told(self.columns)
            if len(self.columns.columns) > self.columns_told:
                self.columns_told = len(self.columns.columns)
                self.uplink.send({"message": "columns", "columns": self.columns.told()}, now)
            self.uplink.send(told, now)

    def check_end(self, now):
        """Ends when nobody needs this collector any more."""
        has_gone = self.uplink.failing_since is not None and now - self.uplink.failing_since > WITHOUT_ROOT
        has_worked = self.agents.processes or self.children and self.children.processes
        if self.agents.open or self.children and self.children.open or not (has_worked or has_gone or self.linger == 0):
            self.quiet_since = None
        elif self.quiet_since is None:
            self.quiet_since = now
        self.is_over = self.is_over or self.quiet_since is not None and now - self.quiet_since >= self.linger

    def finish(self):
        """Sends the last summary, and closes the file."""
        now, present = self.clock(), self.interval() + 1
        if self.ranks.known():
            self.merger.add(OWN, self.ranks.summary(present))
        self.send_complete(present + PATIENCE + 1, now)
        self.tell_facts(now, has_ended=True)
        self.uplink.send({"message": "end", "time": 0}, now)
        until = now + LINGER
        while self.uplink.waiting and self.uplink.connection and self.clock() < until:
            self.uplink.flush(self.clock())
            time.sleep(0.01)
        self.uplink.drop(now)
        if self.recorder:
            self.recorder.finish(None, self.agents.problems())
        if self.live:
            self.live.close()
        for key in list(self.ready.get_map().values()):
            self.ready.unregister(key.fileobj)
            key.fileobj.close() if hasattr(key.fileobj, "close") else None
