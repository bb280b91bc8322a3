#!/usr/bin/env python3
# Runs an example and compares what it prints with the file of its expected output.
#     compare.py <expected file> <program> [arguments]
# In the expected file a line `...` stands for any lines, `#` stands for any number, and runs of blanks count as one.

import difflib
import pathlib
import re
import subprocess
import sys

NUMBER = r"[-+]?[0-9]+(?:[.][0-9]+)?(?:e[-+]?[0-9]+)?"


def plain(text):
    """The text with single blanks and none at the ends of lines, since columns move with the width of numbers."""
    return "".join(" ".join(line.split()) + "\n" for line in text.splitlines())


def pattern(expected):
    lines = (r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\#", NUMBER) + r"\n"
             for line in plain(expected).splitlines())
    return re.compile("".join(lines))


def main():
    expected = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    finished = subprocess.run(sys.argv[2:], text=True, stdout=subprocess.PIPE, timeout=60)
    if finished.returncode == 0 and pattern(expected).fullmatch(plain(finished.stdout)):
        return 0
    print(f"exit status {finished.returncode}")
    print("\n".join(difflib.unified_diff(plain(expected).splitlines(), plain(finished.stdout).splitlines(),
                                         "expected", "printed", lineterm="")))
    return 1


sys.exit(main())
