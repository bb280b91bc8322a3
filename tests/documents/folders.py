#!/usr/bin/env python3
# Draws the folders of include/mpit, with what each includes, into docs/ARCHITECTURE.md. An arrow that follows from others is
# left out.
#     folders.py            prints the picture
#     folders.py --write    puts it into the page
#     folders.py --check    fails when the page has another one

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADERS = ROOT / "include" / "mpit"
PAGE = ROOT / "docs" / "ARCHITECTURE.md"
INCLUDE = re.compile(r"^#include <mpit/(\w+)/", re.MULTILINE)
BEGIN, END = "<!-- folders -->\n", "<!-- /folders -->\n"


def included():
    """The other folders that each folder includes directly."""
    folders = {}
    for header in sorted(HEADERS.glob("*/*.h*")):
        own = header.parent.name
        names = INCLUDE.findall(header.read_text(encoding="utf-8"))
        folders.setdefault(own, set()).update(name for name in names if name != own)
    return folders


def reached(folders, begin):
    """All folders that one includes, directly or through others."""
    found, left = set(), list(folders[begin])
    while left:
        folder = left.pop()
        if folder not in found:
            found.add(folder)
            left += folders[folder]
    return found


def picture():
    folders = included()
    lines = ["```mermaid", "graph TD"]
    for folder in sorted(folders):
        direct = folders[folder]
        follows = set().union(*(reached(folders, other) for other in direct))
        lines += [f"    {folder} --> {other}" for other in sorted(direct - follows)]
    return "\n".join([*lines, "```"]) + "\n"


def main():
    if "--write" not in sys.argv and "--check" not in sys.argv:
        print(picture(), end="")
        return 0
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    present, after = rest.split(END)
    if "--write" in sys.argv:
        PAGE.write_text(before + BEGIN + picture() + END + after, encoding="utf-8")
    elif present != picture():
        print("docs/ARCHITECTURE.md shows other folders: python3 tests/documents/folders.py --write")
        return 1
    return 0


sys.exit(main())
