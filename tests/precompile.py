#!/usr/bin/env python3
# Precompiles a header with the very arguments of a test, since a compiler with other arguments would refuse it.
#     precompile.py <build folder> <header> <source file of a test> <header to write> <more arguments>...
# The header to write includes the other one; its .gch and its .d stand beside it.

import json
import pathlib
import shlex
import subprocess
import sys

WITH_A_VALUE = {"-include", "-o", "-c", "-MF", "-MQ"}


def arguments_of(folder, source):
    """How the build compiles a source file: the words, without those that name files, and without macros of mpit, which a
    compiler would ask of each test although the header uses none."""
    entries = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
    entry = next(each for each in entries if (folder / each["file"]).resolve() == source)
    words = shlex.split(entry["command"])
    return [word for before, word in zip(["", *words], words)
            if word not in WITH_A_VALUE and before not in WITH_A_VALUE and word != "-MD" and not word.startswith("-DMPIT_")]


folder, header, source, written = (pathlib.Path(word).resolve() for word in sys.argv[1:5])
written.write_text(f'#include "{header}"\n', encoding="utf-8")
sys.exit(subprocess.run([*arguments_of(folder, source), *sys.argv[5:], "-x", "c++-header", written, "-o", f"{written}.gch",
                         "-MD", "-MQ", written.relative_to(folder), "-MF", f"{written}.d"], cwd=folder, check=False).returncode)
