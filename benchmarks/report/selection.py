# The costs that an author or a tool pays, beside the costs of the alternatives, and instructions.
#     selection.block(results)      selection.instructions(results)

from report.results import in_words, ratio
from report.tables import table

WALK = "index/1000/{}/walk"
COUNTER = "`++counter`, ns"
RAISE = "raising an event, no callback registered, ns"
START = "start-up of 1000 variables, microseconds"
# Calls of a tool in a process with one thread that counts, as calls-benchmark names them, and what a reader calls them.
CALLS = {
    "cvar_get_index": "`cvar_get_index`",
    "pvar_get_index": "`pvar_get_index`",
    "cvar_read of LIBRARY_EAGER_LIMIT": "`cvar_read` of a number",
    "cvar_write of LIBRARY_EAGER_LIMIT": "`cvar_write` of a number",
    "cvar_handle_alloc and free of LIBRARY_EAGER_LIMIT": "handle of a control variable, alloc + free",
    "pvar_read of library_messages_sent": "`pvar_read` of a counter",
    "pvar_start of library_messages_sent": "`pvar_start` of a counter",
    "pvar_handle_alloc and free of library_messages_sent": "handle of a counter, alloc + free",
    "++x[comm]": "`++x[comm]`, the library keeps the cells",
    "++comm->sent": "`++comm->sent`, the cell is in the object",
}


def pair(what, ours, *others):
    """A row, or nothing where one of its figures was not measured."""
    if ours is None or any(measured is None for _, measured in others):
        return None
    beside = (f"{title} {measured.median:.{1 if measured.median >= 2 else 2}f}" for title, measured in others)
    return [what, ours, ", ".join(beside),
            " / ".join(in_words(ratio(ours, measured)) for _, measured in others)]


def rows(results):
    yield pair(COUNTER, results["hot/counter/1 thread/0 handles"],
               ("plain global", results["hot/plain global/1 thread"]),
               ("thread-local", results["hot/thread_local/1 thread"]),
               ("Open MPI's scheme with a tool", results["hot/counter as in Open MPI/1 thread/1 handles"]))
    yield pair("`++counter`, two threads on one, ns", results["hot/counter/2 threads on one/0 handles"],
               ("shared atomic", results["hot/shared atomic/2 threads on one"]))
    yield pair(RAISE, results["events/no callback"],
               ("load and branch", results["events/load and branch"]))
    yield pair("raising an event, one callback registered, ns", results["events/one callback"],
               ("reading the cycle counter for the timestamp", results["events/cycle counter read"]),
               ("list of functions", results["events/list of functions, one"]))
    yield pair("number from name among 1000, ns", results[WALK.format("MPI_T_cvar_get_index")],
               ("absl::flat_hash_map", results[WALK.format("absl::flat_hash_map")]),
               ("std::unordered_map", results[WALK.format("unordered_map")]))
    yield pair(START, results.registration("g++", "with_index"),
               ("a map filled by one call per variable", results.start("start", "map/1000", "nanoseconds", 1000)))
    yield pair("`#include <mpit/mpit.hpp>`, g++, seconds", results.compiled("#include <mpit/mpit.hpp>", "g++"),
               ("empty file", results.compiled("empty file", "g++")))
    yield pair("a file with one counter among many files, g++, seconds",
               results.compiled("one registered tree, in separate files", "g++"),
               ("without `MPIT_SEPARATE_COMPILATION`", results.compiled("one registered tree", "g++")))
    for compiler in ("g++", "clang++"):
        yield pair(f"1000 variables at `-O2`, {compiler}, seconds", results.compiled("1000 variables", compiler),
                   ("globals registered by one call each", results.compiled("1000 globals and calls", compiler)))


def table_of(body):
    """The table, or None if a row was not measured: then the table in the document stays."""
    return None if None in body else table(["cost", "median (spread)", "compared with", "ratio"], body)


def block(results):
    return table_of(list(rows(results)))


def instructions(results):
    """What callgrind has counted for one call, with the call."""
    counted = {line.split(maxsplit=1)[1]: line.split()[0] for line in results.printed("calls") or [] if line.strip()}
    body = [[title, f"{float(counted[name]):.0f}"] for name, title in CALLS.items() if name in counted]
    return table(["call or line", "instructions"], body)
