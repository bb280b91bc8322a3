#!/usr/bin/env python3
# The comparison of run.py as a table. The additional cost of a call is the median over the turns of the difference within a turn.
#     table.py <folder>

import collections
import json
import pathlib
import statistics
import sys

MPIS = {"mpich": "MPICH", "openmpi": "Open MPI"}


def read(folder):
    """The nanoseconds of each call in each turn: leg, owner and call, turn."""
    taken = collections.defaultdict(dict)
    parts = sorted(pathlib.Path(folder).glob("*.json"), key=lambda part: ("stacked" not in part.name, part.name))
    for part in parts:
        leg, turn, _ = part.name.split(".")
        text = part.read_text(encoding="utf-8")
        if not text: # a filter has left nothing of this leg
            continue
        content = json.loads(text)
        for run in sorted(content["benchmarks"], key=lambda run: run["family_index"]):
            _, owner, call = run["run_name"].split("/", 2)
            taken[leg, owner, call][turn] = run["cpu_time"]
    return taken


def context(folder):
    """What each leg has said of itself in its first turn: its thread level, and how many variables it has."""
    said = {}
    for part in sorted(pathlib.Path(folder).glob("*.00.json")):
        if text := part.read_text(encoding="utf-8"):
            found = json.loads(text)["context"]
            said[part.name.split(".")[0]] = {key: found[key] for key in
                                             ("thread level", "control variables", "performance variables")}
    return said


def median(of, digits):
    return f"{statistics.median(of.values()):.{digits}f}" if of else ""


def difference(more, less, digits):
    both = [more[turn] - less[turn] for turn in more if turn in less]
    return f"{statistics.median(both):+.{digits}f}" if both else ""


def rows(taken, digits=1):
    """Own calls are compared with the library alone, those of the host and of the whole process with the MPI alone."""
    calls = dict.fromkeys(call for _, _, call in taken)
    for call in calls:
        cells = [call, median(taken.get(("own", "own", call)) or taken.get(("own", "all", call), {}), digits)]
        for mpi in MPIS:
            alone, together = taken.get(("own", "own", call), {}), taken.get((f"{mpi}-stacked", "own", call), {})
            cells += [median(together, digits), difference(together, alone, digits)]
            of_host = [taken.get((leg, "host", call)) or taken.get((leg, "all", call), {})
                       for leg in (mpi, f"{mpi}-stacked")]
            cells += [*(median(of, digits) for of in of_host), difference(*reversed(of_host), digits)]
        yield cells


def head():
    cells = ["one call or pair of calls, ns", "ours alone"]
    for title in MPIS.values():
        cells += [f"ours over {title}", "more", f"{title} alone", f"{title} through the shims", "more"]
    return cells


def table(folder):
    return [head(), *rows(read(folder))]


def main():
    first, *body = table(sys.argv[1])
    for cells in (first, ["---"] * len(first), *body):
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
