#!/usr/bin/env python3
"""Pretends to be the ranks of one node, or of many: speaks the agent's protocol to the collector of each.

    mpit-info watch --nodes -- python3 many_ranks.py --nodes 4 --ranks 16 --seconds 5

Without --namespaces all nodes are on this machine under names of their own, with 127.0.0.1 between them. With it each node is in a network
namespace that exists already, and its processes are forked from this one, since starting Python so often takes all the time. Otherwise the
nodes wait for each other before their ranks begin, as those of a job do in MPI_Init. Rank --late waits less than the others in MPI_Waitall.
Node --dies is killed with its collector after --dies-after seconds, and the last node starts --delay seconds later.
"""

import argparse
import ctypes
import json
import os
import pathlib
import random
import re
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
    *((f"{name}_calls", "counter", "unsigned_long_long") for name in FUNCTIONS), ("mpi_time", "timer", "double"),
    ("unexpected_queue_length", "level", "unsigned_long"))]
DOCUMENT = {"format": "mpit-info 1", "taken": "after MPI_Init", "program": ["./many"],
            "mpi": {"version": [4, 0], "library": "Many ranks 1.0", "rank": 0, "processes": 1, "interface": "MPI_T"},
            "control_variables": [], "performance_variables": [], "events": [], "sources": [], "categories": [], "enumerations": [],
            "holes": []}


class Rank:
    """One rank with its connection."""

    def __init__(self, rank, options):
        self.rank, self.options, self.random = rank, options, random.Random(rank)
        times = {"MPI_Waitall_time": 0.03, "mpi_time": 0.1} if rank == options.late else {"mpi_time": 0.67}
        self.shares = [times.get(column["name"], 0.3 if column["class"] == "timer" else 1000) for column in COLUMNS]
        self.values = [0 if column["type"] != "double" else 0.0 for column in COLUMNS]
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        for _ in range(100):
            try:
                self.socket.connect("\0" + options.socket)
                break
            except OSError:
                time.sleep(0.05)
        self.began = self.sampled = time.time()
        self.tell(message="hello", rank=rank, processes=options.processes, host=options.name, pid=os.getpid(), began=self.began)
        self.tell(message="snapshot", document=DOCUMENT)
        self.tell(message="columns", columns=COLUMNS)

    def tell(self, **message):
        """Sends one line."""
        self.socket.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def sample(self):
        """Lets the values grow as they do in the time since the last sample, and sends them."""
        now = time.time()
        seconds, self.sampled = now - self.sampled, now
        for place, (column, share) in enumerate(zip(COLUMNS, self.shares)):
            if column["class"] == "level":
                self.values[place] = self.random.randrange(16)
            elif column["type"] == "double":
                self.values[place] += share * seconds * self.random.uniform(0.9, 1.1)
            else:
                self.values[place] += int(share * seconds * self.random.uniform(0.9, 1.1))
        self.tell(message="sample", time=now - self.began, values=self.values)


def kill_collector(connection):
    """Kills the collector behind a connection as a node that loses its power would."""
    pid = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
        if re.search("nodes/start.py|many_ranks.py", file.read()):
            os.kill(pid, signal.SIGKILL)


def start_collector(options):
    """Starts the collector of the node as an agent does, or as a fork in a network namespace."""
    settings = {**json.loads(os.environ["MPIT_INFO_NODES"]), "name": options.name, "socket": options.socket}
    words = os.environ["MPIT_INFO_COLLECTOR"].split("\n")
    if not options.namespaces:
        subprocess.run(words, env={**os.environ, "MPIT_INFO_NODES": json.dumps(settings)}, check=False)
        return
    from mpit_info.nodes.collector import Collector
    from mpit_info.nodes.settings import DEFAULTS, Settings
    collector = Collector(Settings(**{**DEFAULTS, **settings}), options.name)
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        ctypes.CDLL(None).prctl(15, f"coll-{options.name}".encode())  # PR_SET_NAME: run.py finds it by this
        collector.agents.meeting.listening.listen(4096)
        os.write(writing, b"1")
        collector.run()
        os._exit(0)
    os.read(reading, 1)
    for key in list(collector.ready.get_map().values()):
        key.fileobj.close()


def run_node(options):
    """The ranks of one node, which is this process."""
    first = options.node * options.ranks
    start_collector(options)
    if options.ready >= 0:
        # The pipe ends when its last writer has closed it.
        os.close(options.ready)
        os.read(options.all_ready, 1)
    ranks = []
    try:
        ranks = [Rank(rank, options) for rank in range(first, first + options.ranks)]
        until, step = options.until or time.monotonic() + options.seconds, 1 / options.rate
        due = time.monotonic()
        while time.monotonic() < until:
            if options.node == options.dies and time.monotonic() > until - options.seconds + options.dies_after:
                kill_collector(ranks[0].socket)
                return 0
            for rank in ranks:
                rank.sample()
            # Missed samples are not made up for.
            due = max(due + step, time.monotonic())
            time.sleep(due - time.monotonic() if due > time.monotonic() else 0)
        for rank in ranks:
            rank.sample()
            rank.tell(message="end", time=options.seconds, samples=1, cost=0.001)
    except OSError:
        return 1
    return 0


def fork_node(options, node, words):
    """Forks the process of a node into its network namespace."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        # A session of its own gets its own share of the processors, as a node does.
        os.setsid()
        with open(f"/run/netns/{options.namespaces}{node}", "rb") as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0) == 0:
                status = run_node(parser().parse_args(words))
    finally:
        os._exit(status)


def parser():
    """The options."""
    made = argparse.ArgumentParser()
    for name, kind, initial in (("nodes", int, 1), ("ranks", int, 4), ("seconds", float, 3), ("rate", float, 2), ("late", int, 3),
                                ("node", int, None), ("processes", int, 0), ("name", str, ""), ("socket", str, ""), ("namespaces", str, ""),
                                ("delay", float, 0), ("dies", int, -1), ("dies-after", float, 1), ("until", float, 0), ("ready", int, -1),
                                ("all-ready", int, -1)):
        made.add_argument("--" + name, type=kind, default=initial)
    return made


def main():
    """Starts the nodes, each as a process, and waits for them."""
    options = parser().parse_args()
    if options.node is not None:
        time.sleep(options.delay)
        return run_node(options)
    own = json.loads(os.environ["MPIT_INFO_NODES"])["socket"]
    started, begins, (all_ready, ready) = [], time.monotonic(), os.pipe()
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "subprojects" / "mpit-info"))
    if options.namespaces:
        import mpit_info.nodes.collector  # noqa: F401  # before the forks
    for node in range(options.nodes):
        delay = options.delay * (node == options.nodes - 1)
        words = ["--node", node, "--name", f"n{node:03}", "--socket", f"{own}/{node}", "--processes", options.nodes * options.ranks,
                 "--delay", delay]
        for name in ("ranks", "seconds", "rate", "late", "dies", "dies-after"):
            words += ["--" + name, getattr(options, name.replace("-", "_"))]
        if options.namespaces:
            words += ["--until", begins + options.seconds, "--namespaces", options.namespaces]
            started.append(fork_node(options, node, list(map(str, words))))
        else:
            # Nobody waits for the one that starts later.
            words += [] if delay else ["--ready", ready, "--all-ready", all_ready]
            started.append(subprocess.Popen(list(map(str, [sys.executable, __file__, *words])), pass_fds=() if delay else (ready, all_ready)))
    os.close(ready)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if options.namespaces:
        return max(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in started)
    return max(each.wait() for each in started)


if __name__ == "__main__":
    sys.exit(main())
