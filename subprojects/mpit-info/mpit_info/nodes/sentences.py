"""The first sentences of a run of many nodes, from distributions in place of every rank: `sentences.sentences(history)`.

The rules are those of headline.py. A rank is outside of MPI for what the time of the run leaves of its time in MPI. Ranks that are beyond
the worst ones that travel are counted from the buckets.
"""

import collections

from mpit_info import headline
from mpit_info.headline import (INTERVALS, LEAST_BYTES, LEAST_COST, LEAST_DIFFERENCE, LEAST_SHARE, MOST, TOGETHER, Imbalance, Lateness, Ranks,
                                Times)

# Times that may be in MPI or outside of it.
UNCLEAR = headline.POLLING, headline.UNSCHEDULED
# The ranks at one end: the numbers of those that are known, how many they are, their mean and that of the others, and the values on both
# sides of the gap between them.
Group = collections.namedtuple("Group", "known count here others last next")


def title(rank):
    """The label of a rank."""
    return f"rank {rank}" if rank >= 0 else f"process {-1 - rank}"


def of_rank(of, rank):
    """The value of a rank if it is one of the worst; otherwise None."""
    return next((value for value, each in (*of.lowest, *of.highest) if each == rank), None)


def at_most(of, rank):
    """The value of a rank, or the least one of the highest, which others do not exceed; 0 without a distribution."""
    value = of_rank(of, rank) if of else 0
    return of.highest[-1][0] if value is None else value


def group_at(of, is_low):
    """The Group of the ranks of one end that are close to the worst one; None if all are."""
    ends = of.lowest if is_low else of.highest
    worst, sign = ends[0][0], 1 if is_low else -1
    limit = worst + sign * TOGETHER * abs(worst - (of.sum - worst) / (of.count - 1))
    known = [pair for pair in ends if sign * pair[0] <= sign * limit]
    count, total = len(known), sum(value for value, _ in known)
    beyond = [value for value, _ in ends[count:]]
    if not beyond and count < of.count:
        # Without other ranks at this end the buckets count.
        below, sum_below = of.below(limit)
        below, sum_below = (below, sum_below) if is_low else (of.count - below, of.sum - sum_below)
        count, total = (below, sum_below) if below > count else (count, total)
        beyond = sorted((value for value, _ in of.groups() if sign * value > sign * limit), reverse=not is_low)
    if count >= of.count or not beyond:
        return None
    return Group([rank for _, rank in known], count, total / count, (of.sum - total) / (of.count - count), known[-1][0], beyond[0])


def parted(of):
    """The smaller group of ranks that are far from the others; None if all are equal."""
    if of.count < 2 or of.minimum == of.maximum or not of.lowest or not of.highest:
        return None
    return min(filter(None, (group_at(of, is_low) for is_low in (False, True))), key=lambda group: group.count, default=None)


def names_of(group):
    """The titles of the ranks of a group."""
    return [title(rank) for rank in sorted(group.known)] + ["one more"] * (group.count - len(group.known))


def moment_of(history, column, group):
    """Where the known ranks of the group differ from the mean, as headline.moment_of() says it; None if that is not known for most of
    the run."""
    edges, differences = history.edges(column, INTERVALS), []
    for before, after in zip(edges, edges[1:]):
        mine = [(of_rank(before, rank) if before else 0, of_rank(after, rank)) for rank in group.known]
        mine = [last - first for first, last in mine if None not in (first, last)]
        mean = after.mean - (before.mean if before else 0)
        differences.append(sum(mine) / len(mine) - mean if mine else None)
    known = [difference or 0 for difference in differences]
    is_known = 2 * sum(difference is not None for difference in differences) >= len(differences) > 0
    return headline.moment_of(known, group.here > group.others) if is_known else None


def measured(history, name):
    """The distribution of a time of the layer that counts calls; None if there is none."""
    column = headline.column_of(history, name)
    return history.latest[column].value if column in history.latest else None


def greatest(history, name):
    """The greatest value of a time of the layer in any rank; 0 if there is none."""
    of = measured(history, name)
    return of.maximum if of else 0


def ranks_of(history):
    """The Ranks of a run: Times of those with most and least time in MPI; None if calls are not counted."""
    of, seconds = measured(history, headline.IN_MPI), history.seconds()
    if not of or not seconds:
        return None
    further = [measured(history, name) for name in UNCLEAR]

    def times(name, in_mpi, polling, waiting):
        most = max(seconds - in_mpi, 0)
        return Times(name, seconds, in_mpi, max(most - polling, 0), most, max(most - polling - waiting, 0), most)

    worst = dict((rank, value) for value, rank in (*of.lowest, *of.highest))
    known = [times(title(rank), value, *(at_most(each, rank) for each in further)) for rank, value in sorted(worst.items())]
    return Ranks(of.count, known, times("mean", of.mean, *(each.sum / of.count if each else 0 for each in further)))


def lateness(history, ranks):
    """The ranks that are outside of MPI longer or shorter than the others; None if no difference is certain."""
    group, seconds = parted(measured(history, headline.IN_MPI)), history.seconds()
    if not group:
        return None
    is_late, names = group.here < group.others, names_of(group)
    longer = [each for each in ranks.times if each.title in names]
    unclear = (max(each.most - each.own_least for each in longer) if is_late and len(longer) == group.count
               else sum(greatest(history, name) for name in UNCLEAR))
    if not headline.is_certain(abs(group.next - group.last) - unclear, seconds, seconds - min(group.here, group.others)):
        return None
    moment = moment_of(history, headline.column_of(history, headline.IN_MPI), group)
    return None if moment is None else Lateness(names, seconds - group.here, seconds - group.others, is_late, False, moment)


def balance(history, ranks):
    """A sentence if no rank can be late."""
    shortest, longest = (end(ranks.times, key=lambda each: each.most) for end in (min, max))
    least = max(shortest.most - greatest(history, headline.POLLING), 0)
    shortest = shortest._replace(least=least, own_least=max(least - greatest(history, headline.UNSCHEDULED), 0))
    return headline.of_balance([shortest, longest], history.seconds()) if ranks.count > 1 else None


def imbalances(history):
    """The largest differences of other variables: times by what they cost, then amounts of bytes by their difference."""
    seconds, latest = history.seconds(), history.latest
    has_functions = any(headline.function_of(column) for column in latest)
    times, amounts = [], []
    for column, known in latest.items() if seconds else ():
        is_time, is_amount = headline.kind_of(column, has_functions)
        group = parted(known.value) if is_time or is_amount else None
        if not group:
            continue
        here, others = group.here, group.others
        found = Imbalance(column, abs(here - others) / max(abs(here), abs(others)), abs(here - others) / seconds, names_of(group), here, others)
        if is_time and found.cost >= LEAST_COST and found.share >= LEAST_SHARE:
            times += [found] if moment_of(history, column, group) is not None else []
        elif is_amount and found.share >= LEAST_DIFFERENCE and found.cost >= LEAST_BYTES:
            amounts.append(found)
    times.sort(key=lambda each: -each.cost)
    amounts.sort(key=lambda each: -each.share)
    return (times + amounts)[:MOST]


def sentences(history):
    """The sentences, the most important one first; nodes that were lost come second."""
    ranks = ranks_of(history)
    told = headline.of_ranks(history, ranks, lateness(history, ranks), balance(history, ranks)) if ranks else []
    told += map(headline.sentence, imbalances(history))
    return [*told[:1], *history.missing_sentences(), *told[1:]]
