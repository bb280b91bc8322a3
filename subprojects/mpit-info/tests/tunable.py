"""Pretends to be a program with a control variable that an environment variable sets: prints a result for `mpit-info tune`.

    mpit-info tune --sweep MYMPI_EAGER_LIMIT=1k..64k*4 --metric 'took ([0-9.]+)' -- python3 tunable.py --best 16384

The result is a function of the values and of pseudo-random noise; the time of the program means nothing.
"""

import os
import sys

OPTIONS = {"runs": os.devnull, "seed": "1", "noise": "0.05", "best": "0", "best-ranks": "0", "best-word": "", "worst-word": "", "word": "none",
           "breaks": "", "deaf": "", "cost": "1"}
COLUMN = {"name": "time_waiting", "class": "timer", "element": None, "object": None, "type": "double"}


def result_of(options):
    """The result of this run, which a file counts."""
    with open(options["runs"], "a+", encoding="utf-8") as file:
        file.write(f"{os.environ.get('MYMPI_EAGER_LIMIT', '-')} {os.environ.get('MYMPI_RANKS', '-')} {options['word']}\n")
        file.seek(0)
        run = len(file.readlines())
    state = 7919 * int(options["seed"]) + run
    for _ in range(3):
        state = (state * 1103515245 + 12345) % (1 << 31)
    limit, ranks = os.environ.get("MYMPI_EAGER_LIMIT", "65536"), os.environ.get("MYMPI_RANKS", "1")
    cost = float(options["cost"])
    cost *= 1.0 if options["best"] in ("0", limit) else 1.5
    cost *= 1.0 if options["best-ranks"] in ("0", ranks) else 1.4
    cost *= 1.0 if options["best-word"] in ("", options["word"]) else 2
    cost *= 3 if options["worst-word"] == options["word"] else 1.0
    return cost * (1 + float(options["noise"]) * state / (1 << 31))


def tell(options, request, result):
    import json
    import socket
    import samples
    source = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    source.connect(os.environ["MPIT_INFO_SOCKET"])

    def send(**message):
        source.sendall(json.dumps(message).encode() + b"\n")

    document = samples.document(control_variables=[
        samples.control(0, "MYMPI_EAGER_LIMIT", default=65536,
                        value=65536 if options["deaf"] else int(os.environ.get("MYMPI_EAGER_LIMIT", "65536"))),
        samples.control(1, "MYMPI_RANKS", default=1, value=int(os.environ.get("MYMPI_RANKS", "1"))),
        samples.control(2, "MYMPI_PROTOCOL", enumeration="protocol", default="eager",
                        value="rendezvous" if os.environ.get("MYMPI_PROTOCOL") == "2" else "eager")])
    send(message="hello", rank=0, processes=1, host="here", pid=os.getpid(), began=0)
    send(message="snapshot", document=document)
    if request == "watch":
        send(message="columns", columns=[COLUMN])
        send(message="sample", time=0.0, values=[0.0])
        send(message="sample", time=1.0, values=[result])
        send(message="end", time=1.0, samples=2, cost=0.0)


def main():
    options = {**OPTIONS, **{name[2:]: value for name, value in zip(sys.argv[1::2], sys.argv[2::2])}}
    request = os.environ.get("MPIT_INFO_REQUEST", "")
    if '"snapshot"' in request:
        tell(options, "snapshot", 0)
        return 0
    if options["breaks"] and os.environ.get("MYMPI_EAGER_LIMIT") == options["breaks"]:
        print("the queue is full", file=sys.stderr)
        return 3
    result = result_of(options)
    if request:
        tell(options, "watch", result)
    print(f"step: 9 s\ntook {result:.6f} s in all")
    return 0


sys.exit(main())
