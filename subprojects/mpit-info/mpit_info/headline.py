"""What a person reads first: `headline.sentences(history)` says which rank is late, how efficient the ranks are, and names the largest
differences of other variables.

A rank is late if it is outside of MPI longer than the others: it computes, reads files or sleeps while they wait for it. The time
between polls that did not succeed (MPI_Test in a loop) may be either, so that each rank has a least and a most time outside of MPI. On a
busy machine a part of this time is a wait for a processor: without it, a rank has a least and a most time of its own. A rank is
called late only if its least times exceed the most times of the others, with and without the waits for a processor, and if the same ranks
differ in most of the run.
"""

import bisect
import collections
import os
import re

from mpit_info import document, figures, quantities
from mpit_info.sampled import of_row

MOST = 3
# Seconds without the begin or end of a call after which a sentence says what the ranks are in; tests have less.
PATIENCE = float(os.environ.get("MPIT_INFO_PATIENCE", 10))
# The least share of the run for a time, and the least imbalance of an amount and of its bytes a second, that are worth a sentence.
LEAST_COST, LEAST_DIFFERENCE, LEAST_BYTES = 0.01, 0.25, 1000
# The least imbalance of a time, in the whole run and in an interval of it, and the share of the time of the function that
# must be in such intervals.
LEAST_SHARE, INTERVALS, LEAST_STEADY = 0.10, 10, 0.75
# The shortest life of the ranks, in seconds, that is worth a sentence: ranks are not sampled, and their waits not counted, at one moment.
LEAST_LIFE = 0.01
# Ranks that are closer to the worst one than this share of the difference are named with it.
TOGETHER, MOST_NAMED = 0.25, 3
# Sums of the counting layer over functions that have variables of their own.
SUMS = re.compile(r"(communicator_)?[a-z_]+_(time|waited)")
CALLS = re.compile(r"[a-z_]+_calls")
FUNCTION = re.compile(r"(MPI_\w+)_time")
OF_FUNCTION = re.compile(r"MPI_\w+_(time|calls|bytes)")
# The share of a difference that is in one interval, if it is there alone.
LEAST_APART = 0.9
# The columns of the layer that counts calls: of the main thread the time in MPI, that between polls, and its waits for a processor: all of
# them, those that were certainly in MPI, and those that were certainly outside of it.
OF_THREAD = IN_MPI, POLLING, UNSCHEDULED, WAIT_IN_MPI, WAIT_OUTSIDE = (
    "mpi_time", "mpi_polling", "processor_wait", "processor_wait_in_mpi", "processor_wait_outside")

Imbalance = collections.namedtuple("Imbalance", "column share cost ranks here others")
# Of a rank: its time from the first to the last sample, that in MPI, the least and the most time outside of it, and the same without
# the waits for a processor.
Times = collections.namedtuple("Times", "title life in_mpi least most own_least own_most")
# The number of ranks, the Times of those that are known (of many nodes the extreme ones), and the means over all ranks.
Ranks = collections.namedtuple("Ranks", "count times mean")
# Ranks that are outside of MPI longer, or shorter, than the others; the times `is_own`, without the waits for a processor.
Lateness = collections.namedtuple("Lateness", "ranks here others is_late is_own moment")


def function_of(column):
    """The function of MPI that a variable of the counting layer has the time of; None for other variables."""
    found = FUNCTION.fullmatch(column.name)
    return found[1] if found and column.class_ == "timer" else None


def duration(history):
    """Seconds between the first and the last sample, in the process with most."""
    return history.seconds()


def parted(values):
    """The smaller group of values by rank that are far from the others, and the others, both as pairs; None if all are equal."""
    found = None
    for is_low in (False, True):
        ordered = sorted(values, key=lambda pair: pair[1], reverse=not is_low)
        gap = abs(ordered[0][1] - sum(value for _, value in ordered[1:]) / (len(ordered) - 1))
        worst = [pair for pair in ordered if abs(pair[1] - ordered[0][1]) <= TOGETHER * gap]
        others = ordered[len(worst):]
        if others and gap and (found is None or len(worst) < len(found[0])):
            found = worst, others
    return found


