#!/usr/bin/env python3
# The instructions of one call of each kind, counted by valgrind's callgrind. One run takes some seconds.
#     calls.py build/benchmarks/g++/benchmarks/calls-benchmark [<an older program, whose counts stand beside>]

import pathlib
import re
import subprocess
import sys
import tempfile

TURNS = 20 # as in calls.cpp
TRIGGER = re.compile(r"^desc: Trigger: Client Request: (.*)$", re.MULTILINE)
TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def counts_of(program):
    """The instructions of one call, by its name; the second round of the program counts."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        parts = sorted(pathlib.Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        texts = [part.read_text(encoding="utf-8", errors="replace") for part in parts]
    totals = {trigger[1]: int(TOTAL.search(text)[1]) for text in texts if (trigger := TRIGGER.search(text))}
    nothing = totals.pop("nothing")
    return {name: (total - nothing) / TURNS for name, total in totals.items()}


def main():
    columns = [counts_of(program) for program in sys.argv[1:]]
    for name in columns[0]:
        print("".join(f"{column.get(name, 0):10.1f}" for column in columns), " ", name)


if __name__ == "__main__":
    main()
