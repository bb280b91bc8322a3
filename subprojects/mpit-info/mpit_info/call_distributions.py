"""How long calls of MPI functions took, by communicator and by the size of the message: `watch --calls distributions`.

`for row in call_distributions.rows(history): print(call_distributions.title(row), row.histogram.edges(0.5))`. The histograms of the ranks
have the same buckets, so that they are merged without loss. A time that is told of a part of the calls is the bound of a bucket.
"""

import collections
import functools
import math

from mpit_info import figures, quantities, words
from mpit_info.document import clean
from mpit_info.histogram import Histogram

# The most distributions of a process that are stored, and the rows of the table.
MOST, MOST_ROWS = 1 << 14, 10
# The fewest calls of which 99 % is a part.
LEAST_CALLS = 100
# A call is in the tail if it took so many times the median.
TAIL = 2
TITLES = ["Function", "Communicator", "Bytes", "Calls", "Half", "99 %", "Longest"]

# `class_` is that of the sizes: see size_text(). `are_others` if they are not told apart.
Key = collections.namedtuple("Key", "function communicator class_ are_others")
# `bytes` is None if they differ.
Row = collections.namedtuple("Row", "key bytes histogram")


@functools.lru_cache(maxsize=16)
def bounds_of(scale, lowest, highest):
    """The bounds of the buckets in seconds."""
    return (*(2.0 ** (lowest + number / 2**scale) * 1e-9 for number in range(((highest - lowest) << scale) + 1)), math.inf)


class CallDistributions:
    """The distributions of one process: `of_process.accept(message)`."""

    def __init__(self):
        self.told = {}

    def accept(self, message):
        """Stores those that have changed."""
        if message["highest"] <= message["lowest"]:
            return
        bounds = bounds_of(message["scale"], message["lowest"], message["highest"])
        for each in message["distributions"]:
            key = Key(each["function"], each.get("communicator"), each.get("class"), each.get("others", False))
            counts = [0] * len(bounds)
            for number, count in each["buckets"]:
                counts[min(number, len(bounds) - 1)] += count
            if sum(counts) and (key in self.told or len(self.told) < MOST):
                self.told[key] = Row(key, each.get("bytes"), Histogram(bounds, tuple(counts), each["seconds"], None, each.get("longest")))

    def frozen(self):
        """A copy that later messages do not change."""
        kept = CallDistributions()
        kept.told = dict(self.told)
        return kept


def merged(rows_of_key):
    """The Row of all ranks."""
    sizes = {row.bytes for row in rows_of_key}
    return Row(rows_of_key[0].key, sizes.pop() if len(sizes) == 1 else None, Histogram.merged([row.histogram for row in rows_of_key]))


def rows(history):
    """The Rows of a run, those with the longest tail first, and those that are not told apart last."""
    found = collections.defaultdict(list)
    for process in [] if history.of_nodes else history.ordered():
        for key, row in process.distributions.told.items():
            found[key].append(row)
    return sorted(map(merged, found.values()), key=lambda row: (row.key.are_others, -longest_part(row.histogram), row.histogram.count))


def within(histogram, share):
    """The time that this share of the calls did not exceed."""
    return histogram.edges(share)[1]


def longest(histogram):
    """The time that no call exceeded, which is that of the longest one if that is known."""
    return within(histogram, 1)


def longest_part(histogram):
    """The time of 99 % of the calls, or of all of few."""
    return within(histogram, 0.99 if histogram.count >= LEAST_CALLS else 1)


def tail(histogram):
    """The least time of the calls that took much longer than the median."""
    begin = TAIL * within(histogram, 0.5)
    return sum(count * lower for lower, count in zip(histogram.bounds, histogram.counts[1:]) if lower >= begin)


def time_text(value):
    """A time as a bound: rounded up."""
    if not math.isfinite(value) or value <= 0:
        return quantities.text(value, "s")
    digit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return quantities.text(math.ceil(value / digit - 1e-6) * digit, "s")


def size_text(row):
    """The bytes of the messages: `8 B`, `5 to 8 B` of the class 4; empty if they are not known."""
    if row.bytes is not None:
        return f"{figures.exact(row.bytes)} B"
    if row.key.class_ is None:
        return ""
    least, most = (int(2 ** (row.key.class_ - 2)) + 1, 2 ** (row.key.class_ - 1)) if row.key.class_ > 1 else (row.key.class_,) * 2
    return f"{figures.exact(most)} B" if least == most else f"{figures.exact(least)} to {figures.exact(most)} B"


def place(row):
    """The name of the communicator; empty without one."""
    return clean(row.key.communicator).replace("unnamed, ", "a communicator of ") if row.key.communicator is not None else ""


def title(row):
    """`MPI_Allreduce of 8 B on halo`."""
    of_size, on = size_text(row), place(row)
    return clean(row.key.function) + (f" of {of_size}" if of_size else "") + (f" on {on}" if on else "")


def sentences(history):
    """A sentence about the calls whose tail took most time; empty if there is none."""
    known = [row for row in rows(history) if not row.key.are_others]
    worst = max(known, key=lambda row: tail(row.histogram), default=None)
    # Nothing is at most what the last bucket has.
    if worst is None or not tail(worst.histogram) or not math.isfinite(longest(worst.histogram)):
        return []
    found = worst.histogram
    most = f"{'' if found.maximum is not None else 'at most '}{time_text(longest(found))}"
    median = f"median at most {time_text(within(found, 0.5))}"
    if found.count < LEAST_CALLS:
        return [f"Maximum of {figures.exact(found.count)} calls of {title(worst)}: {most}, {median}."]
    return [f"p99 of {title(worst)}: at most {time_text(within(found, 0.99))}, {median}, maximum {most}."]


def cells(row):
    """The texts of a row."""
    found = row.histogram
    bound = "≤ " if found.maximum is None and math.isfinite(longest(found)) else ""
    return {"Function": clean(row.key.function), "Communicator": place(row) or "-", "Bytes": size_text(row) or "-", "Calls": figures.exact(found.count),
            "Half": time_text(within(found, 0.5)), "99 %": time_text(within(found, 0.99)) if found.count >= LEAST_CALLS else "-",
            "Longest": bound + time_text(longest(found))}


def notes(all_rows):
    """Sentences behind the table."""
    told = [row for row in all_rows if not row.key.are_others]
    left_out, others = len(told) - MOST_ROWS, sum(row.histogram.count for row in all_rows if row.key.are_others)
    found = ["Half of the calls, and 99 % of them, took at most these times."] if told else []
    if left_out > 0:
        found.append(f"{words.plural(left_out, 'row')} with shorter times {'was' if left_out == 1 else 'were'} left out.")
    if others:
        found.append(f"{words.plural(others, 'call')} {'is' if others == 1 else 'are'} not told apart by communicator and size.")
    return found
