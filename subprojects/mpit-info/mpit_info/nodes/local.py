"""The tool's side of a run with collectors: `run = Nodes(options)`; it starts the collector of this node and has the root.

Collectors of other nodes are started there by the first process that finds none, with start.py.
"""

import os
import pathlib
import secrets
import subprocess
import sys

from mpit_info.nodes import node_meeting, settings
from mpit_info.nodes.root import Root
from mpit_info.nodes.values import Answering
from mpit_info.refusal import Refusal

START = str(pathlib.Path(__file__).resolve().parent / "start.py")


class Nodes:
    """`root` is the root of the tree."""

    def __init__(self, options):
        place = options.openmetrics
        if place and not place.rpartition(":")[2].isdigit():
            # A file: collectors work in another directory.
            place = os.path.abspath(place)
        files = os.path.abspath(options.node_files) if options.node_files else None
        self.settings = settings.Settings(**{**settings.DEFAULTS, "socket": node_meeting.socket_name(secrets.token_hex(8)),
                                             "period": options.period, "worst": options.worst, "files": files,
                                             "openmetrics": place})
        self.root, self.answering = Root(self.settings, options.fan_in), None

    def begin(self, connections, ready, address):
        """Takes the connections of the run, begins to answer requests, and starts the collector of this node."""
        self.root.begin(connections)
        self.answering = Answering(self.root, ready)
        self.start(address)

    def take(self, connection, message):
        """Takes a message of a collector, or a request."""
        if connection.owner is self.answering.connections:
            self.answering.take(connection, message)
        else:
            self.root.take(connection, message)

    def variables(self, address):
        """The variables for the processes of the job, given the address of the root."""
        self.settings = self.settings._replace(root=address)
        return {"MPIT_INFO_SOCKET": "node:" + self.settings.socket, settings.VARIABLE: settings.text(self.settings),
                "MPIT_INFO_COLLECTOR": f"{sys.executable}\n{START}"}

    def start(self, address):
        """Starts the collector of this node, and returns when processes can connect to it."""
        environment = {**os.environ, **self.variables(address)}
        ended = subprocess.run([sys.executable, START], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True, check=False)
        if ended.returncode:
            raise Refusal(f"the collector of this node did not start: {ended.stderr.strip()}")
