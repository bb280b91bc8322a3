#!/usr/bin/env python3
# Builds across.cpp for each MPI that is installed, runs it with so many processes, and prints the tables of ../tables.md.
#     run.py <folder> <compiler> [<processes>...]      1 2 4 8 where nothing is said; more than 16 take minutes

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = ["-std=c++20", "-O3", "-I", HERE.parent.parent / "include", "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1"]
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI"}
# Processes that share a processor wait for each other's slices of time.
REPETITIONS = {1: 100, 2: 100, 4: 20, 8: 6, 16: 5}
FEWEST_REPETITIONS = 3
ROWS = [("facts", None), ("agree", None), ("write", 1), *(("summary", n) for n in (1, 10, 100, 1000)),
        *(("reduction", n) for n in (1, 1000)), *(("combination", n) for n in (1, 1000)), ("allreduce", 3)]
WORDS = {"facts": "descriptions and fingerprint alone", "agree": "agreement", "write": "write", "summary": "summary of {}",
         "reduction": "reduction alone, of {}", "combination": "combination of {}",
         "allreduce": "MPI_Allreduce of 24 bytes"}


def output_of(*command, **variables):
    words = [str(word) for word in command]
    ended = subprocess.run(words, env={**os.environ, **variables}, text=True, capture_output=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit status {ended.returncode}\n{ended.stderr}")
    return ended.stdout


def measure(folder, compiler, mpi, ranks):
    program = folder / f"across-{mpi}"
    output_of(f"mpicxx.{mpi}", *FLAGS, HERE / "across.cpp", "-ldl", "-o", program, MPICH_CXX=compiler,
              OMPI_CXX=compiler)
    more = ["--oversubscribe", "--allow-run-as-root"] if mpi == "openmpi" else []
    for count in ranks:
        repetitions = REPETITIONS.get(count, FEWEST_REPETITIONS)
        lines = output_of(f"mpiexec.{mpi}", *more, "-n", count, program, repetitions).splitlines()
        measured = [json.loads(line) for line in lines if line.startswith("{")]
        (folder / f"{mpi}-{count:03}.json").write_text(json.dumps(measured), encoding="utf-8")


def read(folder):
    """The microseconds of each repetition: MPI, what, how many, processes."""
    taken = {}
    for part in sorted(pathlib.Path(folder).glob("*-*.json")):
        mpi = part.name.split("-")[0]
        for each in json.loads(part.read_text(encoding="utf-8")):
            count = None if each["what"] in ("facts", "agree") else each["count"]
            taken[mpi, each["what"], count, each["ranks"]] = each["samples"]
    return taken


def in_words(microseconds):
    for unit, digits in (("", 1), (" ms", 1e3), (" s", 1e6)):
        if float(f"{microseconds / digits:.3g}") < 1000:
            return f"{float(f'{microseconds / digits:.3g}'):g}{unit}"
    return f"{microseconds / 1e6:.0f} s"


def cell(samples):
    return f"{in_words(min(samples))} ({in_words(statistics.median(samples))})" if samples else ""


def table(taken):
    ranks = sorted({count for _, _, _, count in taken})
    yield ["microseconds", "MPI", *(f"{count} process{'es' if count > 1 else ''}" for count in ranks)]
    for what, count in ROWS:
        for mpi, title in TITLES.items():
            if any((mpi, what, count, each) in taken for each in ranks):
                yield [WORDS[what].format(count), title, *(cell(taken.get((mpi, what, count, each))) for each in ranks)]


def main():
    folder, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    ranks = [int(word) for word in sys.argv[3:]] or [1, 2, 4, 8]
    folder.mkdir(parents=True, exist_ok=True)
    for mpi, title in TITLES.items():
        if shutil.which(f"mpicxx.{mpi}") is None or shutil.which(f"mpiexec.{mpi}") is None:
            print(f"== {title} is not installed: it is left out", file=sys.stderr)
            continue
        measure(folder, compiler, mpi, ranks)
    head, *body = table(read(folder))
    for cells in (head, ["---"] * len(head), *body):
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
