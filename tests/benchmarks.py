#!/usr/bin/env python3
# Compiles the files of benchmarks/ without making code: only benchmarks/run.sh builds them.
#     benchmarks.py <C++ compiler and its arguments>

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import short_run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
MISSING = re.compile(r"fatal error: '?((?:absl|benchmark|range|valgrind)/[^':]+|mpi\.h)'?(?: file not found|: No such file)")


def compiled(file):
    """The name of a file, its exit status and what the compiler has printed."""
    # MPICH's headers are as good as any other's; a user has only one MPI's on the path.
    folders = [ROOT / "include", ROOT / "benchmarks", "/usr/include/x86_64-linux-gnu/mpich"]
    done = subprocess.run(
        [*sys.argv[1:], "-std=c++20", "-Wall", "-Wextra", "-DMPICH_SKIP_MPICXX=1", *(f"-I{folder}" for folder in folders),
         "-fsyntax-only", str(file)],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return file.relative_to(ROOT), done.returncode, done.stdout


def main():
    files = short_run.third_of(sorted((ROOT / "benchmarks").rglob("*.cpp")))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, status, printed in pool.map(compiled, files):
            if missing := MISSING.search(printed):
                print(f"skipped: {name}: {missing[1]} is not installed")
            else:
                print("failed " if status != 0 else "ok     ", name)
                print(printed, end="")
                failed += status != 0
    print(f"{len(files)} files, {failed} failed")
    return 1 if failed or not files else 0


sys.exit(main())
