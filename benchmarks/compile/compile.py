#!/usr/bin/env python3
# The cost of the headers for a compiler, and of 1000 variables for the start of a program.
#     compile.py [--quick] [--json FILE] [--compilers g++ clang++]
# Each source is compiled by each compiler in turn, round after round, so that a slow minute of the machine falls on all
# of them alike. Every number is a median with the smallest and the largest; only the compiler itself is counted.

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import tempfile

import sources

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include"
MPICH = pathlib.Path(f"/usr/include/{platform.machine()}-linux-gnu/mpich/mpi.h")
FLAGS = ["-std=c++20", "-O2", "-I", str(INCLUDE)]
SEPARATE = "#define MPIT_SEPARATE_COMPILATION 1\n"
# Each of these takes seconds.
SLOW, ROUNDS_OF_SLOW = "the functions", 3


def write_sources(folder):
    """Writes all sources; returns their names in the order of the table."""
    texts = {
        "empty file": "\n",
        "#include <mpit/mpit.hpp>": "#include <mpit/mpit.hpp>\n",
        "one registered tree": sources.SMALL_TREE,
        "20 variables": sources.tree(20) + sources.REGISTERED + sources.USE,
        "1000 variables": sources.tree() + sources.REGISTERED + sources.USE,
        "1000 variables, extern template": sources.tree() + sources.EXTERN_TREE + sources.REGISTERED + sources.USE,
        "100 events of 8 members": sources.events(100),
        "1000 globals and calls": sources.plain(),
        "the functions": "#include <mpit/mpi_t.hpp>\n",
    }
    for name in ("#include <mpit/mpit.hpp>", "one registered tree", "20 variables", "1000 variables"):
        texts[f"{name}, in separate files"] = SEPARATE + texts[name]
    texts["the one file with what separate files share"] = SEPARATE + "#include <mpit/implementation.hpp>\n"
    if MPICH.is_file():
        texts["the functions on top of MPICH"] = "#define MPIT_MPI_HEADER <mpi.h>\n#include <mpit/over_mpi.hpp>\n"
    for number, text in enumerate(texts.values()):
        (folder / f"source{number}.cpp").write_text(text, encoding="utf-8")
    (folder / "start.cpp").write_text(sources.tree() + sources.LOADS, encoding="utf-8")
    return list(texts)


def compile_once(compiler, source, result):
    """Compiles to an object; returns seconds of the processor and megabytes at most."""
    host = ["-I", str(MPICH.parent)] if "MPIT_MPI_HEADER" in source.read_text(encoding="utf-8") else []
    command = [compiler, *FLAGS, *host, "-c", str(source), "-o", str(result)]
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def size_of_sections(result):
    """Bytes of the object that a program would load or keep."""
    printed = subprocess.run(["size", str(result)], check=True, text=True, stdout=subprocess.PIPE).stdout
    return int(printed.splitlines()[1].split()[3])


def summary(samples):
    return {"median": statistics.median(samples), "minimum": min(samples), "maximum": max(samples)}


def measure_compilers(compilers, names, folder, rounds):
    samples = {(name, compiler): [] for name in names for compiler in compilers}
    sizes = {}
    for turn in range(rounds):
        for number, name in enumerate(names):
            if name.startswith(SLOW) and turn >= ROUNDS_OF_SLOW:
                continue
            for compiler in compilers:
                result = folder / "object.o"
                samples[name, compiler].append(compile_once(compiler, folder / f"source{number}.cpp", result))
                sizes[name, compiler] = (result.stat().st_size, size_of_sections(result))
    return [{"source": name, "compiler": compiler,
             "seconds": summary([seconds for seconds, _ in taken]),
             "megabytes": summary([megabytes for _, megabytes in taken]),
             "object_bytes": sizes[name, compiler][0], "loaded_bytes": sizes[name, compiler][1]}
            for (name, compiler), taken in samples.items()]


def measure_start(compilers, folder, processes):
    """What 1000 variables cost a fresh process when it starts, and when its first tool comes."""
    programs = {compiler: str(folder / f"start-{compiler}") for compiler in compilers}
    for compiler, program in programs.items():
        subprocess.run([compiler, *FLAGS, str(folder / "start.cpp"), "-o", program], check=True)
    figures = ("microseconds", "with_index", "first_tool", "page_faults", "page_faults_of_tool")
    samples = {compiler: {figure: [] for figure in figures} for compiler in compilers}
    for _ in range(processes):
        for compiler, program in programs.items():
            printed = subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE).stdout
            *times, page_faults, page_faults_of_tool, variables = map(int, printed.split())
            if variables != sources.VARIABLES:
                raise SystemExit(f"{variables} variables were registered")
            for figure, value in zip(figures, (*(time / 1000 for time in times), page_faults, page_faults_of_tool)):
                samples[compiler][figure].append(value)
    return [{"compiler": compiler} | {figure: summary(taken) for figure, taken in samples[compiler].items()}
            for compiler in compilers]


def with_spread(of, digits):
    return f"{of['median']:.{digits}f} ({of['minimum']:.{digits}f} to {of['maximum']:.{digits}f})"


def print_tables(compiled, started):
    print(f"{'source':<45}{'compiler':<10}{'seconds':<22}{'MB':>5}{'object KB':>11}{'loaded KB':>11}")
    for row in compiled:
        print(f"{row['source']:<45}{row['compiler']:<10}{with_spread(row['seconds'], 2):<22}"
              f"{row['megabytes']['median']:>5.0f}{row['object_bytes'] / 1024:>11.0f}"
              f"{row['loaded_bytes'] / 1024:>11.0f}")
    for row in started:
        print(f"start of 1000 variables, {row['compiler']}: {with_spread(row['microseconds'], 0)} microseconds, "
              f"{with_spread(row['with_index'], 0)} with the index itself, "
              f"{with_spread(row['first_tool'], 0)} for the first tool")


def main():
    parser = argparse.ArgumentParser(description="What the headers cost a compiler, and 1000 variables a start.")
    parser.add_argument("--quick", action="store_true", help="one round instead of seven")
    parser.add_argument("--json", type=pathlib.Path, help="also write the results to this file")
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++"])
    chosen = parser.parse_args()
    compilers = [compiler for compiler in chosen.compilers if shutil.which(compiler)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        names = write_sources(folder)
        compiled = measure_compilers(compilers, names, folder, 1 if chosen.quick else 7)
        started = measure_start(compilers, folder, 21)
    print_tables(compiled, started)
    if chosen.json:
        chosen.json.write_text(json.dumps({"compile": compiled, "registration": started}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
