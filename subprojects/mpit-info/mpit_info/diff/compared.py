"""What differs between two runs: `compared.variables(one, other)`, `compared.controls(one, other)`.

Calls and bytes are compared by their totals where these repeat. The spread of another variable is over its ranks and over parts of the
run: a growing variable has a rate in each part, another one a mean. It differs if the middle halves of these numbers do not overlap. Times
in MPI and waits for a processor are not compared: the times outside of MPI are (sentences.py).
"""

import collections
import math
import re

from mpit_info import distributions, figures, first_page, headline, quantities, words
from mpit_info.document import value_of
from mpit_info.sampled import of_row

# The parts of a run, and the least rows of each.
PARTS, LEAST_ROWS = 20, 2

# Calls a rank from which equal totals are no accident, and the share by which the durations of runs with other totals differ if the totals
# are no matter of time.
FEW_CALLS, LEAST_DURATION = 10, 0.1
# Polls repeat in no run, and the sums over a class may have polls.
OF_POLLS = re.compile(r"(MPI_(Test|Iprobe|Improbe)[a-z]*|(communicator_)?(wait|probe))_(calls|bytes)")
# What follows from the times outside of MPI of all ranks.
CONSEQUENCES = re.compile(r"(MPI_\w+|(communicator_)?[a-z_]+)_(time|waited)|late_senders")

# Control variables of Open MPI with the number, the directory or the address of a job.
OF_A_JOB = re.compile(r"jobid|session_dir|_uri$")

# The numbers of one variable in one run: `spread` over the ranks of its value, the `total` of a growing one over the ranks, its `rate`, and
# the quartiles over ranks and parts of the run (`low`, `middle`, `high`); `line` is the mean of the ranks in each part.
Side = collections.namedtuple("Side", "spread total rate low middle high line")
# A variable of both runs, or of one; a side that does not have it is None. `by_total` means that the totals are compared.
Variable = collections.namedtuple("Variable", "label name class_ unit one other differs by_total")
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


def total_of(process, column):
    """How far a variable has grown: calls from their beginning on, since the first sample may come after the first calls, unless a tool has
    attached; others since the first sample.
    """
    is_whole = is_total(column) and process.document and process.document["taken"] != "while it runs"
    return process.value(column) or 0 if is_whole else headline.growth_of(process, column)


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
    total = sum(total_of(process, column) for process in history.ordered() if process.first) if is_growing and history.seconds() else None
    return Side(spread, total, history.rate(column) if is_growing else None, low, middle, high, line)


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


def change_text(share):
    """A change: `+12 %`, `x 5.2` if it is more than tenfold, `from 0`."""
    if share is None:
        return "-"
    if math.isinf(share):
        return "from 0"
    if share >= 9.995:
        return f"x {figures.short(share + 1)}"
    return "0 %" if share == 0 else ("+" if share > 0 else "-") + figures.percent(abs(share))


def number(told, by_total):
    """The number of one side that is compared: the total or the rate of a growing variable if it is known, otherwise the value."""
    if told is None:
        return None
    return told.total if by_total else told.rate if told.rate is not None else told.spread.mean


def numbers(variable):
    """The two numbers that are compared; None for a side without the variable."""
    return number(variable.one, variable.by_total), number(variable.other, variable.by_total)


def texts(variable):
    """The two numbers with their units."""
    found = []
    for side_, value in zip((variable.one, variable.other), numbers(variable)):
        is_rate = side_ is not None and side_.rate is not None and not variable.by_total
        found.append(quantities.rate(value, variable.unit) + {"B": "", "s": " of the time"}.get(variable.unit, " /s") if is_rate
                     else quantities.text(value, variable.unit))
    return found


def weight(variable):
    """How far the two numbers are apart, for the order of a table."""
    one, other = numbers(variable)
    if one is None or other is None:
        return -1.0
    if one == other:
        return 0.0
    return math.inf if one <= 0 or other <= 0 else abs(math.log(other / one))


def is_total(column):
    """Whether a variable counts calls or bytes of functions that are no polls."""
    found = first_page.OF_LAYER.fullmatch(column.name)
    return bool(found and found[2] in ("calls", "bytes") and not OF_POLLS.fullmatch(column.name))


def totals_repeat(pairs, one, other):
    """Whether the totals of these pairs of totals and ranks are a matter of the program: those of many calls are equal in part, or the runs
    have different durations."""
    durations = headline.duration(one), headline.duration(other)
    return (any(before == now >= FEW_CALLS * len(one.ordered()) for before, now in pairs)
            or abs(durations[0] - durations[1]) > LEAST_DURATION * max(durations))


def variables(one, other):
    """All variables of the runs: those that differ first, by the size of the change."""
    # Of several columns with a label the first one.
    known = [{history.label(column): column for column in reversed(distributions.divided(history, list(history.columns))[1])}
             for history in (one, other)]
    has_calls = all(headline.column_of(history, headline.IN_MPI) for history in (one, other))
    found, is_same_size = [], len(one.ordered()) == len(other.ordered())
    for label in dict.fromkeys(label for columns in reversed(known) for label in reversed(columns)):
        column = known[0].get(label) or known[1][label]
        sides = [side(history, columns[label]) if label in columns else None for history, columns in zip((one, other), known)]
        if sides != [None, None]:
            unit = quantities.unit_of(column, (one if label in known[0] else other).types.get(column))
            found.append((column, Variable(label, column.name, column.class_, unit, *sides, False, has_calls and is_same_size and is_total(column))))
    repeat = totals_repeat([numbers(variable) for _, variable in found if variable.by_total and None not in numbers(variable)], one, other)
    has_functions = any(is_total(column) and headline.OF_FUNCTION.fullmatch(column.name) for column, _ in found)
    found = [variable._replace(by_total=variable.by_total and repeat) for _, variable in found]
    found = [each if has_calls and is_said_elsewhere(each.name, has_functions) else each._replace(differs=has_changed(each)) for each in found]
    return sorted(found, key=lambda variable: (not variable.differs, -weight(variable), variable.label))


def is_said_elsewhere(name, has_functions):
    """Whether a variable follows from the times outside of MPI, repeats in no run, or is a sum over functions that are compared."""
    is_sum = bool(headline.CALLS.fullmatch(name) or first_page.OF_LAYER.fullmatch(name) and not name.startswith(("MPI_", "communicator_")))
    return bool(name in headline.OF_THREAD or CONSEQUENCES.fullmatch(name) or OF_POLLS.fullmatch(name) or has_functions and is_sum)


def has_changed(variable):
    """Whether a variable differs: by its totals, or beyond the spread."""
    sides = variable.one, variable.other
    totals = [each and each.total for each in sides]
    if variable.by_total:
        return (totals[0] or 0) != (totals[1] or 0)
    is_equal = totals[0] is not None and totals[0] == totals[1] and variable.class_ != "timer"
    return not is_equal and differs(*sides)


def controls(one, other):
    """The control variables whose values differ, and those of one run."""
    documents = [history.told() for history in (one, other)]
    sides = [{control["name"]: control for control in told["control_variables"]} if told else {} for told in documents]
    found = []
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        mine, theirs = sides[0].get(name), sides[1].get(name)
        if mine is None or theirs is None or mine["value"] != theirs["value"]:
            found.append(Control(name, mine and value_of(mine), theirs and value_of(theirs),
                                 (mine or theirs)["description"], (theirs or mine)["scope"] == "constant" or bool(OF_A_JOB.search(name))))
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
