"""What a person reads first: `headline.sentences(history)` says how much of the time was in MPI, and names the largest imbalances with
their ranks: "Time in MPI_Waitall: imbalance 78 %, rank 3 is late". Where ranks wait in several functions, the sum of them comes first:
a rank that is late in one function makes its neighbours late in the next one.

The imbalance here is the difference between the named ranks and the mean of the others, as a share of the larger one; of the
ranks that differ the smaller group is named, as late or as early. A time is told only if the same ranks differ in most of the run: other differences are noise, and name no rank.
What happens at the start or at the end of the run alone, a first barrier for instance, is told last.
"""

import bisect
import collections
import re

from mpit_info import document, figures, quantities
from mpit_info.sampled import of_row

MOST = 3
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
# Functions whose time says nothing about the ranks that come late: they return without waiting, or, as MPI_Send, when the
# message has left or its buffer is full.
PROMPT = re.compile(r"MPI_(I(?!ntercomm)\w+|[BRS]?[Ss]end|R?(put|get|accumulate)\w*|Put|Get|Get_accumulate|Accumulate|Fetch_and_op|"
                    r"Compare_and_swap|Test\w*|Start\w*|Pack|Unpack|Cancel|Request_free|Type_\w+|Comm_set_name|Comm_idup|"
                    r"Win_test|Win_sync|File_\w+)")
# Functions in which one rank waits for others, that do not wait for it: the rank with most time need not be early.
ONE_WAITS = re.compile(r"MPI_(M?[Rr]ecv|M?[Pp]robe|Reduce|Gatherv?)")
# The share of a time that is at the start or the end, if it is nowhere else.
LEAST_APART = 0.98

# The sum of waiting is left out if one function has so much of its cost, and names the same ranks.
MOST_OF_IT = 0.9

Sum = collections.namedtuple("Sum", "name class_ columns")
Imbalance = collections.namedtuple("Imbalance", "column share cost ranks here others is_waiting moment", defaults=("",))


def function_of(column):
    """The function of MPI that a variable of the counting layer has the time of; None for other variables."""
    found = FUNCTION.fullmatch(column.name)
    return found[1] if found and column.class_ == "timer" else None


def is_waiting(column):
    """Whether the others wait for the rank with the least time: the last one to call a function of MPI waits least."""
    function = function_of(column)
    return not PROMPT.fullmatch(function) if function else "wait" in column.name


def value_of(process, column):
    """The value of a variable, or of a sum of variables, in a process; what it does not have is zero."""
    columns = column.columns if isinstance(column, Sum) else [column]
    return sum(process.value(each) or 0 for each in columns)


def duration(history):
    """Seconds between the first and the last sample, in the process with most."""
    return history.seconds()


def compared(column, values, seconds, waiting):
    """The imbalance of the values by rank; None if all are equal."""
    ordered = sorted(values, key=lambda pair: pair[1], reverse=not waiting)
    gap = abs(ordered[0][1] - sum(value for _, value in ordered[1:]) / (len(ordered) - 1))
    worst = [pair for pair in ordered if abs(pair[1] - ordered[0][1]) <= TOGETHER * gap]
    others = ordered[len(worst):]
    if not others or gap == 0:
        return None
    # The smaller group is named: one rank is early if all others are late.
    worst, others = (worst, others) if len(worst) <= len(others) else (others, worst)
    here = sum(value for _, value in worst) / len(worst)
    there = sum(value for _, value in others) / len(others)
    return Imbalance(column, abs(here - there) / max(here, there), abs(here - there) / seconds,
                     [title for title, _ in worst], here, there, waiting)


def growths(process, column, edges):
    """The growth of a sum in each interval between the edges; before the first sample it is zero."""
    if isinstance(column, Sum):
        return [sum(each) for each in zip(*(growths(process, one, edges) for one in column.columns))]
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


def over_time(history, of):
    """The mean times of the named ranks and of the others in each interval of the run."""
    processes = history.ordered()
    first = min(process.first[0] for process in processes if process.first)
    edges = [first + duration(history) * number / INTERVALS for number in range(INTERVALS + 1)]
    here, others = [], []
    for process in processes:
        (here if process.title() in of.ranks else others).append(growths(process, of.column, edges))
    if not here or not others:
        return []
    return list(zip(*([sum(each) / len(group) for each in zip(*group)] for group in (here, others))))


def is_steady(of, intervals):
    """Whether the named ranks differ from the others in the same direction, in the intervals with most of the time."""
    all_of_it = agreed = 0.0
    for mine, theirs in intervals:
        difference = theirs - mine if of.here < of.others else mine - theirs
        all_of_it += mine + theirs
        agreed += mine + theirs if difference >= LEAST_SHARE * max(mine, theirs) else 0
    return bool(intervals) and agreed >= LEAST_STEADY * all_of_it


def moment_of(intervals):
    """`at the start` or `at the end` if all of the time is there; empty otherwise."""
    sums = [mine + theirs for mine, theirs in intervals]
    return next((moment for place, moment in ((0, "at the start"), (-1, "at the end"))
                 if sums[place] >= LEAST_APART * sum(sums)), "")


