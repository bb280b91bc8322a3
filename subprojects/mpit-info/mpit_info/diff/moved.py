"""How distributions have moved between two runs: `moved.compared_distributions(one, other)` has the quantiles that differ certainly.

A quantile is in a range: the edges of its bucket, those of the quantiles that chance may put in its place, and the middle half of the edges
over ranks and parts of the run. It differs if the ranges of both runs have nothing in common, not even an edge, and if waits for a processor
cannot explain it.
"""

import collections
import itertools
import math

from mpit_info import distributions, figures, headline, words
from mpit_info.diff import compared
from mpit_info.document import clean
from mpit_info.histogram import Histogram
from mpit_info.sampled import of_row

# Standard deviations of chance, and the samples above a quantile that a part of a run needs.
DEVIATIONS, LEAST_ABOVE = 3, 2

# A distribution of both runs, or of one; `quantiles` has a Quantile for each of distributions.QUANTILES.
Moved = collections.namedtuple("Moved", "label unit one other quantiles")
# The values and the ranges in both runs.
Quantile = collections.namedtuple("Quantile", "title one other ranges differs")


def parts_of(process, of):
    """The histograms of the parts of the run of a process."""
    bounds, columns = distributions.buckets(process, of)
    places, rows = [process.position.get(column) for column in columns], process.rows + [process.last[1]] * bool(process.rows)
    read = [counts for row in rows if len(places) == len(bounds) and None not in (counts := [of_row(row, place) for place in places])]
    count = max(min(compared.PARTS, len(read) // compared.LEAST_ROWS), 1)
    ends = [Histogram(bounds, tuple(read[number * (len(read) - 1) // count])) for number in range(count + 1)] if len(read) > 1 else []
    return [after.minus(before) for before, after in itertools.pairwise(ends)]


def range_of(history, of, histogram, share):
    """The least and the greatest value that the quantile may have."""
    chance = DEVIATIONS * math.sqrt(share * (1 - share) / histogram.count)
    # Of few samples chance may leave out all that are above, or below.
    low = histogram.edges(share - chance)[0] if share > chance else -math.inf
    high = histogram.edges(share + chance)[1] if share + chance < 1 else math.inf
    parts = [] if history.of_nodes else [part for process in history.ordered() for part in parts_of(process, of) if (1 - share) * part.count >= LEAST_ABOVE]
    if parts:
        lower, upper = zip(*(part.edges(share) for part in parts))
        low, high = min(low, compared.quartiles(lower)[0]), max(high, compared.quartiles(upper)[2])
    return low, high


def may_be_waits(history, histogram, share, least):
    """Whether the ranks of a run have waited for a processor as long as the samples above a quantile have grown."""
    column = headline.column_of(history, headline.UNSCHEDULED)
    processes = [process for process in history.ordered() if process.first] if column and not history.of_nodes else []
    return bool(processes) and sum(headline.growth_of(process, column) for process in processes) >= (1 - share) * histogram.count * least


def quantile(title, share, sides, unit):
    """A quantile in both runs; `sides` are triples of a history, the distribution in it and its histogram."""
    ranges = [range_of(*side, share) for side in sides]
    differs = ranges[0][1] < ranges[1][0] or ranges[1][1] < ranges[0][0]
    if differs and unit == "s":
        later = int(ranges[1][0] > ranges[0][1])
        history, _, histogram = sides[later]
        differs = not may_be_waits(history, histogram, share, ranges[later][0] - ranges[1 - later][1])
    return Quantile(title, *(histogram.quantile(share) for _, _, histogram in sides), ranges, differs)


def distributions_of(history):
    """The distributions by their labels, as triples for quantile()."""
    found = ((history, each, distributions.merged(history, each)) for each in distributions.declared(history))
    return {distributions.label(each): (history, each, histogram) for history, each, histogram in found if histogram}


def compared_distributions(one, other):
    """The distributions of the runs that have samples."""
    known = [distributions_of(history) for history in (one, other)]
    for label in dict.fromkeys([*known[1], *known[0]]):
        sides = [of_run.get(label) for of_run in known]
        there = [side for side in sides if side]
        counted = [side for side in there if side[2].count]
        if not counted:
            continue
        unit = there[0][1].unit
        yield Moved(label, unit, *(side and side[2] for side in sides),
                    [quantile(title, share, sides, unit) for title, share in distributions.QUANTILES] if len(counted) == 2 else [])


def differs(moved):
    """Whether a quantile differs, or one run alone has samples; one that is in one run only is counted by the sentences."""
    return any(each.differs for each in moved.quantiles) or None not in (moved.one, moved.other) and \
        0 in (moved.one.count, moved.other.count) and max(moved.one.count, moved.other.count) >= compared.FEW_CALLS


def cells(moved):
    """The cells of a row by their titles."""
    found = {"Distribution": moved.label}
    for letter, histogram in (("A", moved.one), ("B", moved.other)):
        found[f"Samples {letter}"] = figures.short(histogram.count) if histogram else "-"
    for place, (title, share) in enumerate(distributions.QUANTILES):
        for letter, histogram in (("A", moved.one), ("B", moved.other)):
            found[f"{title} {letter}"] = distributions.quantile_text(histogram, share, moved.unit) if histogram else "-"
        of = moved.quantiles[place] if moved.quantiles else None
        found[f"{title} change"] = compared.change_text(compared.change(of.one, of.other)) if of and of.differs else "-"
    return found


def sentence(moved):
    """`latency: p50 6 µs, before 5 µs (+20 %); p99 41 µs, before 12 µs (+242 %).`, `latency: no sample, before 120.`"""
    if not moved.quantiles:
        now = words.plural(moved.other.count, "sample") if moved.other.count else "no sample"
        return f"{clean(moved.label)}: {now}, before {figures.exact(moved.one.count) if moved.one.count else 'none'}."
    told = [f"{each.title} {distributions.quantile_text(moved.other, share, moved.unit)}, before "
            f"{distributions.quantile_text(moved.one, share, moved.unit)} ({compared.change_text(compared.change(each.one, each.other))})"
            for each, (_, share) in zip(moved.quantiles, distributions.QUANTILES) if each.differs]
    return f"{clean(moved.label)}: {'; '.join(told)}."
