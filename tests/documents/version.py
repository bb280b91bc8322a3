#!/usr/bin/env python3
# Compares the places that name the version: include/mpit/version.hpp decides. Also compares the number of the layout with those
# that stand in the assembler code of each ELF note.
#     version.py

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NUMBERS = dict(re.findall(r"int (\w+) = (\d+);", (ROOT / "include/mpit/version.hpp").read_text(encoding="utf-8")))
VERSION = "{major}.{minor}.{patch}".format(**NUMBERS)
SERIES = "{major}.{minor}".format(**NUMBERS)
RECIPES = "docs/packaging/"
# Of each file, what comes around a version, and the version that has to stand there. The first match counts.
PLACES = [
    ("meson.build", r"version: '([^']*)'", VERSION),
    ("CHANGELOG.md", r"(?m)^## (\S+)", VERSION),
    ("README.md", r"Version (\S+) is", VERSION),
    ("tests/packaging/CMakeLists.txt", r"find_package\(mpit (\S+) REQUIRED", SERIES),
    (RECIPES + "spack/mpit/package.py", r'version\("([^"]*)"', VERSION),
    (RECIPES + "spack/mpit/package.py", r"/mpit-(.*)\.tar\.xz", VERSION),
    (RECIPES + "conan/conandata.yml", r'(?m)^  "([^"]*)":', VERSION),
    (RECIPES + "conan/conandata.yml", r"/mpit-(.*)\.tar\.xz", VERSION),
    (RECIPES + "debian/changelog", r"^mpit \((.*)-\d", VERSION),
    (RECIPES + "vcpkg/mpit/vcpkg.json", r'"version": "([^"]*)"', VERSION),
    ("subprojects/mpit-info/mpit_info/__init__.py", r'VERSION = "([^"]*)"', VERSION),
    ("docs/guide.md", r"find_package\(mpit (\S+)\)", SERIES),
    ("docs/CONTRIBUTING.md", r"conan --version (\S+)", VERSION),
    ("docs/CONTRIBUTING.md", r"cp mpit-(\S+)\.tar\.xz", VERSION),
    ("docs/CONTRIBUTING.md", r"tag `v([^`]*)`", VERSION),
    ("subprojects/mpit-info/meson.build", r"version: '([^']*)'", VERSION),
    ("subprojects/mpit-info/README.md", r"mpit_info-(.*?)-py3", VERSION),
    ("subprojects/mpit-info/docs/manual.md", r"mpit_info-(.*?)-py3", VERSION),
    ("include/mpit/version.hpp", r"inline v(\d+_\d+)::", SERIES.replace(".", "_")),
    ("include/mpit/declare/names.h", r"\bv(\d+_\d+)_##name", SERIES.replace(".", "_")),
    ("include/mpit/module/discovery.hpp", r"mpit_registry_cell_(\d+)", NUMBERS["layout"]),
]
# The head of a note of mpit: the name of its group and its type, which both end with the layout's number. A linker keeps one of two
# groups with one name.
NOTE = re.compile(r'\.note\.mpit,.*?_(\d+),comdat\n(?:.*\n){1,2}?\s*\.long \d+, \d+, (\d+)\n')


def complaints_of_notes():
    notes = 0
    for path in sorted((ROOT / "include").rglob("*.h*")):
        text = path.read_text(encoding="utf-8")
        found = NOTE.findall(text)
        notes += len(found)
        if len(found) != text.count(".note.mpit,") or any(number != NUMBERS["layout"] for pair in found for number in pair):
            yield f"{path.relative_to(ROOT)}: a note has to name layout {NUMBERS['layout']} in its group and as its type: {found}"
    if notes == 0:
        yield "include: no note of mpit was found"


def complaints():
    yield from complaints_of_notes()
    for path, pattern, expected in PLACES:
        found = re.search(pattern, (ROOT / path).read_text(encoding="utf-8"))
        if not found or found[1] != expected:
            yield f"{path}: {found[0] if found else pattern} has to name {expected}, as include/mpit/version.hpp does"


made = list(complaints())
print("\n".join(made))
print(f"version {VERSION}, {len(PLACES)} places, {len(made)} complaints")
sys.exit(1 if made else 0)
