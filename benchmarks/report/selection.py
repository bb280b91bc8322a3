# The short table of the project's README: what an author or a tool pays, and what they would pay instead.
#     selection.block(results)

from report.results import in_words, ratio
from report.tables import table

WALK = "index/1000/{}/walk"


def pair(what, ours, *others):
    """A row, or nothing where one of its figures was not measured."""
    if ours is None or any(measured is None for _, measured in others):
        return None
    beside = (f"{title} {measured.median:.{1 if measured.median >= 2 else 2}f}" for title, measured in others)
    return [what, ours, ", ".join(beside),
            " / ".join(in_words(ratio(ours, measured)) for _, measured in others)]


def peers(results, what, call):
    others = [(title, results.peer(leg, "host", call)) for leg, title in (("mpich", "MPICH"), ("openmpi", "Open MPI"))]
    return pair(what, results.peer("own", "own", call), *(each for each in others if each[1] is not None))


def rows(results):
    yield pair("`++counter`, ns", results["hot/counter/1 thread/0 handles"],
               ("thread-local", results["hot/thread_local/1 thread"]),
               ("Open MPI's scheme with a tool", results["hot/counter as in Open MPI/1 thread/1 handles"]))
    yield pair("`++counter`, two threads on one, ns", results["hot/counter/2 threads on one/0 handles"],
               ("shared atomic", results["hot/shared atomic/2 threads on one"]))
    yield pair("raising an event, nobody listens, ns", results["events/nobody"],
               ("load and branch", results["events/load and branch"]))
    yield pair("raising an event, one tool listens, ns", results["events/one"],
               ("the cycle counter for its stamp", results["events/cycle counter read"]),
               ("list of functions", results["events/list of functions, one"]))
    yield pair("number from name among 1000, ns", results[WALK.format("MPI_T_cvar_get_index")],
               ("absl::flat_hash_map", results[WALK.format("absl::flat_hash_map")]),
               ("std::unordered_map", results[WALK.format("unordered_map")]))
    yield peers(results, "the same call of an MPI, ns", "cvar_get_index")
    yield peers(results, "`cvar_get_info`, all fields, ns", "cvar_get_info")
    yield peers(results, "reading a control variable, ns", "cvar_read")
    yield peers(results, "reading a performance variable, ns", "pvar_read")
    yield pair("start-up of 1000 variables, microseconds", results.enrolment("g++", "with_index"),
               ("a map with a call each", results.start("start", "map/1000", "nanoseconds", 1000)))
    for compiler in ("g++", "clang++"):
        yield pair(f"`#include <mpit/mpit.hpp>`, {compiler}, seconds",
                   results.compiled("#include <mpit/mpit.hpp>", compiler),
                   ("empty file", results.compiled("empty file", compiler)))
    for compiler in ("g++", "clang++"):
        yield pair(f"1000 variables at `-O2`, {compiler}, seconds", results.compiled("1000 variables", compiler),
                   ("globals with a call each", results.compiled("1000 globals and calls", compiler)))


def block(results):
    body = list(rows(results))
    if None in body: # what was not measured is in the table that stands there
        return None
    return table(["what it costs", "median (spread)", "beside it", "ratio"], body)
