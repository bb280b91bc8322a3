#!/usr/bin/env python3
# Start-up of 10 to 100000 variables, and libraries of 1000 that are opened and closed, in processes of their own and in
# turn. The programs are those of the build folder; the libraries are compiled here.
#     run.py <folder of the built benchmarks> <folder> <compiler> <processes> [<variables>...]

import collections
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "compile"))
import sources  # noqa: E402

FLAGS = ["-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-I", HERE.parent.parent / "include"]
LIBRARIES = {"ours": sources.tree() + sources.REGISTERED + sources.USE, "map": sources.plain_library()}
# Each process of many variables takes a while, and is less disturbed.
MANY, FEWER_PROCESSES = 100000, 7


def run(*command):
    words = [str(word) for word in command]
    ended = subprocess.run(words, text=True, capture_output=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit status {ended.returncode}\n{ended.stderr}")
    return ended.stdout


def library_of(folder, compiler, name):
    source, library = folder / f"{name}.cpp", folder / f"lib{name}.so"
    source.write_text(LIBRARIES[name], encoding="utf-8")
    run(compiler, *FLAGS, source, "-o", library)
    return library


def taken_by(processes, commands):
    """The samples of each figure that each command prints, by the name of the command."""
    samples = {name: collections.defaultdict(list) for name in commands}
    for _ in range(processes):
        for name, command in commands.items():
            for figure, value in json.loads(run(*command)).items():
                samples[name][figure].append(value)
    return samples


def main():
    built, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    compiler, processes = sys.argv[3], int(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    measured = {"start": {}, "load": {}}
    for count in [int(word) for word in sys.argv[5:]] or [10, 100, 1000, 10000, MANY]:
        commands = {name: [built / "start-benchmark", name, count] for name in (*LIBRARIES, "tool")}
        for name, taken in taken_by(min(processes, FEWER_PROCESSES) if count >= MANY else processes, commands).items():
            measured["start"][f"{name}/{count}"] = taken
    commands = {name: [built / "load-benchmark", library_of(folder, compiler, name)] for name in LIBRARIES}
    measured["load"] = taken_by(processes, commands)
    (folder / "start.json").write_text(json.dumps(measured), encoding="utf-8")
    for part in measured.values():
        for name, taken in part.items():
            print(name, {figure: statistics.median(values) for figure, values in taken.items()})


if __name__ == "__main__":
    main()