def mean_of(pairs):
    """The mean of the values."""
    return sum(value for _, value in pairs) / len(pairs)


def compared(column, values, seconds):
    """The imbalance of the values by rank; None if all are equal."""
    groups = parted(values)
    if not groups:
        return None
    here, there = map(mean_of, groups)
    return Imbalance(column, abs(here - there) / max(abs(here), abs(there)), abs(here - there) / seconds,
                     [title for title, _ in groups[0]], here, there)


def growths(process, column, edges):
    """The growth of a value in each interval between the edges, from that of the first sample on."""
    place, times = process.position.get(column), process.times
    zero = of_row(process.first[1], place) or 0
    reached = [0]
    for edge in edges[1:-1]:
        after = bisect.bisect_right(times, edge)
        began, row = (times[after - 1], process.rows[after - 1]) if after else process.first
        ended, following = (times[after], process.rows[after]) if after < len(times) else process.last
        low, high = (max((of_row(each, place) or 0) - zero, 0) for each in (row, following))
        reached.append(low + (high - low) * max(min((edge - began) / (ended - began), 1), 0) if ended > began else high)
    reached.append(growth_of(process, column))
    return [after - before for before, after in zip(reached, reached[1:])]


def outside(process, columns, edges):
    """The time between the edges without that of the columns; none before the first sample and after the last one."""
    first, last = process.first[0], process.last[0]
    there = [max(min(end, last) - max(begin, first), 0) for begin, end in zip(edges, edges[1:])]
    return [time - sum(grown) for time, *grown in zip(there, *(growths(process, column, edges) for column in columns))]


def intervals(first, seconds):
    """The edges of the intervals of a run."""
    return [first + seconds * number / INTERVALS for number in range(INTERVALS + 1)]


def over_time(history, ranks, grown):
    """The differences between the mean of these ranks and that of the others in each interval of the run; `grown(process, edges)` is the
    growth in them.
    """
    processes = [process for process in history.ordered() if process.first]
    edges = intervals(min(process.first[0] for process in processes), duration(history))
    here, others = [], []
    for process in processes:
        (here if process.title() in ranks else others).append(grown(process, edges))
    return [mine - theirs for mine, theirs in zip(*([sum(each) / len(group) for each in zip(*group)] for group in (here, others)))]


def moment_of(differences, is_more):
    """Where the ranks differ: `at the start`, `at the end`, `once`, empty for more of the run; None if the direction changes."""
    told = [difference if is_more else -difference for difference in differences]
    larger, smaller = (sum(max(sign * difference, 0) for difference in told) for sign in (1, -1))
    if smaller > (1 - LEAST_STEADY) * larger:
        return None
    place = told.index(max(told))
    if told[place] < LEAST_APART * larger:
        return ""
    return "at the start" if place == 0 else "at the end" if place == len(told) - 1 else "once"


def column_of(history, name):
    """The column of the layer with this name; None if calls are not counted."""
    return next((column for column in history.columns if column.name == name and column.object is None), None)


def first_of(process, column):
    """The first sample that has this column, with its time: a tool that attaches knows nothing of a thread before its next call."""
    place = process.position.get(column)
    return next((sample for sample in [process.first, *zip(process.times, process.rows)] if of_row(sample[1], place) is not None), process.last)


def growth_of(process, column, first=None):
    """The growth of a time since this sample, or the first one: a tool may have attached before."""
    first = first or process.first
    return max((process.value(column) or 0) - (of_row(first[1], process.position.get(column)) or 0), 0)


def mean_growth(history, column):
    """The mean growth of a value over the ranks since the first sample; 0 without the column."""
    if history.of_nodes:
        return history.mean_value(column)
    if column not in history.moved:
        return 0
    processes = [process for process in history.ordered() if process.first]
    return sum(growth_of(process, column) for process in processes) / len(processes)


