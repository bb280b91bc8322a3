#!/usr/bin/env python3
# The second figure of the tables: the instructions of each benchmark and of each call of a tool, as valgrind's callgrind
# counts them. It uses what run.sh has built and takes some minutes; report.py puts the figures into the tables.
#     count.py <build folder>      build/benchmarks/g++

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

import callgrind
import peers.count
from report import collect, stamp

PROGRAMS = {"index": ["1000"], "hot": [], "events": [], "others": [], "session": [], "batch": []}
# Threads take turns under valgrind, which has another clock, and what is cold is not a matter of instructions.
LEFT_OUT = re.compile(r"threads:(2|4|16)\b|, (2|4|16) threads/|two threads|/value, |/mpit, latency|"
                      r"while a thread|/cold|/[18] handles")
# A benchmark runs with both, so that everything but the turns drops out of the difference.
FEW, MANY = 20000, 100000
# Turns that are long run so many times less often.
LESS_OFTEN = {re.compile(r"^batch/10+ "): 20, re.compile(r"^others/1000 values/"): 1000}


def output_of(*command):
    return subprocess.run([str(word) for word in command], text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def benchmarks_of(program, arguments):
    return [name for name in output_of(program, *arguments, "--benchmark_list_tests").splitlines()
            if not LEFT_OUT.search(name)]


def total(program, arguments, name, turns):
    """All instructions of a run of one benchmark."""
    # The name contains the number of turns, too, if it is fixed.
    # POSIX expressions know no escaped space or hyphen.
    plain = re.escape(name).replace("\\ ", " ").replace("\\-", "-")
    chosen = f"--benchmark_filter=^{plain}(/iterations:{turns})?(/threads:1)?$"
    return callgrind.total([program, *arguments, chosen], {**os.environ, "BENCHMARK_TURNS": str(turns)})


def turn(program, arguments, name):
    share = next((times for which, times in LESS_OFTEN.items() if which.match(name)), 1)
    few, many = FEW // share, MANY // share
    instructions = (total(program, arguments, name, many) - total(program, arguments, name, few)) / (many - few)
    if instructions < 0.5:
        sys.exit(f"count.py: {program} ran nothing for {name}")
    return instructions


def main():
    built = pathlib.Path(sys.argv[1]).resolve()
    turns, calls = {}, {}
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for room, arguments in PROGRAMS.items():
            program = built / "benchmarks" / f"{room}-benchmark"
            if not program.is_file():
                continue
            for name in benchmarks_of(program, arguments):
                plain = collect.APPENDED.sub("", name)
                turns[plain] = pool.submit(turn, program, arguments, plain)
        calls = peers.count.calls(built / "parts" / "peers", pool)
        turns = {name: counted.result() for name, counted in turns.items()}
    counted = {"turns": turns, "calls": calls, "commit": stamp.output_of("git", "describe", "--always", "--dirty")}
    (built / "parts" / "instructions.json").write_text(json.dumps({"instructions": counted}, indent=1), encoding="utf-8")
    for name, instructions in {**turns, **calls}.items():
        print(f"{instructions:12.1f}  {name}")


if __name__ == "__main__":
    main()
