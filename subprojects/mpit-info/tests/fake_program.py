"""Pretends to be a program with the agent inside: answers the request of the environment as the agent does.

    mpit-info -- python3 fake_program.py --processes 4 --seconds 1
"""

import argparse
import json
import math
import os
import pathlib
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import samples  # noqa: E402

COLUMNS = [
    {"name": "never_readable", "class": "counter", "element": None, "object": None, "type": "int"},
    {"name": "messages_sent", "class": "counter", "element": None, "object": None, "type": "unsigned_long"},
    {"name": "time_waiting", "class": "timer", "element": None, "object": None, "type": "double"},
    {"name": "unexpected_queue_length", "class": "level", "element": None, "object": None, "type": "unsigned_long"},
    {"name": "communicator_bytes", "class": "aggregate", "element": None, "object": "MPI_COMM_WORLD",
     "type": "unsigned_long"},
    {"name": "ring_fill", "class": "percentage", "element": 0, "object": None, "type": "double"},
    {"name": "ring_fill", "class": "percentage", "element": 1, "object": None, "type": "double"},
]


def values_at(moment, rank):
    """What the variables have come to at a moment."""
    sent = int(1000 * (1 + rank) * moment)
    return [None, sent, round(0.1 * moment * (rank + 1), 6), int(8 + 6 * math.sin(3 * moment + rank)), sent * 4096,
            round(50 + 40 * math.sin(moment), 3), 25.0]


def peers(options):
    return [{"name": "messages_to", "class": "counter", "element": peer, "object": None, "type": "unsigned_long"}
            for peer in range(options.peers)]


class Process:
    def __init__(self, options, rank, began):
        self.options, self.rank = options, rank
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(os.environ["MPIT_INFO_SOCKET"])
        began += self.options.ahead * (rank > 0)
        self.tell(message="hello", rank=self.rank if options.mpi else -1, processes=options.processes, host="here",
                  pid=os.getpid() + rank, began=began)
        self.tell_snapshot("after MPI_Init")

    def tell(self, **message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def tell_snapshot(self, taken):
        """Tells all variables; every rank has a limit of its own where the options say so."""
        document = samples.document(self.rank if self.options.mpi else -1, self.options.processes)
        if self.options.differ:
            document["control_variables"][0]["value"] += self.rank
        self.tell(message="snapshot", document={**document, "taken": taken})


def run_watched(options, processes, request):
    """Samples at the rate that was asked for; events come with every second sample."""
    wanted = request["variables"]
    for process in processes:
        columns = [{**column, "name": options.rename or column["name"]} for column in [*COLUMNS, *peers(options)]]
        process.tell(message="columns", columns=columns)
    events = bool(request["events"])
    count = max(int(options.seconds * request["rate"]), 2)
    for number in range(count):
        if os.path.exists(options.until):
            break
        moment = number / request["rate"]
        for process in processes:
            process.tell(message="sample", time=moment, values=values_at(moment, process.rank)
                         + [int(10 * (1 + peer) * moment) for peer in range(options.peers)])
            if events and number % 2:
                process.tell(message="event", time=moment, event="unexpected_message",
                             values={"source": process.rank, "bytes": 8 * number})
        if not options.fast:
            time.sleep(1 / request["rate"])
    for process in processes:
        process.tell_snapshot("at MPI_Finalize")
        process.tell(message="end", time=count / request["rate"], samples=count, cost=0.0002 * count)
    print(f"watched {' '.join(wanted)}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    for name, default in {"processes": 1, "unheard": 0, "seconds": 1.0, "status": 0, "peers": 0, "ahead": 0.0, "prints": "", "rename": "", "until": ""}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    for name in ("silent", "fast", "differ", "nonsense", "slow-start"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--no-mpi", dest="mpi", action="store_false")
    options = parser.parse_args()
    if options.prints:
        print(options.prints, flush=True)
    if options.silent:
        return options.status
    request = json.loads(os.environ["MPIT_INFO_REQUEST"])
    # One moment for all: how long the connections of the others take must not show in any figure.
    began, processes = time.time(), []
    for rank in range(options.processes - options.unheard):
        processes.append(Process(options, rank, began))
        if options.slow_start:
            time.sleep(0.05)
    if options.nonsense:
        processes[0].socket.sendall(b"this is no JSON\n{\"message\":\"of tomorrow\"}\n{\"message\":")
    if request["want"] == "watch":
        run_watched(options, processes, request)
    elif request["at"] == "init":
        return 0
    else:
        for process in processes:
            process.tell_snapshot("at MPI_Finalize")
    return options.status


if __name__ == "__main__":
    sys.exit(main())