def times_of(history):
    """The Times of each rank; empty if calls are not counted in all of them."""
    columns = [column_of(history, name) for name in OF_THREAD]
    functions = [column for column in history.columns if function_of(column)]
    processes = history.ordered()
    if columns[0] is None or not processes or any(columns[0] not in process.position or not process.first for process in processes):
        return []
    found = []
    for process in processes:
        first = first_of(process, columns[0])
        life = process.last[0] - first[0]
        in_mpi, polling, wait, wait_in_mpi, wait_outside = (growth_of(process, column, first) for column in columns)
        # A call that the first sample was in has its function later.
        is_before = all(of_row(first[1], process.position.get(column)) is None for column in functions)
        begun = of_row(first[1], process.position[columns[0]]) or 0 if is_before else 0
        # Other threads than the main thread have called MPI.
        if sum(growth_of(process, column, first) for column in functions) > begun + in_mpi + LEAST_COST * life:
            return []
        most = max(life - in_mpi, 0)
        own_least = max(most - polling - max(wait - wait_in_mpi, 0), 0)
        found.append(Times(process.title(), life, in_mpi, max(most - polling, 0), most, own_least, max(most - min(wait_outside, wait), own_least)))
    return found


def means(times):
    """The Times of a mean rank."""
    return Times("mean", *(sum(each) / len(times) for each in list(zip(*times))[1:]))


def ranks_of(history):
    """The Ranks of a run; None if calls are not counted."""
    if history.of_nodes:
        from mpit_info.nodes import sentences as of_nodes
        return of_nodes.ranks_of(history)
    times = times_of(history)
    return Ranks(len(times), times, means(times)) if times else None


def excess(longer, shorter):
    """The seconds by which each of these Times is outside of MPI longer than each of those in any case, without waits for a processor."""
    return min(each.own_least for each in longer) - max(each.own_most for each in shorter)


def has_own(times):
    """Whether waits for a processor are a part of the time outside of MPI, so that it is told without them."""
    return any(each.own_most < (1 - LEAST_SHARE) * each.most for each in times)


def is_certain(difference, seconds, most):
    """Whether a difference between times outside of MPI, of which the longest is `most`, is worth a sentence."""
    return difference >= max(LEAST_COST * seconds, LEAST_SHARE * most)


def moment_outside(history, seconds, difference, differences_of):
    """Where times outside of MPI differ by so much, as moment_of() says; `differences_of(columns)` are those without the times of these
    columns. None also for an accident of the machine.
    """
    columns = [column for column in (column_of(history, name) for name in (IN_MPI, WAIT_OUTSIDE)) if column]
    # A wait for a processor is known only at its end, which may be in a later interval.
    for those in (columns, columns[:1]):
        differences = differences_of(those)
        pairs = [first + second for first, second in zip(differences[::2], differences[1::2])]
        for found in moment_of(differences, difference > 0), moment_of(pairs, difference > 0):
            if found is not None:
                # What happens once may be an accident.
                return None if found and abs(difference) < LEAST_SHARE * seconds else found
    return None


def lateness(history, times):
    """The ranks that are outside of MPI longer or shorter than the others; None if no difference is certain."""
    seconds, unseen = duration(history), history.unseen()
    groups = parted([(each.title, each.own_most) for each in times]) if len(times) > 1 and seconds else None
    if not groups:
        return None
    names = [title for title, _ in groups[0]]
    here, others = ([each for each in times if (each.title in names) == is_here] for is_here in (True, False))
    difference = mean_of(groups[0]) - mean_of(groups[1])
    is_late = difference > 0
    longer, shorter = (here, others) if is_late else (others, here)
    if not is_certain(excess(longer, shorter) - unseen, seconds, max(each.own_most for each in longer)):
        return None
    if min(each.least for each in longer) - unseen <= max(each.most for each in shorter):
        return None
    moment = moment_outside(history, seconds, difference, lambda columns: over_time(
        history, names, lambda process, edges: outside(process, columns, edges)))
    is_own = has_own(times)
    of_here, of_others = (sum(each.own_most if is_own else each.most for each in group) / len(group) for group in (here, others))
    return None if moment is None else Lateness(names, of_here, of_others, is_late, is_own, moment)


