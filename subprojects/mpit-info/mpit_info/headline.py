"""What a person reads first: `headline.sentences(history)` says which rank is late, how much of the time is in MPI, and names the
largest differences of other variables.

A rank is late if it is outside of MPI longer than the others: it computes, reads files or sleeps while they wait for it. Each rank has a
least and a most time outside of MPI. What is between them may be either: the time between polls that did not succeed (MPI_Test in a loop),
and the time in which the thread waited for a processor. A rank is called late only if its least time exceeds the most time of the
others, and if the same ranks differ in most of the run.
"""

import bisect
import collections
import re

from mpit_info import document, figures, quantities
from mpit_info.sampled import of_row

MOST = 3
# Seconds without the begin or end of a call after which the ranks are called.
PATIENCE = 10.0
# The least share of the run for a time, and the least imbalance of an amount, that are worth a sentence.
LEAST_COST, LEAST_DIFFERENCE = 0.01, 0.25
# The least imbalance of a time, in the whole run and in an interval of it, and the share of the time of the function that
# must be in such intervals.
LEAST_SHARE, INTERVALS, LEAST_STEADY = 0.10, 10, 0.75
# Ranks that are closer to the worst one than this share of the difference are named with it.
TOGETHER, MOST_NAMED = 0.25, 3
# Sums of the counting layer over functions that have variables of their own.
SUMS = re.compile(r"(communicator_)?[a-z_]+_(time|waited)")
CALLS = re.compile(r"[a-z_]+_calls")
FUNCTION = re.compile(r"(MPI_\w+)_time")
# The share of a difference that is at the start or the end, if it is there alone.
LEAST_APART = 0.9
# The columns of the layer that counts calls: of the main thread the time in MPI, and the two times that may belong to either side.
IN_MPI, POLLING, UNSCHEDULED = "mpi_time", "mpi_polling", "processor_wait"

Imbalance = collections.namedtuple("Imbalance", "column share cost ranks here others")
# Of a rank: its time from the first to the last sample, that in MPI, and the least and the most time outside of it.
Times = collections.namedtuple("Times", "title life in_mpi least most")
# Ranks that are outside of MPI longer, or shorter, than the others; `cost` is the difference as a share of the run.
Lateness = collections.namedtuple("Lateness", "ranks here others is_late moment")


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
    """The growth of a value in each interval between the edges; before the first sample it is zero."""
    place, times = process.position.get(column), process.times
    reached = [0]
    for edge in edges[1:-1]:
        after = bisect.bisect_right(times, edge)
        began, row = (times[after - 1], process.rows[after - 1]) if after else (edges[0], [])
        ended, following = (times[after], process.rows[after]) if after < len(times) else process.last
        low, high = of_row(row, place) or 0, of_row(following, place) or 0
        reached.append(low + (high - low) * min((edge - began) / (ended - began), 1) if ended > began else high)
    reached.append(process.value(column) or 0)
    return [after - before for before, after in zip(reached, reached[1:])]


def over_time(history, column, ranks):
    """The differences between the mean of these ranks and that of the others in each interval of the run."""
    processes = [process for process in history.ordered() if process.first]
    first = min(process.first[0] for process in processes)
    edges = [first + duration(history) * number / INTERVALS for number in range(INTERVALS + 1)]
    here, others = [], []
    for process in processes:
        (here if process.title() in ranks else others).append(growths(process, column, edges))
    return [mine - theirs for mine, theirs in zip(*([sum(each) / len(group) for each in zip(*group)] for group in (here, others)))]


def moment_of(differences, is_more):
    """Where the ranks differ: `at the start`, `at the end`, empty for most of the run; None if the direction changes."""
    told = [difference if is_more else -difference for difference in differences]
    larger, smaller = (sum(max(sign * difference, 0) for difference in told) for sign in (1, -1))
    if smaller > (1 - LEAST_STEADY) * larger:
        return None
    return next((moment for place, moment in ((0, "at the start"), (-1, "at the end")) if told[place] >= LEAST_APART * larger), "")


def column_of(history, name):
    """The column of the layer with this name; None if calls are not counted."""
    return next((column for column in history.columns if column.name == name and column.object is None), None)


def growth_of(process, column):
    """The growth of a time since the first sample: a tool may have attached before."""
    first = of_row(process.first[1], process.position.get(column)) or 0
    return max((process.value(column) or 0) - first, 0)


def times_of(history):
    """The Times of each rank; empty if calls are not counted in all of them."""
    columns = [column_of(history, name) for name in (IN_MPI, POLLING, UNSCHEDULED)]
    processes = history.ordered()
    if columns[0] is None or not processes or any(columns[0] not in process.position or not process.first for process in processes):
        return []
    found = []
    for process in processes:
        life = process.last[0] - process.first[0]
        in_mpi, polling, unscheduled = (growth_of(process, column) for column in columns)
        most = max(life - in_mpi, 0)
        found.append(Times(process.title(), life, in_mpi, max(most - polling - unscheduled, 0), most))
    return found


