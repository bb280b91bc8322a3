"""What a person reads first of a comparison: `sentences.sentences(comparison)` is `["No difference."]` without any.

A is the run before, B is the present one. A sentence about time is printed only if waits for a processor cannot explain it.
"""

import collections

from mpit_info import figures, headline, words
from mpit_info.diff import compared, moved
from mpit_info.document import clean

# A rank of both runs; `sign` is 1 if it is certainly outside of MPI longer now, -1 if shorter, else 0; `moment` where, as in headline.py.
Pair = collections.namedtuple("Pair", "title before now sign moment")


def pairs(one, other):
    """The ranks of both runs; empty if their numbers differ, or if calls are not counted."""
    before, now = headline.times_of(one), headline.times_of(other)
    if not before or [each.title for each in before] != [each.title for each in now]:
        return []
    seconds = max(headline.duration(one), headline.duration(other))

    def exceeds(longer, shorter):
        return headline.is_certain(headline.excess([longer], [shorter]), seconds, longer.own_most)

    def pair(old, new, *processes):
        sign = exceeds(new, old) - exceeds(old, new)
        moment = headline.moment_outside(one, seconds, new.own_most - old.own_most,
                                         lambda columns: differences(processes, columns)) if sign else None
        return Pair(old.title, old, new, 0 if moment is None else sign, moment or "")

    return [pair(*each) for each in zip(before, now, one.ordered(), other.ordered())]


def differences(processes, columns):
    """How much longer the second process is outside of MPI than the first one, in each interval of its own run."""
    old, new = (headline.outside(process, columns, headline.intervals(process.first[0], process.last[0] - process.first[0]))
                for process in processes)
    return [after - before for before, after in zip(old, new)]


def of_pairs(some, total, what):
    """A sentence about ranks that have changed in the same way."""
    is_own = headline.has_own([times for pair in some for times in (pair.before, pair.now)])
    before, now = (headline.in_seconds(sum(times.own_most if is_own else times.most for times in each) / len(some))
                   for each in zip(*((pair.before, pair.now) for pair in some)))
    names = [pair.title for pair in some]
    everyone = "Both ranks are" if total == 2 else f"All {total} ranks are"
    subject = everyone if len(some) == total > 1 else headline.subject_of(names)
    own = "without waiting for a processor, " if is_own else ""
    moments = {pair.moment for pair in some}
    moment = ", " + moments.pop() if len(moments) == 1 and "" not in moments else ""
    return f"{subject} {what[0]}{moment}: {own}{what[1]}for {now}, before for {before}."


def of_ranks(comparison):
    """Sentences about the time outside of MPI of each rank."""
    known, told, said = comparison.pairs, [], set()
    late = [headline.lateness(history, headline.times_of(history)) for history in (comparison.one, comparison.other)]
    late = [set(found.ranks) if found and found.is_late else set() for found in late]
    for names, sign, what in ((late[1] - late[0], 1, "late now"), (late[0] - late[1], -1, "no longer late")):
        some = [pair for pair in known if pair.title in names and pair.sign == sign]
        if some and len(some) == len(names):
            told.append(of_pairs(some, 0, (what, "outside of MPI ")))
            said |= names
    for sign, what in ((1, "outside of MPI longer"), (-1, "outside of MPI for less time")):
        some = [pair for pair in known if pair.sign == sign and pair.title not in said]
        told += [of_pairs(some, len(known), (what, ""))] if some else []
    return told


def without_processor(history):
    """The seconds in which ranks waited for a processor, over all ranks; None if that is not known."""
    column = headline.column_of(history, headline.UNSCHEDULED)
    processes = [process for process in history.ordered() if process.first]
    return sum(headline.growth_of(process, column) for process in processes) if column and processes else None


def of_duration(comparison):
    """A sentence about the duration; None if a wait of any rank for a processor may explain the difference."""
    before, now = (headline.duration(history) for history in (comparison.one, comparison.other))
    waits = without_processor(comparison.one if before > now else comparison.other)
    if waits is None or abs(now - before) - waits < headline.LEAST_SHARE * max(now, before):
        return None
    return f"The run takes {'longer' if now > before else 'less time'}: {figures.short(now)} s, before {figures.short(before)} s."


def of_variables(found):
    """A sentence about the variables of both runs that differ."""
    if not found:
        return None
    first, more = found[0], len(found) - 1
    before, now = compared.texts(first)
    text = f"{clean(first.label)}: {now}, before {before} ({compared.change_text(compared.change(*compared.numbers(first)))})"
    return text + (f"; {words.plural(more, 'more variable')} {'differs' if more == 1 else 'differ'}." if more else ".")


def sentences(comparison):
    """The sentences, the most important one first."""
    ranks = [len(history.ordered()) for history in (comparison.one, comparison.other)]
    told = [f"{words.plural(ranks[1], 'rank')}, before {ranks[0]}."] if ranks[0] != ranks[1] else []
    told += of_ranks(comparison)
    differing = [variable for variable in comparison.variables if variable.differs]
    both = [variable for variable in differing if None not in (variable.one, variable.other)]
    told += [text for text in (of_duration(comparison), of_variables(both)) if text]
    told += words.first_few([moved.sentence(each) for each in comparison.distributions if moved.differs(each)],
                            lambda count: f"{words.plural(count, 'more distribution')} {'has' if count == 1 else 'have'} moved.")
    differing += [each for each in comparison.distributions if None in (each.one, each.other)]
    more, settings = len(differing) - len(both), len(compared.settings(comparison.controls))
    further = [f"{words.plural(more, 'variable')} {'is' if more == 1 else 'are'} in one run only."] if more else []
    further += [f"{words.plural(settings, 'control variable')} {'differs' if settings == 1 else 'differ'}."] if settings else []
    if told:
        return told + further
    return [f"No difference, but {further[0]}", *further[1:]] if further else ["No difference."]