def kind_of(column, has_functions):
    """Whether a variable is a time, and whether it is an amount of bytes, that is compared between ranks."""
    if column.object is not None or column.element is not None:
        return False, False
    return (column.class_ == "timer" and not (has_functions and SUMS.fullmatch(column.name)),
            column.class_ == "aggregate" and "bytes" in column.name and not column.name.startswith("net_"))


def of_time(history, column, waiting):
    """The imbalance of a time if it is worth a sentence; otherwise None."""
    values = [(process.title(), value_of(process, column)) for process in history.ordered()]
    found = compared(column, values, duration(history), waiting)
    if not found or found.cost < LEAST_COST or found.share < LEAST_SHARE:
        return None
    intervals = over_time(history, found)
    return found._replace(moment=moment_of(intervals)) if is_steady(found, intervals) else None


def waiting_of_all(history, times):
    """The imbalance of the waiting in all functions of MPI, where no function has most of it; otherwise None."""
    columns = [column for column in history.columns if function_of(column) and is_waiting(column) and kind_of(column, True)[0]]
    found = of_time(history, Sum("Waiting in MPI", "timer", columns), True) if len(columns) > 1 else None
    is_told = found and any(each.ranks == found.ranks and each.cost >= MOST_OF_IT * found.cost for each in times)
    return None if is_told else found


def imbalances(history):
    """The waiting in all functions, then the largest imbalances: times by what they cost, amounts of bytes by their difference."""
    if history.of_nodes:
        from mpit_info.nodes import sentences as of_nodes
        return of_nodes.imbalances(history)
    processes, seconds = history.ordered(), duration(history)
    if len(processes) < 2 or not seconds:
        return []
    has_functions = any(function_of(column) for column in history.columns)
    times, amounts = [], []
    for column in history.columns:
        is_time, is_amount = kind_of(column, has_functions)
        if is_time:
            found = of_time(history, column, is_waiting(column))
            times += [found] if found else []
        elif is_amount:
            found = compared(column, [(process.title(), value_of(process, column)) for process in processes], seconds, False)
            amounts += [found] if found and found.share >= LEAST_DIFFERENCE else []
    times.sort(key=lambda each: (bool(each.moment), -each.cost))
    amounts.sort(key=lambda each: -each.share)
    waiting = waiting_of_all(history, times)
    return ([waiting] if waiting else []) + (times + amounts)[:MOST]


def named(ranks):
    """`rank 3`, `ranks 2 and 3`, `5 ranks`."""
    if len(ranks) > MOST_NAMED:
        return f"{len(ranks)} ranks"
    if len(ranks) == 1:
        return ranks[0]
    numbers = [rank.rpartition(" ")[2] for rank in ranks]
    return f"{ranks[0].partition(' ')[0]}s {', '.join(numbers[:-1])} and {numbers[-1]}"


def sentence(of):
    """One imbalance in words."""
    function, is_one = function_of(of.column), len(of.ranks) == 1
    subject = f"Time in {function}" if function else document.clean(of.column.name)
    subject += f" {of.moment}" if of.moment else ""
    has_waiters = isinstance(of.column, Sum) or function and ONE_WAITS.fullmatch(function)
    if of.is_waiting and of.here > of.others and has_waiters:
        verdict = "waits longer" if is_one else "wait longer"
    elif of.is_waiting:
        verdict = f"{'is' if is_one else 'are'} {'late' if of.here < of.others else 'early'}"
    elif of.column.class_ == "timer":
        verdict = f"{'takes' if is_one else 'take'} {'longer' if of.here > of.others else 'less'}"
    else:
        verdict = f"{'has' if is_one else 'have'} {'more' if of.here > of.others else 'less'}"
    here, others = (amount(of.column, value) for value in (of.here, of.others))
    return f"{subject}: imbalance {figures.percent(of.share)}, {named(of.ranks)} {verdict} ({here}, the others {others})."


def amount(column, value):
    """A time or a number of bytes in words; times from a millisecond on are all in seconds, to be compared."""
    if column.class_ == "timer" and (value >= 0.001 or not value):
        return f"{figures.short(value)} s"
    return quantities.text(value, quantities.unit_of(column, None))


def share_of_mpi(history):
    """How much of the time is in MPI, with the function that has most; None if not all functions are watched."""
    if not any(CALLS.fullmatch(column.name) for column in history.columns):
        return None
    means = {column: history.mean_value(column) for column in history.columns if function_of(column)}
    seconds = duration(history)
    if not means or not seconds:
        return None
    most = max(means, key=means.get)
    text = f"{figures.percent(min(sum(means.values()) / seconds, 1))} of the time is in MPI"
    return f"{text}, most of it in {function_of(most)} ({figures.percent(min(means[most] / seconds, 1))})."


def sentences(history):
    """The sentences, the worst imbalance first."""
    told = imbalances(history)
    found, share = [sentence(each) for each in told], share_of_mpi(history)
    if share and len(history.ordered()) > 1 and not any(each.column.class_ == "timer" and not each.moment for each in told):
        found.insert(0, "The ranks are balanced: no time in MPI differs steadily by 10 %, and by 1 % of the run.")
    lost = history.missing_sentences() if history.of_nodes else []
    return [*found[:1], *lost, *([share] if share else []), *found[1:]]