def lateness(history, times):
    """The ranks that are outside of MPI longer or shorter than the others; None if no difference is certain."""
    seconds = duration(history)
    groups = parted([(each.title, each.most) for each in times]) if len(times) > 1 and seconds else None
    if not groups:
        return None
    names = [title for title, _ in groups[0]]
    here, others = ([each for each in times if (each.title in names) == is_here] for is_here in (True, False))
    is_late = mean_of(groups[0]) > mean_of(groups[1])
    longer, shorter = (here, others) if is_late else (others, here)
    certain = min(each.least for each in longer) - max(each.most for each in shorter)
    if certain < max(LEAST_COST * seconds, LEAST_SHARE * max(each.most for each in longer)):
        return None
    moment = moment_of([-difference for difference in over_time(history, column_of(history, IN_MPI), names)], is_late)
    return None if moment is None else Lateness(names, mean_of(groups[0]), mean_of(groups[1]), is_late, moment)


def kind_of(column, has_functions):
    """Whether a variable is a time, and whether it is an amount of bytes, that is compared between ranks. Times in MPI are not."""
    if column.object is not None or column.element is not None:
        return False, False
    of_layer = has_functions and (SUMS.fullmatch(column.name) or function_of(column) or column.name in (IN_MPI, POLLING, UNSCHEDULED))
    return (column.class_ == "timer" and not of_layer,
            column.class_ == "aggregate" and "bytes" in column.name and not column.name.startswith("net_"))


def imbalances(history):
    """The largest differences of other variables: times by what they cost, then amounts of bytes."""
    if history.of_nodes:
        from mpit_info.nodes import sentences as of_nodes
        return of_nodes.imbalances(history)
    processes, seconds = [process for process in history.ordered() if process.first], duration(history)
    if len(processes) < 2 or not seconds:
        return []
    has_functions = any(function_of(column) for column in history.columns)
    times, amounts = [], []
    for column in history.columns:
        is_time, is_amount = kind_of(column, has_functions)
        found = compared(column, [(process.title(), process.value(column) or 0) for process in processes], seconds) if is_time or is_amount else None
        if found and is_time and found.cost >= LEAST_COST and found.share >= LEAST_SHARE:
            if moment_of(over_time(history, column, found.ranks), found.here > found.others) is not None:
                times.append(found)
        elif found and is_amount and found.share >= LEAST_DIFFERENCE:
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


def of_lateness(of):
    """Which ranks are late, in words."""
    is_one = len(of.ranks) == 1
    subject, verb = named(of.ranks), "is" if is_one else "are"
    subject = subject[:1].upper() + subject[1:]
    moment = f" {of.moment}" if of.moment else ""
    here, others = (f"{figures.short(value)} s" for value in (of.here, of.others))
    if of.is_late:
        return f"{subject} {verb} late{moment}: outside of MPI for {here}, the others for {others}."
    return f"{subject} {verb} early{moment}: outside of MPI for {here}, the others for {others}."


def of_balance(times, seconds):
    """A sentence if no rank can be late; None if that is not certain."""
    least, most = min(each.least for each in times), max(each.most for each in times)
    if len(times) < 2 or most - least >= max(LEAST_COST * seconds, LEAST_SHARE * most):
        return None
    return f"No rank is late: each one is outside of MPI for {figures.short(least)} to {figures.short(most)} s."


def amount(column, value):
    """A time or a number of bytes in words; times from a millisecond on are all in seconds, to be compared."""
    if column.class_ == "timer" and (value >= 0.001 or not value):
        return f"{figures.short(value)} s"
    return quantities.text(value, quantities.unit_of(column, None))


def share_of_mpi(history, times):
    """How much of the time is in MPI, with the function that has most."""
    seconds = sum(each.life for each in times) / len(times)
    means = {column: history.mean_value(column) for column in history.columns if function_of(column)}
    if not seconds:
        return None
    text = f"{figures.percent(min(sum(each.in_mpi for each in times) / len(times) / seconds, 1))} of the time is in MPI"
    most = max(means, key=means.get, default=None)
    return f"{text}, most of it in {function_of(most)} ({figures.percent(min(means[most] / seconds, 1))})." if most else f"{text}."


def efficiency(times):
    """The parallel efficiency and its factors, load balance and communication efficiency (POP); None if polls leave them open."""
    seconds = sum(each.life for each in times) / len(times) if times else 0
    outside = [each.most for each in times]
    if len(times) < 2 or not seconds or not max(outside) or max(each.most - each.least for each in times) > LEAST_SHARE * seconds:
        return None
    mean = sum(outside) / len(outside)
    return mean / seconds, mean / max(outside), min(max(outside) / seconds, 1)


def of_efficiency(found):
    """The efficiency in words."""
    verdict = "good" if found[0] >= 0.8 else "fair" if found[0] >= 0.6 else "poor"
    return (f"Parallel efficiency {figures.percent(found[0])} ({verdict}): load balance {figures.percent(found[1])}, "
            f"communication efficiency {figures.percent(found[2])}.")


def sentences(history):
    """The sentences, the most important one first."""
    times = [] if history.of_nodes else times_of(history)
    told = [] if history.of_nodes else history.progress(PATIENCE)
    if times:
        late = lateness(history, times)
        told += [of_lateness(late)] if late else [text for text in [of_balance(times, duration(history))] if text]
        told += [text for text in [share_of_mpi(history, times)] if text]
        found = efficiency(times)
        told += [of_efficiency(found)] if found else []
    lost = history.missing_sentences() if history.of_nodes else []
    differences = [sentence(each) for each in imbalances(history)]
    return [*differences[:1], *lost, *differences[1:]] if history.of_nodes else [*told, *differences]
