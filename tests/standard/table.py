#!/usr/bin/env python3
# Writes README.md beside this file: a table from the rows in scope.txt to the tests that carry their ids.
#     table.py            writes the table
#     table.py --check    fails when a row has no test, when a test names an unknown row, or when the table is old
# A Catch2 test names its rows in its tags, "[CVAR-07]"; any other test in a comment, /* [CVAR-07] sentence */.

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
TESTS = FOLDER.parent
TABLE = FOLDER / "README.md"

ROW = r"\[([A-Z][A-Z0-9]*-\d\d)\]"
TEST_CASE = re.compile(r"^\s*(?:\w+_)?TEST_CASE\w*\s*\(", re.MULTILINE)
ARGUMENT = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(,)|[\w:<>]+)')
BLOCK_COMMENT = re.compile(rf"/\*\s*((?:{ROW}\s*)+)(.*?)\*/", re.DOTALL)
LINE_COMMENT = re.compile(rf"//\s*((?:{ROW}\s*)+)(.*)")


def texts_of(text, position):
    """The arguments of a macro that are string literals, with neighbouring literals joined as the compiler does."""
    texts = [""]
    while found := ARGUMENT.match(text, position):
        position = found.end()
        if found[2]:
            texts.append("")
        elif found[1] is not None:
            texts[-1] += re.sub(r"\\(.)", r"\1", found[1])
    return [argument for argument in texts if argument]


def marks(path):
    """Yields (row, sentence) for every row that a test in the file names."""
    text = path.read_text(encoding="utf-8")
    for opening in TEST_CASE.finditer(text):
        sentence, *tags = texts_of(text, opening.end()) or [""]
        for row in re.findall(ROW, "".join(tags)):
            yield row, sentence
    for pattern in (BLOCK_COMMENT, LINE_COMMENT):
        for comment in pattern.finditer(text):
            for row in re.findall(ROW, comment[1]):
                yield row, " ".join(comment[3].replace("*", " ").split())


def table(rows, tests):
    """The whole text of README.md."""
    tested = sum(1 for row in rows if row in tests)
    lines = ["# Rows of the standard and their tests", "",
             "Written by `table.py` from the ids in the tests and in `scope.txt`; do not edit by hand.",
             f"{tested} of {len(rows)} rows have a test.", "", "| row | tests |", "|---|---|"]
    for row in rows:
        links = [f"[{sentence}](../{path})" for sentence, path in tests.get(row, [])]
        lines.append(f"| {row} | {'<br>'.join(links).replace('|', '&#124;') or 'no test yet'} |")
    return "\n".join(lines) + "\n"


def main():
    rows = (FOLDER / "scope.txt").read_text(encoding="utf-8").split()
    tests = {}
    for path in sorted(path for path in TESTS.rglob("*") if path.suffix in (".c", ".cpp")):
        for row, sentence in marks(path):
            tests.setdefault(row, []).append((sentence, path.relative_to(TESTS).as_posix()))
    wanted = table(rows, tests)
    if sys.argv[1:] != ["--check"]:
        TABLE.write_text(wanted, encoding="utf-8")
        return 0

    complaints = [f"{row}: no test" for row in rows if row not in tests]
    complaints += [f"{row}: named in {tests[row][0][1]}, not in scope.txt" for row in sorted(set(tests) - set(rows))]
    if not TABLE.is_file() or TABLE.read_text(encoding="utf-8") != wanted:
        complaints.append("tests/standard/README.md is old: run tests/standard/table.py")
    print("\n".join(complaints))
    print(f"{len(rows)} rows, {len(complaints)} complaints")
    return 1 if complaints else 0


sys.exit(main())
