#!/usr/bin/env python3
# Each place of an explored protocol that asks for an order is in places.tsv: which weaker order a scenario refuses, or why none does. The
# places of a function that have one reason are a row. Fails where a line of these headers has an atomic operation and no place, where a
# place has no line, and where a reason is missing.
#     places.py                 the check, a test
#     places.py --write FILE…   renews the rows from the outputs of a sweep (see sweep.py), and keeps their reasons

import collections
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "include" / "mpit"
TABLE = HERE / "places.tsv"
TITLE = "# file\tfunction\treason where a weaker order is not refused\toperation order refused: line\t…\n"
OPERATION = re.compile(r"(\.|->)(load|store|exchange|compare_exchange|compare_and_set|fetch_add|load_equals|load_exceeds)\(|seq_cst_fence\(\)|dwcas\(")
STRENGTH = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]

Row = collections.namedtuple("Row", "file function operation order caught line reason")


def read_rows():
    for line in TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []:
        file, function, reason, *places = line.split("\t")
        for place in places if not file.startswith("#") else []:
            of, _, text = place.partition(": ")
            operation, order, caught = of.split(" ")
            yield Row(file, function, operation, order, caught, text, reason)


def write_rows(rows):
    places = collections.defaultdict(list)
    for row in rows:
        places[row.file, row.function, row.reason].append(f"{row.operation} {row.order} {row.caught}: {row.line}")
    TABLE.write_text(TITLE + "".join("\t".join([*group, *several]) + "\n" for group, several in places.items()), encoding="utf-8")


def lines_of(name):
    return [line.strip() for line in (HEADERS / name).read_text(encoding="utf-8").splitlines()]


def asks_for_an_order(line):
    return OPERATION.search(line) and "relaxed)" not in line and not line.startswith(("//", "inline"))


def mistakes():
    rows = list(read_rows())
    for name in sorted({row.file for row in rows}):
        lines = lines_of(name)
        known = {row.line for row in rows if row.file == name}
        for number, line in enumerate(lines, 1):
            if asks_for_an_order(line) and line not in known:
                yield f"include/mpit/{name}:{number}: no place in places.tsv for: {line}"
        for line in sorted(known - set(lines)):
            yield f"places.tsv: {name} has no such line any more: {line}"
    for row in rows:
        if row.caught == "-" and not row.reason:
            yield f"places.tsv: no reason why no scenario refuses a weaker order: {row.file}: {row.line}"


def write(files):
    """What a sweep tells of its places replaces their rows; the reason stays that of the line. Rows without their line go."""
    kept = list(read_rows())
    reasons = {(row.file, row.line): row.reason for row in kept}
    caught = collections.defaultdict(set)
    for file in files:
        for text in pathlib.Path(file).read_text(encoding="utf-8", errors="replace").splitlines():
            if not text.startswith("sweep\t"):
                continue
            _, place, function, operation, order, to, verdict, _ = text.split("\t")
            name, number = place.rsplit(":", 1)
            key = (name, function.split("<")[0], operation, order, lines_of(name)[int(number) - 1])
            caught[key] |= {to} if verdict == "caught" else set()
    swept = {(key[0], key[4]) for key in caught}
    rows = [row for row in kept if (row.file, row.line) not in swept and row.line in lines_of(row.file)]
    for (name, function, operation, order, line), orders in caught.items():
        strongest = max(orders, key=STRENGTH.index) if orders else "-"
        rows.append(Row(name, function, operation, order, strongest, line, reasons.get((name, line), "")))
    # In the order of the lines.
    rows.sort(key=lambda row: (row.file, lines_of(row.file).index(row.line), row.operation))
    write_rows(rows)


def main():
    if sys.argv[1:2] == ["--write"]:
        write(sys.argv[2:])
    found = list(mistakes())
    print("\n".join(found))
    rows = list(read_rows())
    print(f"{len(rows)} places, a weaker order is caught at {sum(row.caught != '-' for row in rows)}, {len(found)} mistakes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
