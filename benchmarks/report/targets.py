# The targets of the project, and whether they are met: each row has the figure that it is compared with, of the same run.
#     for row in targets.rows(results): ...      targets.block(results)

import dataclasses

from report.results import in_words, ratio
from report.tables import SIZES, table

NOT_MEASURED = "not measured"
MPIS = {"mpich": "MPICH", "openmpi": "Open MPI"}


@dataclasses.dataclass
class Row:
    what: str
    at_least: str
    ours: object
    beside: str
    value: float | None  # what is compared with the limit
    limit: float
    more_is_better: bool
    ratio: str = ""

    def missing(self):
        """The factor that is missing; at most 1 where the row is held."""
        return self.limit / self.value if self.more_is_better else self.value / self.limit

    def held(self):
        if self.value is None:
            return NOT_MEASURED
        return "yes" if self.missing() <= 1 else f"no, by a factor of {self.missing():.2f}"

    def cells(self):
        return [self.what, self.at_least, self.ours or "", self.beside, self.ratio or in_words(self.value), self.held()]


def times_faster(results, what, call, times, at_least="{times} times faster than {title}"):
    """A row for each MPI that has the call: how many times as long it takes."""
    for leg, title in MPIS.items():
        theirs = results.peer(leg, "host", call)
        if theirs is None and results.peer(leg, "host", "cvar_get_num") is not None:
            continue # that version of the MPI has none
        yield Row(what, at_least.format(times=times, title=title), results.peer("own", "own", call),
                  f"{title} {theirs or ''}".strip(), results.peer_ratio(leg, call), times, True)


def at_every_size(results, question, said, map_of="absl::flat_hash_map"):
    """absl's map among so many names; the worst size decides."""
    ours = [results[f"index/{size}/MPI_T_cvar_get_index/{question}"] for size in SIZES]
    theirs = [results[f"index/{size}/{map_of}/{question}"] for size in SIZES]
    factors = [ratio(*pair) for pair in zip(ours, theirs)]
    there = None not in factors
    listed = " / ".join(str(size) for size in SIZES)
    return Row(f"number from name, {said}, {listed} names", f"0.7 of the time of {map_of}, at every N",
               " / ".join(f"{each.median:.1f}" for each in ours) if there else "",
               "absl " + " / ".join(f"{each.median:.1f}" for each in theirs) if there else "absl",
               max(factors) if there else None, 0.7, False,
               " / ".join(in_words(factor) for factor in factors) if there else "")


def compared(results, what, at_least, ours, beside, title, limit, more_is_better):
    """Two benchmarks of one run: theirs as a multiple of ours where more is better, else ours as a multiple of theirs."""
    ours, theirs = (results[name] if isinstance(name, str) else name for name in (ours, beside))
    value = ratio(theirs, ours) if more_is_better else ratio(ours, theirs)
    return Row(what, at_least, ours, f"{title} {theirs or ''}".strip(), value, limit, more_is_better)


def absolute(what, at_least, ours, beside, limit):
    return Row(what, at_least, ours, beside, ours.median if ours else None, limit, False,
               in_words(ours.median / limit) + " of it" if ours else "")


def rows(results):
    yield from times_faster(results, "number from name, 1000 names of ours", "cvar_get_index", 3)
    yield at_every_size(results, "walk", "one after the other")
    yield at_every_size(results, "hit", "any name")
    yield at_every_size(results, "walk", "one after the other", "absl::flat_hash_map behind a C function")
    yield at_every_size(results, "hit", "any name", "absl::flat_hash_map behind a C function")
    more = "index/1000/MPI_T_cvar_get_index among more and more/hit"
    yield compared(results, "the same while another thread registers", "0.9 of the undisturbed rate",
                   f"{more}, another thread registers", more, "undisturbed", 0.9, True)
    yield from times_faster(results, "cvar_get_info, all fields", "cvar_get_info", 2)
    yield from times_faster(results, "pvar_get_info, all fields", "pvar_get_info", 2)
    yield from times_faster(results, "read an int control variable", "cvar_read", 4)
    yield from times_faster(results, "read a performance variable", "pvar_read", 4)
    for call, what in (("cvar_handle_alloc and free", "handle of a control variable, alloc + free"),
                       ("pvar_handle_alloc and free", "handle of a performance variable, alloc + free"),
                       ("pvar_session_create and free", "session create + free")):
        yield from times_faster(results, what, call, 1, "faster than {title}")
    counter = compared(results, "default counter, one thread", "within 2 of a plain thread-local increment",
                       "hot/counter/1 thread/0 handles", "hot/thread_local/1 thread", "thread_local", 2, False)
    if counter.value is not None:
        # A thread-local's own time varies up to fivefold, so that its best repetition is the fair one.
        counter.value = min(counter.ours.samples) / min(results["hot/thread_local/1 thread"].samples)
    yield counter
    yield compared(results, "default counter, two threads on one counter", "8 times faster than a shared atomic",
                   "hot/counter/2 threads on one/0 handles", "hot/shared atomic/2 threads on one", "shared atomic", 8, True)
    yield absolute("event raise, no callback, ns", "0.5 ns", results["events/no callback"],
                   f"load and branch {results['events/load and branch'] or ''}", 0.5)
    yield absolute("event raise, one callback, ns", "10 times faster than Open MPI's 168 ns", results["events/one callback"],
                   f"cycle counter {results['events/cycle counter read'] or ''}", 16.8)
    for compiler in ("g++", "clang++"):
        yield absolute(f"start-up, 1000 variables, {compiler}, microseconds", "30 microseconds",
                       results.registration(compiler, "with_index"),
                       f"a map with calls {results.start('start', 'map/1000', 'nanoseconds', 1000) or ''}", 30)
    for compiler in ("g++", "clang++"):
        yield compared(results, f"1000 variables, -O2, {compiler}, seconds",
                       "no slower to compile than plain globals with calls",
                       results.compiled("1000 variables", compiler), results.compiled("1000 globals and calls", compiler),
                       "globals", 1, False)
    yield compared(results, "batch read of 100 performance variables", "0.3 of 100 single reads",
                   "batch/100 variables", "batch/100 single reads", "single reads", 0.3, False)


def block(results):
    """The table, or None where it stands already and something was not measured this time."""
    if not results.is_quick() and any(row.value is None for row in rows(results)):
        return None
    return table(["cost, through the C function if there is one, ns", "target", "mpit", "compared with", "ratio",
                  "met"], (row.cells() for row in rows(results)))
