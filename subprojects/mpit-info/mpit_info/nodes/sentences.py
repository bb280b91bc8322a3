"""The first sentences of a run of many nodes, from distributions in place of every rank: `sentences.imbalances(history)`.

The rules are those of headline.py. Ranks that are beyond the worst ones that travel are counted from the buckets.
"""

from mpit_info import headline
from mpit_info.headline import INTERVALS, LEAST_COST, LEAST_DIFFERENCE, LEAST_SHARE, LEAST_STEADY, MOST, TOGETHER, Imbalance


def title(rank):
    """The label of a rank."""
    return f"rank {rank}" if rank >= 0 else f"process {-1 - rank}"


def of_rank(of, rank):
    """The value of a rank if it is one of the worst; otherwise None."""
    return next((value for value, each in (*of.lowest, *of.highest) if each == rank), None)


def group_at(ends, gap):
    """The ranks of one end that are close to the worst one."""
    return [pair for pair in ends if abs(pair[0] - ends[0][0]) <= TOGETHER * gap]


def counted(of, ends, group, gap, is_low):
    """How many ranks are in the group, and their sum; from the buckets if the end has no other ranks."""
    if len(group) < len(ends) or len(ends) == of.count:
        return len(group), sum(value for value, _ in group)
    limit = ends[0][0] + (TOGETHER * gap if is_low else -TOGETHER * gap)
    count, total = of.below(limit)
    count, total = (count, total) if is_low else (of.count - count, of.sum - total)
    return max(count, len(group)), total if count >= len(group) else sum(value for value, _ in group)


def compared(column, of, seconds, waiting):
    """The imbalance of a distribution, with the known ranks of the group; None if all values are equal."""
    if of.count < 2 or of.minimum == of.maximum or not of.lowest or not of.highest:
        return None
    ends, others = (of.lowest, of.highest) if waiting else (of.highest, of.lowest)
    worst, is_low = ends[0][0], waiting
    gap = abs(worst - (of.sum - worst) / (of.count - 1))
    if gap == 0:
        return None
    group = group_at(ends, gap)
    count, total = counted(of, ends, group, gap, is_low)
    if count >= of.count:
        return None
    here, there = total / count, (of.sum - total) / (of.count - count)
    if count > of.count - count:
        # The smaller group is named: one rank is early if all others are late.
        count, here, there, group = of.count - count, there, here, others[:of.count - count]
        if len(group) == count:
            total = sum(value for value, _ in group)
            here, there = total / count, (of.sum - total) / (of.count - count)
    names = [title(rank) for _, rank in sorted(group, key=lambda pair: pair[1])]
    names += ["one more"] * (count - len(names))
    larger = max(here, there)
    return Imbalance(column, abs(here - there) / larger if larger else 0, abs(here - there) / seconds, names, here, there, waiting)


def is_steady(history, of, known):
    """Whether the known ranks of the group differ from the mean in the same direction in the parts of the run with most of the time."""
    edges = history.edges(of.column, INTERVALS)
    all_of_it = agreed = 0.0
    for before, after in zip(edges, edges[1:]):
        mean, mine = after.mean - (before.mean if before else 0), []
        for rank in known:
            first, last = of_rank(before, rank) if before else 0, of_rank(after, rank)
            if first is not None and last is not None:
                mine.append(last - first)
        # Ranks that have not sent anything yet do not speak against it; those that are not among the worst do.
        if not mine and (before or after).count < edges[-1].count:
            continue
        here = sum(mine) / len(mine) if mine else mean
        difference = mean - here if of.here < of.others else here - mean
        all_of_it += mean + here
        agreed += mean + here if difference >= LEAST_SHARE * max(mean, here) else 0
    return all_of_it > 0 and agreed >= LEAST_STEADY * all_of_it


def imbalances(history):
    """The largest imbalances: times by what they cost, then amounts of bytes by their difference."""
    seconds, latest = history.seconds(), history.latest
    if not seconds:
        return []
    has_functions = any(headline.function_of(column) for column in latest)
    times, amounts = [], []
    for column, measured in latest.items():
        is_time, is_amount = headline.kind_of(column, has_functions)
        if not is_time and not is_amount:
            continue
        found = compared(column, measured.value, seconds, is_time and headline.is_waiting(column))
        if found and is_time and found.cost >= LEAST_COST and found.share >= LEAST_SHARE:
            known = {rank for _, rank in (*measured.value.lowest, *measured.value.highest) if title(rank) in found.ranks}
            times += [found] if is_steady(history, found, known) else []
        elif found and is_amount and found.share >= LEAST_DIFFERENCE:
            amounts.append(found)
    times.sort(key=lambda each: -each.cost)
    amounts.sort(key=lambda each: -each.share)
    return (times + amounts)[:MOST]
