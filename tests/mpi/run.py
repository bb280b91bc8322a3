#!/usr/bin/env python3
# Builds the library and the tool for one MPI and runs the tool under mpiexec: with the library linked first, preloaded,
# and with another such library before it; then a program that serves tools of 2011, one that reads with the typed reader, one that asks
# for levels of thread support, and one that looks across processes.
#     run.py <mpich or openmpi> <main function of Catch2> <C++ compiler>...      77, for skipped, where this MPI is not installed

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
# The C++ interface that MPI-3.0 removed.
WITHOUT_OLD = ["-DOMPI_SKIP_MPICXX=1", "-DMPICH_SKIP_MPICXX=1"]


def run(*command, **variables):
    """Runs a command with these variables of the environment besides; the script ends where it fails."""
    print("+", *command, flush=True)
    ended = subprocess.run([str(word) for word in command], env={**os.environ, **variables}, timeout=300, check=False)
    if ended.returncode != 0:
        sys.exit(f"exit status {ended.returncode}")


def build_across(compiler, catch_main, program, variables):
    """Catch2 has its own ideas of warnings, and version 2 a main function that takes seconds to compile."""
    flags = ["-std=c++20", "-O0", "-I", INCLUDE, "-I", HERE.parent, *WARNINGS, *WITHOUT_OLD]
    run(compiler, *flags, "-c", HERE / "across.cpp", "-o", f"{program}.o", **variables)
    catch = subprocess.run(["pkg-config", "--cflags", "--libs", "catch2-with-main"], text=True, capture_output=True, check=False)
    run(compiler, f"{program}.o", catch_main, *catch.stdout.split(), "-o", program, **variables)


def main():
    mpi, catch_main, *compiler = sys.argv[1:]
    programs = {name: shutil.which(f"{name}.{mpi}") for name in ("mpicc", "mpicxx", "mpiexec")}
    if None in programs.values():
        print(f"skipped: {mpi} is not installed")
        return 77
    compilers = {"MPICH_CXX": " ".join(compiler), "OMPI_CXX": " ".join(compiler)}
    as_root = ["--allow-run-as-root", "--oversubscribe"] if mpi == "openmpi" else []
    two, four = ([programs["mpiexec"], "-n", ranks, *as_root] for ranks in ("2", "4"))
    with tempfile.TemporaryDirectory() as folder:
        library, other, late = (f"{folder}/{name}.so" for name in ("liblab", "libother", "late"))
        flags = ["-std=c++20", "-O0", "-fPIC", "-shared", "-I", INCLUDE, *WARNINGS, *WITHOUT_OLD]
        shims = f"{folder}/stacked.o"
        program = [flag for flag in flags if flag not in ("-fPIC", "-shared")]
        run(programs["mpicxx"], *program, "-fPIC", "-c", HERE / "stacked.cpp", "-o", shims, **compilers)
        run(programs["mpicxx"], *flags, HERE / "library.cpp", shims, "-o", library, **compilers)
        run(programs["mpicxx"], *flags, HERE / "other.cpp", shims, "-o", other, **compilers)
        run(*compiler, *flags, HERE / "late.cpp", "-o", late)
        tool = [programs["mpicc"], "-std=c11", "-O1", "-Wall", "-Wextra", HERE / "tool.c", "-ldl"]
        run(*tool, "-o", f"{folder}/linked", library, f"-Wl,-rpath,{folder}")
        run(*tool, "-o", f"{folder}/plain")
        run(*two, f"{folder}/linked", late, "1")
        run(*four, "env", f"LD_PRELOAD={library}", f"{folder}/plain", late, "1")
        run(*two, "env", f"LD_PRELOAD={other} {library}", f"{folder}/plain", late, "2")
        run(programs["mpicxx"], *program, HERE / "older.cpp", "-o", f"{folder}/older", "-ldl", **compilers)
        run(*two, f"{folder}/older")
        run(programs["mpicxx"], *program, HERE / "reader.cpp", "-o", f"{folder}/reader", "-ldl", **compilers)
        run(*two, f"{folder}/reader")
        run(*two, "env", f"LD_PRELOAD={library}", f"{folder}/reader", "beside")
        run(programs["mpicxx"], *program, HERE / "levels.cpp", "-o", f"{folder}/levels", "-ldl", **compilers)
        one = [programs["mpiexec"], "-n", "1", *as_root]
        for levels in (["3", "0", "3"], ["0", "3", "0"], ["1", "0", "3"], ["b0", "3", "3"]):
            run(*one, f"{folder}/levels", "reader", *levels)
            for way in ("reader", "functions"):
                run(*one, "env", f"LD_PRELOAD={library}", f"{folder}/levels", way, *levels)
        build_across(programs["mpicxx"], catch_main, f"{folder}/across", compilers)
        for launch in (two, four):
            run(*launch, f"{folder}/across")
    return 0


sys.exit(main())
