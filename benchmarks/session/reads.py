#!/usr/bin/env python3
# The instructions of one read of a tool, by the way in which its variable came to be: declared, described in a C++ group, or in rows
# of C tables. callgrind counts 1000 reads with their loop. Prints the table of benchmarks/tables.md.
#     reads.py <folder of the built benchmarks>

import pathlib
import re
import subprocess
import sys
import tempfile

KINDS = ("declared", "group", "rows")
READS = 1000
VARIABLES = {
    "control": "control variable, kept by the library",
    "adopted": "control variable in storage",
    "counter": "counter",
    "level": "level",
    "computed": "level that a function computes",
}


def instructions_of(program, kind, variable):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["valgrind", "--tool=callgrind", "--toggle-collect=*read_control*", "--toggle-collect=*read_performance*",
                        f"--callgrind-out-file={out.name}", program, kind, variable], check=True, capture_output=True)
        counted = re.search(r"^(?:totals|summary): ([0-9]+)", pathlib.Path(out.name).read_text(encoding="utf-8"), re.M)
        return int(counted[1]) / READS


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "reads-benchmark"
    print("| instructions of one read | declared | C++ group | more | rows of C | more |\n| --- | --- | --- | --- | --- | --- |")
    for variable, words in VARIABLES.items():
        declared, *others = (None if (kind, variable) == ("rows", "control") else instructions_of(program, kind, variable) for kind in KINDS)
        cells = [f"{declared:.0f}"]
        for other in others:
            cells += ["", ""] if other is None else [f"{other:.0f}", f"{(other / declared - 1) * 100:+.0f} %"]
        print(f"| {words} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
