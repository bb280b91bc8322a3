#!/usr/bin/env python3
# Runs clang-tidy, with the .clang-tidy of the project, over all headers, each as a file of its own, and over all sources that a
# build folder compiles. Prints the findings, then their number. Needs clang-tidy 17 or newer.
#     tidy.py <build folder> [<part of a path>...]     only files whose paths contain one of the parts
#     tidy.py - [<part of a path>...]                  headers alone, which need no build folder; two minutes

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "mpit"
# Only what gives a file its meaning is taken from a compiler's command: others are of one compiler.
TAKEN = re.compile(r"-(std=|I|D|U|isystem|include|f(no-)?(exceptions|rtti|visibility=))")
FINDING = re.compile(r"^(/\S+|\S+):\d+:\d+: (warning|error): .*\[.*\]$")
# Without the option misc-include-cleaner.MissingIncludes, which came with version 20.
MISSING_INCLUDE = re.compile(r"no header providing .* is directly included \[misc-include-cleaner")


def clang_tidy():
    """The newest clang-tidy from version 17 on, or None."""
    for name in [f"clang-tidy-{version}" for version in range(30, 16, -1)] + ["clang-tidy"]:
        if shutil.which(name):
            version = re.search(r"version (\d+)", subprocess.run([name, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout)
            if version and int(version[1]) >= 17:
                return name
    return None


def includes_of_an_mpi():
    """The -I words of an MPI on this machine, or None."""
    for name in ("mpicxx.mpich", "mpicxx.openmpi", "mpicxx"):
        if shutil.which(name):
            shown = subprocess.run([name, "-show"], check=True, text=True, stdout=subprocess.PIPE).stdout
            return [word for word in shlex.split(shown) if word.startswith("-I")]
    return None


def header_jobs():
    """Each header with the arguments that it is compiled with. Some call an MPI, and are left out without one."""
    of_an_mpi = includes_of_an_mpi()
    for header in sorted(HEADERS.rglob("*.h*")):
        arguments = ["-x", "c", "-std=c99"] if header.suffix == ".h" else ["-x", "c++", "-std=c++20"]
        arguments += [f"-I{ROOT / 'include'}", "-Wno-pragma-once-outside-header"]
        if header.name == "implementation.hpp":  # which end.hpp would include a second time
            arguments += ["-DMPIT_SEPARATE_COMPILATION=1"]
        if header.relative_to(HEADERS).parts[0].startswith("collective"):
            if of_an_mpi is None:
                print(f"skipped {header.relative_to(ROOT)}: no MPI is installed", flush=True)
                continue
            arguments += ["-DMPIT_MPI_HEADER=<mpi.h>", *of_an_mpi]
        yield header, ROOT, arguments


def source_jobs(build):
    """Each source that the build folder compiles, once, with its arguments."""
    seen = set()
    for command in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        folder = pathlib.Path(command["directory"])
        source = (folder / command["file"]).resolve()
        if source in seen or not source.is_relative_to(ROOT) or source.suffix not in (".c", ".cpp"):
            continue
        seen.add(source)
        words = shlex.split(command["command"])
        taken = []
        for word, following in zip(words, words[1:] + [""]):
            if TAKEN.match(word):
                taken += [word, following] if word in ("-I", "-D", "-U", "-isystem", "-include") else [word]
        yield source, folder, taken


def findings_of(tool, job):
    path, folder, arguments = job
    ended = subprocess.run([tool, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(path), "--", *arguments], cwd=folder,
                           check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found = [line for line in ended.stdout.splitlines() if FINDING.match(line) and not MISSING_INCLUDE.search(line)]
    crashed = ended.returncode not in (0, 1)
    return found + ([f"{path}: {tool} ended with {ended.returncode}: {ended.stderr.strip()}"] if crashed else [])


def main():
    build, parts = sys.argv[1], sys.argv[2:]
    tool = clang_tidy()
    if tool is None:
        sys.exit("tidy.py: clang-tidy 17 or newer is needed: apt-get install clang-tidy-19")
    jobs = [job for job in [*header_jobs(), *(source_jobs(pathlib.Path(build)) if build != "-" else [])]
            if not parts or any(part in str(job[0].relative_to(ROOT)) for part in parts)]
    found = set()
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for job, lines in zip(jobs, pool.map(lambda job: findings_of(tool, job), jobs)):
            fresh = [line.replace(f"{ROOT}/", "") for line in lines if line not in found]
            found.update(lines)
            print("\n".join([f"{'failed' if lines else 'ok':7} {job[0].relative_to(ROOT)}", *fresh]), flush=True)
    print(f"{len(jobs)} files, {len(found)} findings")
    return 1 if found or not jobs else 0


sys.exit(main())
