#!/usr/bin/env python3
# The test of rows in C++ uses each macro of a row that C++ has, with a setting behind it: a macro that names a member behind those that
# users name compiles without a setting only.
#     all_rows.py <folder of the headers> <rows.cpp>

import pathlib
import re
import sys

PARTS = {"NAME", "OF", "OF_LEVEL", "OF_REAL"}                  # of other macros
WITHOUT_SETTINGS = {"END", "ITEM"}
IN_C_ONLY = {"ELEMENT", "EVENT", "SOURCE"}                     # C++ has mpit::event and mpit::source


def main():
    headers, test = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    defined = set()
    for header in (headers / "mpit/declare").glob("*.h"):
        defined |= set(re.findall(r"^#define MPIT_ROW_(\w+)", header.read_text(encoding="utf-8"), re.M))
    rows = defined - PARTS - IN_C_ONLY
    used = {use[1] for use in re.finditer(r"^    MPIT_ROW_(\w+)\([^\n]*, \.\w+ = [^\n]*\),$", test, re.M)}
    used |= {each for each in WITHOUT_SETTINGS if f"MPIT_ROW_{each}" in test}
    for each in sorted(rows - used):
        print(f"rows.cpp has no MPIT_ROW_{each} with a setting behind it")
    return 1 if rows - used or len(rows) < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
