#!/usr/bin/env python3
# A measured figure stands once: in a block that benchmarks/report.py writes, or in a table of docs/porting.md or of mpit-info's manual.
# Prints the times and instructions that stand in other places, and figures of one unit that stand in two tables.

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "subprojects/mpit-info").glob("*.md"))]
WRITTEN = re.compile(r"^<!-- ([\w-]+) -->\n.*?^<!-- /\1 -->$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(r"\d[\d.,]* ?(?:ns|nanoseconds|µs|microseconds|instructions)\b")


def kept_lines(text):
    """Replaces what is not looked through by empty lines, so that the numbers of lines stay."""
    for pattern in (WRITTEN, CODE):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    return text.splitlines()


def main():
    complaints, places = [], collections.defaultdict(list)
    for page in PAGES:
        name = page.relative_to(ROOT)
        for number, line in enumerate(kept_lines(page.read_text(encoding="utf-8")), 1):
            for figure in FIGURE.findall(line):
                if not line.startswith("|"):
                    complaints.append(f"{name}:{number}: a figure outside of a table or a written block: {figure}")
                places[figure].append(f"{name}:{number}")
    complaints += [f"{figure} stands in {' and '.join(where)}" for figure, where in places.items() if len(set(where)) > 1]
    print("\n".join([*complaints, f"{len(PAGES)} pages, {len(complaints)} complaints"]))
    return 1 if complaints else 0


sys.exit(main())