def kind_of(column, has_functions):
    """Whether a variable is a time, and whether it is an amount of bytes, that is compared between ranks. Times in MPI are not."""
    if column.object is not None or column.element is not None:
        return False, False
    if OF_FUNCTION.fullmatch(column.name):
        return False, False
    of_layer = has_functions and SUMS.fullmatch(column.name) or column.name in OF_THREAD
    return (column.class_ == "timer" and not of_layer,
            column.class_ == "aggregate" and "bytes" in column.name and not column.name.startswith("net_"))


def imbalances(history):
    """The largest differences of other variables: times by what they cost, then amounts of bytes."""
    processes, seconds = [process for process in history.ordered() if process.first], duration(history)
    # What a rank does in a time that is not known of the others may be as much as the difference.
    if len(processes) < 2 or not seconds or history.unseen():
        return []
    has_functions = any(function_of(column) for column in history.columns)
    times, amounts = [], []
    for column in history.columns:
        is_time, is_amount = kind_of(column, has_functions)
        found = compared(column, [(process.title(), process.value(column) or 0) for process in processes], seconds) if is_time or is_amount else None
        if found and is_time and found.cost >= LEAST_COST and found.share >= LEAST_SHARE:
            differences = over_time(history, found.ranks, lambda process, edges: growths(process, column, edges))  # pylint: disable=cell-var-from-loop
            if moment_of(differences, found.here > found.others) is not None:
                times.append(found)
        elif found and is_amount and found.share >= LEAST_DIFFERENCE and found.cost >= LEAST_BYTES:
            amounts.append(found)
    times.sort(key=lambda each: -each.cost)
    amounts.sort(key=lambda each: -each.share)
    return (times + amounts)[:MOST]


def named(ranks):
    """`rank 3`, `ranks 2 and 3`, `5 ranks`."""
    if len(ranks) > MOST_NAMED:
        return f"{len(ranks)} ranks"
    if len(ranks) == 1:
        return ranks[0]
    numbers = [rank.rpartition(" ")[2] for rank in ranks]
    return f"{ranks[0].partition(' ')[0]}s {', '.join(numbers[:-1])} and {numbers[-1]}"


def sentence(of):
    """One difference in words."""
    is_one, is_more = len(of.ranks) == 1, of.here > of.others
    has = ("takes" if is_one else "take") if of.column.class_ == "timer" else ("has" if is_one else "have")
    more = ("longer" if is_more else "less") if of.column.class_ == "timer" else ("more" if is_more else "less")
    here, others = (amount(of.column, value) for value in (of.here, of.others))
    return (f"{document.clean(of.column.name)}: imbalance {figures.percent(of.share)}, {named(of.ranks)} {has} {more} "
            f"({here}, the others {others}).")


def subject_of(ranks):
    """`Rank 3 is`, `Ranks 2 and 3 are`, at the start of a sentence."""
    text = named(ranks)
    return f"{text[:1].upper()}{text[1:]} {'is' if len(ranks) == 1 else 'are'}"


def in_seconds(value):
    """A time in words: from a millisecond on all are in seconds, to be compared."""
    return f"{figures.short(value)} s" if value >= 0.001 or not value else quantities.text(value, "s")


def of_lateness(of):
    """Which ranks are late, in words."""
    moment = f" {of.moment}" if of.moment else ""
    here, others = map(in_seconds, (of.here, of.others))
    own = "without waiting for a processor, " if of.is_own else ""
    return f"{subject_of(of.ranks)} {'late' if of.is_late else 'early'}{moment}: {own}outside of MPI for {here}, the others for {others}."


