#!/usr/bin/env python3
"""Pretends to be the ranks of one node, or of many: speaks the agent's protocol to the collector of each.

    mpit-info watch --nodes -- python3 many_ranks.py --nodes 4 --ranks 16 --seconds 5

Without --namespaces all nodes are on this machine under names of their own, with 127.0.0.1 between them; with it each node has a network
namespace that exists already. Rank --late waits less than the others in MPI_Waitall. Node --dies is
killed with its collector after --dies-after seconds, and the last node starts --delay seconds later.
"""

import argparse
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time

FUNCTIONS = ("MPI_Waitall", "MPI_Allreduce", "MPI_Isend", "MPI_Irecv", "MPI_Bcast", "MPI_Barrier")
COLUMNS = [{"name": name, "class": class_, "element": None, "object": None, "type": type_} for name, class_, type_ in (
    *((f"{kind}_{what}", class_, type_) for kind in ("send", "receive", "wait", "collective", "other")
      for what, class_, type_ in (("calls", "counter", "unsigned_long_long"), ("time", "timer", "double"))),
    ("send_bytes", "aggregate", "unsigned_long_long"), ("receive_bytes", "aggregate", "unsigned_long_long"),
    *((f"{name}_time", "timer", "double") for name in FUNCTIONS),
    *((f"{name}_calls", "counter", "unsigned_long_long") for name in FUNCTIONS),
    ("unexpected_queue_length", "level", "unsigned_long"))]
DOCUMENT = {"format": "mpit-info 1", "taken": "after MPI_Init", "program": ["./many"],
            "mpi": {"version": [4, 0], "library": "Many ranks 1.0", "rank": 0, "processes": 1, "interface": "MPI_T"},
            "control_variables": [], "performance_variables": [], "events": [], "sources": [], "categories": [], "enumerations": [],
            "holes": []}


class Rank:
    """One rank with its connection."""

    def __init__(self, rank, options):
        self.rank, self.options, self.random = rank, options, random.Random(rank)
        self.shares = [0.3 if column["class"] == "timer" else 1000 for column in COLUMNS]
        if rank == options.late:
            self.shares = [0.03 if column["name"] == "MPI_Waitall_time" else share for column, share in zip(COLUMNS, self.shares)]
        self.values = [0 if column["type"] != "double" else 0.0 for column in COLUMNS]
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        for _ in range(100):
            try:
                self.socket.connect("\0" + options.socket)
                break
            except OSError:
                time.sleep(0.05)
        self.began = time.time()
        self.tell(message="hello", rank=rank, processes=options.processes, host=options.name, pid=os.getpid(), began=self.began)
        self.tell(message="snapshot", document=DOCUMENT)
        self.tell(message="columns", columns=COLUMNS)

    def tell(self, **message):
        """Sends one line."""
        self.socket.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def sample(self, seconds):
        """Lets the values grow, and sends them."""
        for place, (column, share) in enumerate(zip(COLUMNS, self.shares)):
            if column["class"] == "level":
                self.values[place] = self.random.randrange(16)
            elif column["type"] == "double":
                self.values[place] += share * seconds * self.random.uniform(0.9, 1.1)
            else:
                self.values[place] += int(share * seconds * self.random.uniform(0.9, 1.1))
        self.tell(message="sample", time=time.time() - self.began, values=self.values)


def kill_collector(connection):
    """Kills the collector behind a connection as a node that loses its power would."""
    pid = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
        if "nodes/start.py" in file.read():
            os.kill(pid, signal.SIGKILL)


def run_node(options):
    """The ranks of one node, which is this process."""
    first = options.node * options.ranks
    start = os.environ["MPIT_INFO_COLLECTOR"].split("\n")
    settings = {**json.loads(os.environ["MPIT_INFO_NODES"]), "name": options.name, "socket": options.socket}
    subprocess.run(start, env={**os.environ, "MPIT_INFO_NODES": json.dumps(settings)}, check=False)
    ranks = []
    try:
        ranks = [Rank(rank, options) for rank in range(first, first + options.ranks)]
        until, step = time.monotonic() + options.seconds, 1 / options.rate
        due = time.monotonic()
        while time.monotonic() < until:
            if options.node == options.dies and time.monotonic() > until - options.seconds + options.dies_after:
                kill_collector(ranks[0].socket)
                return 0
            for rank in ranks:
                rank.sample(step)
            due += step
            time.sleep(max(due - time.monotonic(), 0))
        for rank in ranks:
            rank.tell(message="end", time=options.seconds, samples=1, cost=0.001)
    except OSError:
        return 1
    return 0


def main():
    """Starts the nodes, each as a process, and waits for them."""
    parser = argparse.ArgumentParser()
    for name, kind, initial in (("nodes", int, 1), ("ranks", int, 4), ("seconds", float, 3), ("rate", float, 2), ("late", int, 3),
                                ("node", int, None), ("processes", int, 0), ("name", str, ""), ("socket", str, ""), ("namespaces", str, ""),
                                ("delay", float, 0), ("dies", int, -1), ("dies-after", float, 1)):
        parser.add_argument("--" + name, type=kind, default=initial)
    options = parser.parse_args()
    if options.node is not None:
        time.sleep(options.delay)
        return run_node(options)
    own = json.loads(os.environ["MPIT_INFO_NODES"])["socket"]
    started = []
    for node in range(options.nodes):
        words = [sys.executable, __file__, "--node", node, "--name", f"n{node:03}", "--socket", f"{own}/{node}",
                 "--processes", options.nodes * options.ranks, "--delay", options.delay * (node == options.nodes - 1)]
        for name in ("ranks", "seconds", "rate", "late", "dies", "dies-after"):
            words += ["--" + name, getattr(options, name.replace("-", "_"))]
        if options.namespaces:
            words = ["ip", "netns", "exec", f"{options.namespaces}{node}", *words]
        started.append(subprocess.Popen(list(map(str, words))))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return max(each.wait() for each in started)


if __name__ == "__main__":
    sys.exit(main())
