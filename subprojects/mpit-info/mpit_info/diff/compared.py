"""What differs between two runs: `compared.variables(one, other)`, `compared.controls(one, other)`.

The spread of a variable is over its ranks and over parts of the run: a growing variable has a rate in each part, another
one a mean. A variable differs if the middle halves of these numbers do not overlap.
"""

import collections
import math

from mpit_info import words
from mpit_info.document import value_of
from mpit_info.sampled import of_row

# The parts of a run, and the least rows of each.
PARTS, LEAST_ROWS = 20, 2

# The numbers of one variable in one run: `spread` over the ranks of its value, `rate`, and the quartiles over ranks and
# parts of the run (`low`, `middle`, `high`); `line` is the mean of the ranks in each part.
Side = collections.namedtuple("Side", "spread rate low middle high line")
# A variable of both runs, or of one; a side that does not have it is None.
Variable = collections.namedtuple("Variable", "label name class_ one other differs")
# `is_constant` means that no user has chosen the values.
Control = collections.namedtuple("Control", "name one other description is_constant")
Event = collections.namedtuple("Event", "name one other one_rate other_rate")


def parts_of(process, place, is_growing):
    """The numbers of one process in the parts of its run, None for a part without rows."""
    rows = [(moment, of_row(row, place)) for moment, row in zip(process.times, process.rows)]
    rows = [(moment, value) for moment, value in rows if value is not None]
    if process.last[1] and rows and process.last[0] > rows[-1][0] and of_row(process.last[1], place) is not None:
        rows.append((process.last[0], of_row(process.last[1], place)))
    count = max(min(PARTS, len(rows) // LEAST_ROWS), 1)
    first, last = (rows[0][0], rows[-1][0]) if rows else (0, 0)
    if is_growing:
        if last <= first:
            return []
        ends = [rows[round(number * (len(rows) - 1) / count)] for number in range(count + 1)]
        return [(after - before) / (end - begin) if end > begin else None
                for (begin, before), (end, after) in zip(ends, ends[1:])]
    cut = [rows[len(rows) * number // count:len(rows) * (number + 1) // count] for number in range(count)]
    return [sum(value for _, value in part) / len(part) if part else None for part in cut]


def quartiles(values):
    """The quarter, the middle and the three quarters of some numbers."""
    ordered = sorted(values)

    def at(share):
        place = share * (len(ordered) - 1)
        before = math.floor(place)
        return ordered[before] + (place - before) * (ordered[min(before + 1, len(ordered) - 1)] - ordered[before])

    return at(0.25), at(0.5), at(0.75)


def side(history, column):
    """A variable in one run; None if it was never readable."""
    spread = history.spread(column, (lambda process: process.mean(column)) if column.class_ == "generic" else None)
    if spread.mean is None:
        return None
    is_growing = column.class_ in words.GROWING
    told = [] if column.class_ == "state" else [
        parts_of(process, process.position.get(column), is_growing) for process in history.ordered()]
    known = [value for values in told for value in values if value is not None] or \
        ([] if is_growing or column.class_ == "state" else [spread.minimum, spread.maximum])
    low, middle, high = quartiles(known) if known else (None, None, None)
    longest = max((len(values) for values in told), default=0)
    line = []
    for number in range(longest):
        there = [values[number] for values in told if len(values) == longest and values[number] is not None]
        line.append(sum(there) / len(there) if there else None)
    return Side(spread, history.rate(column) if is_growing else None, low, middle, high, line)


def differs(one, other):
    """Whether the middle halves of the numbers do not overlap; of numbers that were read once, whether they differ."""
    if one is None or other is None:
        # A variable that stayed at 0 equals one that the other run does not have.
        return one is not other and any(side and (side.spread.minimum or side.spread.maximum) for side in (one, other))
    if None in (one.middle, other.middle):
        return one.spread.mean != other.spread.mean
    return one.high < other.low or other.high < one.low


def change(one, other):
    """The change from one number to the other as a share; infinite from 0, None if one is not known."""
    if one is None or other is None:
        return None
    if one == other:
        return 0.0
    return (other - one) / abs(one) if one else math.inf


def number(told):
    """The number of one side that is compared: the rate of a growing variable if it is known, otherwise the value."""
    return None if told is None else told.rate if told.rate is not None else told.spread.mean


def numbers(variable):
    """The two numbers that are compared; None for a side without the variable."""
    return number(variable.one), number(variable.other)


def weight(variable):
    """How far the two numbers are apart, for the order of a table."""
    one, other = numbers(variable)
    if one is None or other is None:
        return -1.0
    if one == other:
        return 0.0
    return math.inf if one <= 0 or other <= 0 else abs(math.log(other / one))


def variables(one, other):
    """All variables of the runs: those that differ first, by the size of the change."""
    # Of several columns with a label the first one.
    known = [{history.label(column): column for column in reversed(history.columns)} for history in (one, other)]
    found = []
    for label in dict.fromkeys(label for columns in reversed(known) for label in reversed(columns)):
        column = known[0].get(label) or known[1][label]
        sides = [side(history, columns[label]) if label in columns else None for history, columns in zip((one, other), known)]
        if sides != [None, None]:
            found.append(Variable(label, column.name, column.class_, *sides, differs(*sides)))
    return sorted(found, key=lambda variable: (not variable.differs, -weight(variable), variable.label))


def controls(one, other):
    """The control variables whose values differ, and those of one run."""
    documents = [history.told() for history in (one, other)]
    sides = [{control["name"]: control for control in told["control_variables"]} if told else {} for told in documents]
    found = []
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        mine, theirs = sides[0].get(name), sides[1].get(name)
        if mine is None or theirs is None or mine["value"] != theirs["value"]:
            found.append(Control(name, mine and value_of(mine), theirs and value_of(theirs),
                                 (mine or theirs)["description"], (theirs or mine)["scope"] == "constant"))
    return found


def settings(found):
    """The control variables that both runs have, and that are no constants as the version of a component."""
    return [each for each in found if None not in (each.one, each.other) and not each.is_constant]


def events(one, other):
    """The numbers of the events of both runs, over all ranks, and their numbers a second."""
    def count(history, name):
        return sum(process.tracks[name].count for process in history.ordered() if name in process.tracks)

    def rate(history, name):
        return count(history, name) / history.end if history.end else None

    return [Event(name, count(one, name), count(other, name), rate(one, name), rate(other, name))
            for name in dict.fromkeys([*one.events(), *other.events()])]
