#!/usr/bin/env python3
# Compares all C and C++ files with the form that .clang-format describes, with clang-format 19: other versions give other forms.
# No line of a header has more than 120 columns.
#     format.py             prints the files that differ
#     format.py --write     formats them

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "tests", "examples", "benchmarks", "subprojects/mpit-info")
SUFFIXES = {".c", ".cpp", ".h", ".hpp"}
NOT_C = {"mpif.h"}
COLUMNS = 120


def main():
    tool = shutil.which("clang-format-19")
    if tool is None:
        sys.exit("format.py: clang-format 19 is needed: apt-get install clang-format-19")
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
             if path.suffix in SUFFIXES and path.name not in NOT_C]
    complaints = [f"{path.relative_to(ROOT)}:{number}: the line has more than {COLUMNS} columns"
                  for path in files if path.is_relative_to(ROOT / "include")
                  for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
                  if len(line) > COLUMNS and not line.lstrip().startswith(("if constexpr (requires", "else if constexpr (requires"))]
    if "--write" in sys.argv[1:]:
        subprocess.run([tool, "-i", *files], check=True)
    else:
        differing = subprocess.run([tool, "--dry-run", *files], check=True, text=True, stderr=subprocess.PIPE).stderr
        complaints += [line.replace(f"{ROOT}/", "") for line in differing.splitlines() if "warning:" in line]
    print("\n".join(complaints + [f"{len(files)} files, {len(complaints)} complaints"]))
    return 1 if complaints or not files else 0


sys.exit(main())
