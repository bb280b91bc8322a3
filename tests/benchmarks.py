#!/usr/bin/env python3
# Compiles the files of benchmarks/, and those that its scripts write, without making code: only benchmarks/run.sh builds them.
#     benchmarks.py <C++ compiler and its arguments>

import concurrent.futures
import importlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

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
    return file.relative_to(ROOT) if ROOT in file.parents else file.name, done.returncode, done.stdout


def written_by_scripts(folder):
    sys.path[:0] = [str(ROOT / "benchmarks" / name) for name in ("", "compile", "start")]
    importlib.import_module("compile").write_sources(folder)
    texts = {f"library_{name}": text for name, text in importlib.import_module("run").LIBRARIES.items()}
    texts["map"] = importlib.import_module("library").MAP
    texts["unseen"] = importlib.import_module("unseen").declared()
    for name, text in texts.items():
        (folder / f"{name}.cpp").write_text(text, encoding="utf-8")
    return sorted(folder.glob("*.cpp"))


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = short_run.third_of(sorted((ROOT / "benchmarks").rglob("*.cpp")) + written_by_scripts(pathlib.Path(folder)))
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
