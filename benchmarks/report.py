#!/usr/bin/env python3
# Puts the results of all benchmarks into one JSON file and prints them as tables for README.md.
#     report.py --stamp <build folder> <file>     what the machine is and how busy, before anything is measured
#     report.py <folder of results> <file>
# A number is a median with the smallest and the largest in parentheses; a ratio compares two medians of one run.

import collections
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import across.run
import peers.table

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output_of(*command):
    finished = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return finished.stdout.strip()


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} processors"
    return platform.machine()


def stamp(build):
    """What the numbers depend on besides the code."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    command = next(entry["command"] for entry in commands if entry["file"].endswith("session.cpp")).split()
    compiler = next(word for word in command if word != "ccache")
    return {
        "processor": processor(),
        "system": f"{platform.system()} {platform.release()}",
        "compiler": output_of(compiler, "--version").splitlines()[0],
        "flags": " ".join(word for word in command if word.startswith(("-O", "-std", "-m"))),
        "commit": output_of("git", "describe", "--always", "--dirty", "--abbrev=12"),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "load_before": os.getloadavg()[0],
    }


class Measured:
    """The repetitions of one benchmark, in nanoseconds of a thread's processor time for one operation."""

    def __init__(self, samples):
        self.samples = samples
        self.median = statistics.median(samples)

    def __str__(self):
        digits = 2 if self.median < 2 else 1
        return f"{self.median:.{digits}f} ({min(self.samples):.{digits}f} to {max(self.samples):.{digits}f})"


def read_benchmarks(folder):
    """The benchmarks by name, in the order of their source, without the threads that Google Benchmark appends."""
    samples = collections.defaultdict(list)
    for part in sorted(folder.glob("*.json")):
        content = json.loads(part.read_text(encoding="utf-8"))
        for run in sorted(content.get("benchmarks", []), key=lambda run: run["family_index"]):
            if run["run_type"] == "iteration":
                samples[run["run_name"].split("/threads:")[0]].append(run["cpu_time"])
    return {name: Measured(taken) for name, taken in samples.items()}


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_head(*cells):
    print()
    print_row(*cells)
    print_row(*("---" for _ in cells))


def print_index(benchmarks):
    names = [name.split("/", 2) for name in benchmarks if name.startswith("index/")]
    sizes = sorted({int(size) for _, size, _ in names})
    print_head("number from name, ns", *(f"{size} names" for size in sizes), "ratio at 1000")
    for what in dict.fromkeys(what for _, _, what in names):
        row = [benchmarks.get(f"index/{size}/{what}", "") for size in sizes]
        question = what.split("/", 1)[1].split(",")[0]
        reference = benchmarks[f"index/1000/MPI_T_cvar_get_index/{question}"].median
        print_row(what.replace("/", ", "), *row, f"{benchmarks[f'index/1000/{what}'].median / reference:.2f}")


def print_hot(benchmarks):
    print_head("one change, ns", "threads", "no handle", "1 handle", "8 handles", "ratio to thread_local")
    for name, plain in benchmarks.items():
        room, *rest = name.split("/")
        if room != "hot" or rest[-1] in ("1 handles", "8 handles"):
            continue
        reference = benchmarks[f"hot/thread_local/{rest[1]}"].median
        handles = [benchmarks.get(f"hot/{rest[0]}/{rest[1]}/{count} handles", "") for count in (1, 8)]
        print_row(rest[0], rest[1], plain, *handles, f"{plain.median / reference:.1f}")


def print_events(benchmarks):
    reference = benchmarks["events/cycle counter read"].median
    print_head("one raise, ns", "median (spread)", "ratio to a look at the cycle counter")
    for name, measured in benchmarks.items():
        if name.startswith("events/"):
            print_row(name.removeprefix("events/"), measured, f"{measured.median / reference:.2f}")


def print_session(benchmarks):
    reference = benchmarks["session/cvar_get_num"].median
    print_head("one call or pair of calls, ns", "median (spread)", "ratio to cvar_get_num")
    for name, measured in benchmarks.items():
        if name.startswith("session/"):
            print_row(name.removeprefix("session/"), measured, f"{measured.median / reference:.1f}")


def with_spread(of, digits):
    return f"{of['median']:.{digits}f} ({of['minimum']:.{digits}f} to {of['maximum']:.{digits}f})"


def print_compile(compiled, started):
    print_head("source", "compiler", "seconds", "ratio to the globals", "MB at most", "object KB", "loaded KB")
    globals_of = {row["compiler"]: row["seconds"]["median"] for row in compiled if "globals" in row["source"]}
    for row in compiled:
        print_row(row["source"], row["compiler"], with_spread(row["seconds"], 2),
                  f"{row['seconds']['median'] / globals_of[row['compiler']]:.2f}", f"{row['megabytes']['median']:.0f}",
                  f"{row['object_bytes'] / 1024:.0f}", f"{row['loaded_bytes'] / 1024:.0f}")
    print_head("enrolment of 1000 variables in a fresh process", "microseconds", "page faults")
    for row in started:
        print_row(row["compiler"], with_spread(row["microseconds"], 0), f"{row['page_faults']['median']:.0f}")


def print_table(head, *body):
    if not body: # what it needs is not installed
        return
    print_head(*head)
    for row in body:
        print_row(*row)


def main():
    if sys.argv[1] == "--stamp":
        pathlib.Path(sys.argv[3]).write_text(json.dumps(stamp(pathlib.Path(sys.argv[2]))), encoding="utf-8")
        return
    folder = pathlib.Path(sys.argv[1])
    machine = json.loads((folder / "stamp.json").read_text(encoding="utf-8")) | {"load_after": os.getloadavg()[0]}
    compiled = json.loads((folder / "compile.json").read_text(encoding="utf-8"))
    benchmarks = read_benchmarks(folder)
    nanoseconds = {name: {"median": of.median, "samples": of.samples} for name, of in benchmarks.items()}
    beside = {"peers": {"/".join(name): turns for name, turns in peers.table.read(folder / "peers").items()},
              "across": {"/".join(map(str, name)): of for name, of in across.run.read(folder / "across").items()}}
    pathlib.Path(sys.argv[2]).write_text(
        json.dumps({"machine": machine, "nanoseconds": nanoseconds} | compiled | beside, indent=1), encoding="utf-8")
    print("; ".join(f"{key.replace('_', ' ')} {value}" for key, value in machine.items()))
    print_index(benchmarks)
    print_hot(benchmarks)
    print_events(benchmarks)
    print_session(benchmarks)
    print_compile(compiled["compile"], compiled["start"])
    print_table(*peers.table.table(folder / "peers"))
    print_table(*across.run.table(folder / "across"))


main()
