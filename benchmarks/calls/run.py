#!/usr/bin/env python3
# What counting the calls of MPI functions costs a message of 8 bytes that a process sends itself: alone, under a layer that only
# passes the calls on, under a model of mpiP, and under `mpit-info watch --calls yes` and `--calls distributions`, turn by turn. Instructions are counted by callgrind.
#     run.py <build directory> [turns]      the directory of `meson setup … --buildtype=release`; 9 turns

import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BLOCKS = 60
# Blocks of the two runs whose difference in instructions is that of the blocks more.
FEW, MORE, MESSAGES = 1, 21, 10_000
WATCHED = "mpit-info watch --calls yes"


def output_of(*words):
    """What a command prints."""
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def commands(tool, folder):
    """The words before the program for each case."""
    def preloaded(name):
        return ["env", f"LD_PRELOAD={folder}/{name}.so"]

    return {"alone": ["env"], "a layer that passes on": preloaded("pass_on"), "a model of mpiP": preloaded("by_site"),
            WATCHED: [tool, "watch", "--calls", "yes", "--interval", "0", "--"],
            "mpit-info watch --calls distributions": [tool, "watch", "--calls", "distributions", "--interval", "0", "--"],
            WATCHED + " --regions": [tool, "watch", "--calls", "yes", "--regions", "--interval", "0", "--"]}


def nanoseconds(words, program):
    """The time of a message."""
    return float(re.search(r"^\d+\.\d\d$", output_of(*words, program, BLOCKS), re.MULTILINE)[0])


def instructions(words, program, folder):
    """The instructions of a message in the program's thread."""
    found = []
    for blocks in (FEW, MORE):
        for old in pathlib.Path(folder).glob("callgrind.*"):
            old.unlink()
        output_of(*words, "valgrind", "-q", "--tool=callgrind", "--separate-threads=yes", f"--callgrind-out-file={folder}/callgrind.%p",
                  program, blocks)
        # The file of the first thread.
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in pathlib.Path(folder).glob("callgrind.*-01")]
        found.append(max(int(number) for text in texts for number in re.findall(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)))
    return (found[1] - found[0]) / (MORE - FEW) / MESSAGES


def main():
    tool, turns = pathlib.Path(sys.argv[1]).resolve() / "subprojects/mpit-info/mpit-info", int((sys.argv[2:] + ["9"])[0])
    print("| MPI | case | ns a message, median (range) | more a call | instructions a message | more a call |\n| --- | --- | --- | --- | --- | --- |")
    for mpi in ("mpich", "openmpi"):
        if not shutil.which(f"mpicc.{mpi}"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/message"
            output_of(f"mpicc.{mpi}", "-O2", HERE / "message.c", "-o", program)
            for name, words in (("pass_on", []), ("by_site", ["-DBY_SITE"])):
                output_of(f"mpicc.{mpi}", "-O2", "-fPIC", "-shared", *words, HERE / "layers.c", "-o", f"{folder}/{name}.so")
            cases = commands(tool, folder)
            taken = {name: [] for name in cases}
            for turn in range(turns):
                print(f"{mpi}: turn {turn + 1} of {turns}", file=sys.stderr)
                for name, words in cases.items():
                    taken[name].append(nanoseconds(words, program))
            alone, counted = statistics.median(taken["alone"]), {}
            for name, words in cases.items():
                counted[name] = instructions(words, program, folder) if shutil.which("valgrind") else float("nan")
                middle = statistics.median(taken[name])
                print(f"| {mpi} | {name} | {middle:.0f} ({min(taken[name]):.0f} to {max(taken[name]):.0f}) | {(middle - alone) / 3:.1f} "
                      f"| {counted[name]:.0f} | {(counted[name] - counted['alone']) / 3:.0f} |", flush=True)


main()
