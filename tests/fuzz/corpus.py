#!/usr/bin/env python3
"""Stored inputs of the fuzz targets: a text file with an input a line, in base64, the shortest first.

    corpus.py pack FOLDER FILE           after libFuzzer's -set_cover_merge=1 has chosen the inputs in the folder
    corpus.py unpack FILE FOLDER
    corpus.py replay FILE PROGRAM        runs the program with all of them as files
"""

import base64
import pathlib
import subprocess
import sys
import tempfile


def pack(folder, file):
    """Writes the inputs of a folder into a file."""
    inputs = sorted({path.read_bytes() for path in pathlib.Path(folder).iterdir()}, key=lambda each: (len(each), each))
    pathlib.Path(file).write_text("".join(base64.b64encode(each).decode() + "\n" for each in inputs if each), encoding="ascii")


def unpack(file, folder):
    """Writes the inputs of a file into a folder; their paths."""
    paths = []
    for number, line in enumerate(pathlib.Path(file).read_text(encoding="ascii").splitlines()):
        paths.append(pathlib.Path(folder, f"stored-{number}"))
        paths[-1].write_bytes(base64.b64decode(line))
    return paths


def main():
    """Does what the first argument says; the status of the program, if one is run."""
    command, *arguments = sys.argv[1:]
    if command == "replay":
        with tempfile.TemporaryDirectory() as folder:
            paths = unpack(arguments[0], folder)
            print(f"{len(paths)} stored inputs", flush=True)
            return subprocess.run([*arguments[1:], *paths], check=False).returncode
    {"pack": pack, "unpack": unpack}[command](*arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
