"""The regions of two runs side by side: `by_region.compared(one, other)`, `by_region.cells(each)`.

Two runs seldom enter a region equally often, so that the change is that of the time of a visit; of what is outside of regions it is
that of the time.
"""

import collections

from mpit_info import figures, quantities, regions
from mpit_info.diff.compared import change

TITLES = ["Region", "Visits A", "Visits B", "Time A", "Time B", "A visit", "In MPI A", "In MPI B"]
# The most regions of a table.
MOST = 40

# A side that does not have the region is None.
Region = collections.namedtuple("Region", "path one other")


def compared(one, other):
    """The regions of both runs, or of one, in the order of the program; empty without regions."""
    sides = [{row.path: row for row in regions.rows(history)} for history in (one, other)]
    paths = regions.in_order(dict.fromkeys([*sides[0], *sides[1]]))
    found = [Region(path, *(side.get(path) for side in sides)) for path in paths]
    longest = sorted(found, key=lambda each: -max(row.seconds.mean for row in (each.one, each.other) if row))[:MOST]
    return [each for each in found if each in longest]


def of_a_visit(row):
    """Seconds of a visit, with the regions in it; None for a region that a run does not have."""
    if row is None:
        return None
    return row.seconds.mean / (row.visits or 1) if row.path else row.seconds.mean


def change_of(each):
    """The change of the time of a visit as a share; None for a region of one run."""
    return change(of_a_visit(each.one), of_a_visit(each.other))


def in_mpi(row):
    """The share of the time in MPI functions; None if it is unknown."""
    return None if row is None or row.in_mpi is None or not row.seconds.mean else row.in_mpi / row.seconds.mean


def cells(each, change_text):
    """The texts of a row by the titles."""
    row = each.one or each.other
    found = {"Region": regions.name_of(row), "A visit": change_text(change_of(each))}
    for letter, side in (("A", each.one), ("B", each.other)):
        found[f"Visits {letter}"] = figures.short(round(side.visits)) if side and side.path else "-"
        found[f"Time {letter}"] = quantities.text(side.seconds.mean, "s") if side else "-"
        found[f"In MPI {letter}"] = figures.percent(in_mpi(side) and min(in_mpi(side), 1))
    return found


def side_of(row):
    """A region of one run for JSON."""
    return None if row is None else {"visits": row.visits, "seconds": row.seconds.mean, "own": row.own, "in_mpi": row.in_mpi}
