"""What stands first in the table, the view and the report: the ranks, the functions with most time, and what is left for the rest.

    first_page.ranks(history)   first_page.functions(history)   first_page.rest(history, columns)   first_page.shares(history)

Times, calls and bytes are those since the first sample; those of a function are means over the ranks.
"""

import collections
import re

from mpit_info import figures, headline, quantities, words

MOST_RANKS, MOST_FUNCTIONS = 16, 5
# The least share of the time of a row of the rest.
LEAST_SHARE = 0.001
# Times that a sample has not read at the same moment are equal up to this share.
EQUAL = 0.01
OF_LAYER = re.compile(r"(MPI_\w+|(?:communicator_)?[a-z_]+)_(time|waited|calls|bytes)")
# The groups of time lines in their order.
OF_RANKS, OF_FUNCTIONS, OF_CLASSES, OF_OBJECTS, OTHER = GROUPS = (
    "Ranks", "Functions of MPI", "Classes of functions", "Communicators and other objects", "Variables of the MPI and of the program")
# The parts of the run in a picture of the shares.
MOST_PARTS = 120
RANK_TITLES = ["Rank", "Life", "In MPI", "Outside", "Share in MPI"]
FUNCTION_TITLES = ["Function", "Time", "Share", "Calls", "Bytes"]

Function = collections.namedtuple("Function", "name seconds share calls bytes")
# The columns of the rest in their order, and how many were left out because of their little time.
Rest = collections.namedtuple("Rest", "columns left_out")


