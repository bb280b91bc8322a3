#!/usr/bin/env python3
# Cells, events and control variables of C cost what those of C++ cost: each function of cells.c has the instructions of its twin
# in cells.cpp, one by one, whatever registers they use, up to the first return, and no more of them behind it. Those of doubles
# have no more. A histogram of C finds its buckets at run time, in at most twice the instructions. Only x86-64 has been looked at.
#     instructions.py <include folder> <C++ compiler> -- <C compiler>

import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def functions(command, source, folder):
    """The instructions of each function, without operands and padding."""
    subprocess.run([*command, "-c", str(HERE / source), "-o", f"{folder}/cells.o"], check=True)
    shown = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-j", ".text", f"{folder}/cells.o"], text=True,
                           stdout=subprocess.PIPE, check=True).stdout
    found = {}
    for line in shown.splitlines():
        if name := re.match(r"[0-9a-f]+ <([\w.]+)>:", line):
            present = found.setdefault(name[1], [])
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(.*)", line):
            words = instruction[1].split()
            prefixes = [word for word in words if word == "lock"]
            name = next(word for word in words if word not in ("lock", "data16", "cs"))
            if not name.startswith("nop") and words[0] != "data16" and "xchg   %ax,%ax" not in line:
                present.append(" ".join([*prefixes, name]))
    return found


def common_way(instructions):
    """What is passed where nothing else is to be done; the rest may only be shorter."""
    return instructions[:instructions.index("ret")] if "ret" in instructions else instructions


def main():
    if platform.machine() != "x86_64":
        print("skipped: the instructions of other processors")
        return 0
    border = sys.argv.index("--")
    headers, cpp, c = sys.argv[1], sys.argv[2:border], sys.argv[border + 1:]
    failed = 0
    for flags in (["-fPIC"], ["-fPIE"]):
        common = ["-O2", *flags, "-I", headers]
        with tempfile.TemporaryDirectory() as folder:
            of_c = functions([*c, "-std=c99", *common], "cells.c", folder)
            of_cpp = functions([*cpp, "-std=c++20", "-fno-exceptions", *common], "cells.cpp", folder)
        for name, instructions in of_c.items():
            twin = of_cpp.get(name, [])
            same = common_way(instructions) == common_way(twin) or "real" in name
            same = same and 1 < len(instructions) <= len(twin)
            if name == "record_value":
                same = 1 < len(common_way(instructions)) <= 2 * len(common_way(twin))
            failed += not same
            print(f"{'ok' if same else 'failed':7} {flags[0]} {name}: {len(instructions)} instructions, {len(common_way(instructions))} usually")
            if not same:
                print(f"        C   {instructions}\n        C++ {of_cpp.get(name)}")
        failed += len(of_c) != 14
    return 1 if failed else 0


sys.exit(main())