def of_balance(times, seconds, unseen=0.0):
    """A sentence if no rank can be late, or only by its waits for a processor; None if that is not certain."""
    if len(times) < 2:
        return None
    of_all = (min(each.least for each in times), max(each.most for each in times))
    own = (min(each.own_least for each in times), max(each.own_most for each in times))
    # On a busy machine ranks may be equal because those with less to do wait longer for a processor.
    if is_certain(own[1] - own[0] + unseen, seconds, own[1]):
        return None
    is_all = not is_certain(of_all[1] - of_all[0] + unseen, seconds, of_all[1])
    least, most = map(in_seconds, of_all if is_all else own)
    times = most if least == most else f"{least.removesuffix(' s') if most.endswith(' s') else least} to {most}"
    if is_all:
        return f"No rank is late: each one is outside of MPI for {times}."
    return f"No rank has more to do: without waiting for a processor, each one is outside of MPI for {times}."


def amount(column, value):
    """A time or a number of bytes in words."""
    return in_seconds(value) if column.class_ == "timer" else quantities.text(value, quantities.unit_of(column, None))


def share_of_mpi(history, ranks):
    """How much of the time is in MPI, with the function that has most."""
    seconds = ranks.mean.life
    by_function = {column: mean_growth(history, column) for column in history.columns if function_of(column)}
    if not seconds:
        return None
    text = f"{figures.percent(min(ranks.mean.in_mpi / seconds, 1))} of the time is in MPI"
    most = max(by_function, key=by_function.get, default=None)
    return f"{text}, most of it in {function_of(most)} ({figures.percent(min(by_function[most] / seconds, 1))})." if most else f"{text}."


def efficiency(ranks, unseen=0.0):
    """The parallel efficiency and its factors, load balance and communication efficiency (POP); None if polls leave them open."""
    greatest = max(each.most for each in ranks.times)
    seconds, mean = ranks.mean.life, ranks.mean.most
    unclear = max(each.most - each.least for each in ranks.times) + unseen
    if ranks.count < 2 or not seconds or not greatest or unclear > LEAST_SHARE * seconds:
        return None
    return mean / seconds, mean / greatest, min(greatest / seconds, 1)


def of_processors(history, ranks, late):
    """A sentence if the ranks lacked processors; None otherwise. In MPI they may give theirs away while they wait for a late rank."""
    kinds = (WAIT_OUTSIDE, "outside of MPI ", ranks.mean.most, 0.25), (UNSCHEDULED, "", ranks.mean.life, 0.5)
    for name, where, whole, least_share in kinds:
        waited = mean_growth(history, column_of(history, name))
        if whole and waited >= max(least_share * whole, LEAST_COST * ranks.mean.life) and (where or not late):
            return f"Too few processors: {where}the ranks waited for one for {figures.percent(min(waited / whole, 1))} of the time."
    return None


def of_efficiency(found):
    """The efficiency in words."""
    verdict = "good" if found[0] >= 0.8 else "fair" if found[0] >= 0.6 else "poor"
    return (f"Parallel efficiency {figures.percent(found[0])} ({verdict}): load balance {figures.percent(found[1])}, "
            f"communication efficiency {figures.percent(found[2])}.")


def of_ranks(history, ranks, late, balance):
    """The sentences about the ranks: who is late, or how much of the time is in MPI if that is not known, and the efficiency."""
    if ranks.mean.life < LEAST_LIFE:
        return []
    found = efficiency(ranks, history.unseen())
    told = [of_lateness(late) if late else balance, of_processors(history, ranks, late),
            None if late or balance else share_of_mpi(history, ranks), found and of_efficiency(found)]
    return [text for text in told if text]


def sentences(history):
    """The sentences, the most important one first."""
    if history.of_nodes:
        from mpit_info.nodes import sentences as of_nodes
        return of_nodes.sentences(history)
    told, ranks = [*history.lost_sentences(), *history.progress(PATIENCE)], ranks_of(history)
    if ranks:
        told += of_ranks(history, ranks, lateness(history, ranks.times), of_balance(ranks.times, duration(history), history.unseen()))
    return [*told, *map(sentence, imbalances(history))]