def ranks(history, most=MOST_RANKS):
    """The Times of at most so many rows: of more ranks those with most and least time outside of MPI, and the mean of the others."""
    known = headline.ranks_of(history)
    if known is None:
        return []
    if known.count == len(known.times) <= most:
        return known.times
    ordered = sorted(known.times, key=lambda each: -each.most)
    kept = min(most - 1, len(ordered))
    shown = [each for each in known.times if each in ordered[:kept - kept // 2] or each in ordered[len(ordered) - kept // 2:]]
    count = known.count - len(shown)
    sums = (sum(each) for each in list(zip(*shown))[1:])
    return [*shown, headline.Times(f"{count} others", *((known.count * mean - part) / count for mean, part in zip(known.mean[1:], sums)))]


def cells_of_rank(times):
    """The texts of a rank; its time outside of MPI has two ends if polls leave it open."""
    least, most = (quantities.text(value, "s") for value in (times.least, times.most))
    is_open = times.most - times.least >= headline.LEAST_COST * times.life and least != most
    return {"Rank": times.title, "Life": quantities.text(times.life, "s"), "In MPI": quantities.text(times.in_mpi, "s"),
            "Outside": f"{least} to {most}" if is_open else most,
            "Share in MPI": figures.percent(min(times.in_mpi / times.life, 1) if times.life else None)}


def functions(history, most=None):
    """The Function of each function of MPI, that with most time first; empty if calls are not counted."""
    known = headline.ranks_of(history)
    if known is None or not known.mean.life:
        return []
    by_name = {column.name: column for column in history.columns if column.object is None and headline.OF_FUNCTION.fullmatch(column.name)}
    names = [name[:-len("_time")] for name in by_name if name.endswith("_time")]

    def value(name, what):
        return headline.mean_growth(history, by_name.get(f"{name}_{what}"))

    found = [Function(name, value(name, "time"), value(name, "time") / known.mean.life, value(name, "calls"), value(name, "bytes"))
             for name in names]
    return sorted(found, key=lambda each: -each.seconds)[:most]


def cells_of_function(function, text=quantities.exact):
    """The texts of a function."""
    return {"Function": function.name, "Time": quantities.text(function.seconds, "s"), "Share": figures.percent(min(function.share, 1)),
            "Calls": text(whole(function.calls), "") if function.calls else "-", "Bytes": text(whole(function.bytes), "B") if function.bytes else "-"}


def whole(value):
    """A mean number without digits that say nothing."""
    return round(value) if value >= 10 else round(value, 1)


def rest(history, columns, has_first=False):
    """The Rest of these columns: times and what belongs to them by their share of the time, then the others. Sums over a class that has one
    function are not in it, and what the tables of the ranks and of the functions have only if that is wanted."""
    of_functions, seconds = functions(history), headline.duration(history)
    if not of_functions or not seconds:
        return Rest(columns, 0)
    first = {each.name for each in of_functions[:MOST_FUNCTIONS]}
    values = {column.name: headline.mean_growth(history, column) for column in history.columns if column.object is None}
    kept, left_out, families = [], 0, {}
    for column in columns:
        found = OF_LAYER.fullmatch(column.name) if column.object is None else None
        stem, what = found.groups() if found else ("", "")
        is_first = stem in first or group_of(column) == OF_RANKS
        if is_first and not has_first or what != "waited" and repeats(stem, values, of_functions):
            continue
        is_time = column.class_ == "timer" and quantities.unit_of(column, history.types.get(column)) == "s"
        own = headline.mean_growth(history, column) / seconds if is_time else values.get(f"{stem}_time", 0) / seconds
        is_little = is_time or stem and (what == "calls" or values.get(column.name, 0) < headline.LEAST_BYTES * seconds)
        if own < LEAST_SHARE and is_little:
            left_out += 1
        else:
            share = values.get(f"{stem}_time", own * seconds) / seconds
            # Time, calls and bytes of a function stay together.
            family = families.setdefault(stem or column, len(families))
            kept.append((round(-share, 2) if is_time or stem else 1, family, column))
    return Rest([column for *_, column in sorted(kept, key=lambda each: each[:2])], left_out)


def group_of(column):
    """The group of the time line of a column."""
    if column.name in headline.OF_THREAD:
        return OF_RANKS
    if column.object is not None or column.element is not None:
        return OF_OBJECTS
    if headline.OF_FUNCTION.fullmatch(column.name):
        return OF_FUNCTIONS
    return OF_CLASSES if OF_LAYER.fullmatch(column.name) or column.name == "late_senders" else OTHER


def shares(history):
    """The share of the time in MPI in parts of the run: triples of begin, end and share; empty if calls are not counted."""
    column = headline.column_of(history, headline.IN_MPI)
    if headline.ranks_of(history) is None:
        return []
    if history.of_nodes:
        known = [(moment, values[column].mean) for moment, values in history.kept if column in values]
        return [(begin, end, (high - low) / (end - begin)) for (begin, low), (end, high) in zip(known, known[1:]) if end > begin]
    processes = history.ordered()
    first, last = min(process.first[0] for process in processes), max(process.last[0] for process in processes)
    count = max(min(MOST_PARTS, max(len(process.times) for process in processes) - 1), 1)
    edges = [first + (last - first) * number / count for number in range(count + 1)]
    lived, in_mpi = [0.0] * count, [0.0] * count
    for process in processes:
        for number, growth in enumerate(headline.growths(process, column, edges)):
            in_mpi[number] += growth
            lived[number] += max(min(edges[number + 1], process.last[0]) - max(edges[number], process.first[0]), 0)
    return [(edges[number], edges[number + 1], min(in_mpi[number] / lived[number], 1)) for number in range(count) if lived[number]]


def repeats(stem, values, of_functions):
    """Whether the sums over a class of functions say the same as one of its functions."""
    if not stem or stem.startswith("MPI_"):
        return False
    time, calls, size = (values.get(f"{stem}_{what}", 0) for what in ("time", "calls", "bytes"))
    return any(
        abs(each.seconds - time) <= EQUAL * time and abs(each.calls - calls) <= max(EQUAL * calls, 1) and abs(each.bytes - size) <= EQUAL * size
        for each in of_functions)


def left_out_sentence(left_out):
    """A sentence about the rows that were left out; empty without any."""
    return f"{words.plural(left_out, 'row')} under 0.1 % of the time {'was' if left_out == 1 else 'were'} left out." if left_out else ""
