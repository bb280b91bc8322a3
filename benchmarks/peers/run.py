#!/usr/bin/env python3
# Builds the library and the tool for each MPI that is installed, and measures the legs of the comparison in turn, so
# that a slow moment of the machine falls on all of them: the library alone, each MPI alone, and both together.
#     run.py <folder> <compiler> <turns> <seconds of each benchmark> [<filter>]

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
# The C++ interface that MPI-3.0 removed is not wanted.
FLAGS = ["-std=c++20", "-O3", "-fPIC", "-I", INCLUDE, "-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1"]
OF_AN_MPI = ["-DMPIT_MPI_HEADER=<mpi.h>"]
TITLES = {"mpich": "MPICH", "openmpi": "Open MPI"}


def run(*command, **variables):
    """Runs a command with these variables of the environment besides; the script ends where it fails."""
    words = [str(word) for word in command]
    ended = subprocess.run(words, env={**os.environ, **variables}, text=True, capture_output=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit status {ended.returncode}\n{ended.stderr}")


def build(compiler, folder, name, flags, library_flags, linked, **variables):
    """The library as <name>.so and the tool as peers-<name>."""
    library, tool = folder / f"{name}.so", folder / f"peers-{name}"
    run(*compiler, *FLAGS, *flags, *library_flags, "-fvisibility=hidden", "-shared", HERE / "library.cpp",
        "-o", library, **variables)
    libraries = [library, f"-Wl,-rpath,{folder}"] if linked else []
    run(*compiler, *FLAGS, *flags, HERE / "peers.cpp", *libraries, "-lbenchmark", "-ldl", "-lpthread", "-o", tool,
        **variables)


def legs(folder, compiler):
    """For each leg its name, the tool, and what the environment has for it."""
    builds = [([compiler], "own", [], [], True, {})]
    ready = [("own", folder / "peers-own", {})]
    for mpi, title in TITLES.items():
        wrapper = shutil.which(f"mpicxx.{mpi}")
        if wrapper is None:
            print(f"== {title} is not installed: it is left out", file=sys.stderr)
            continue
        builds.append(([wrapper], mpi, OF_AN_MPI, ["-DPEERS_ARE_STACKED"], False,
                       {"MPICH_CXX": compiler, "OMPI_CXX": compiler}))
        # One process that is started without mpiexec.
        alone = {"OMPI_MCA_ess_singleton_isolated": "1"} if mpi == "openmpi" else {}
        ready += [(mpi, folder / f"peers-{mpi}", alone),
                  (f"{mpi}-stacked", folder / f"peers-{mpi}", {"LD_PRELOAD": str(folder / f"{mpi}.so"), **alone})]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for started in [pool.submit(build, words, folder, *rest, **variables) for words, *rest, variables in builds]:
            started.result()
    return ready


def main():
    folder, compiler, turns, seconds = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    chosen = [f"--benchmark_filter={sys.argv[5]}"] if len(sys.argv) > 5 else []
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    everyone = legs(folder, compiler)
    for turn in range(turns):
        for name, tool, variables in everyone:
            run(tool, f"--benchmark_out={folder}/{name}.{turn:02}.json", "--benchmark_out_format=json",
                f"--benchmark_min_time={seconds}", "--benchmark_enable_random_interleaving=true",
                *chosen, **variables)


if __name__ == "__main__":
    main()
