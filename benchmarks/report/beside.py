# The tables that put MPIs beside us, or us on top of them.
#     beside.names(results)

import across.run
import peers.table
from report.results import in_words
from report.tables import table

LEGS = {"own": ("own", "ours"), "mpich": ("host", "MPICH"), "openmpi": ("host", "Open MPI")}


def names(results):
    """Number from name: each library on its own names, one after the other and in an order without a pattern."""
    body = []
    for leg, (owner, title) in LEGS.items():
        for call, order in (("cvar_get_index", "walk"), ("cvar_get_index of any name", "hit")):
            measured = results.peer(leg, owner, call)
            if measured is None:
                return None
            factor = 1.0 if leg == "own" else results.peer_ratio(leg, call)
            body.append([f"{title}, {order}", results.part("peers_context")[leg]["control variables"], measured,
                         in_words(factor)])
    return table(["number from name, ns", "names", "median (spread)", "ratio"], body)


# The calls in the chart, and what a reader calls them; and those of them in the table of docs/performance.md.
CALLS = {
    "cvar_get_num": "cvar_get_num",
    "cvar_get_index": "cvar_get_index",
    "cvar_get_info": "cvar_get_info, all fields",
    "cvar_read": "cvar_read of an int",
    "cvar_write": "cvar_write of an int",
    "cvar_handle_alloc and free": "cvar handle, alloc + free",
    "pvar_get_index": "pvar_get_index",
    "pvar_get_info": "pvar_get_info, all fields",
    "pvar_read": "pvar_read",
    "pvar_handle_alloc and free": "pvar handle, alloc + free",
    "pvar_session_create and free": "session, create + free",
    "category_get_info": "category_get_info",
    "enum_get_item": "enum_get_item",
    "init_thread and finalize": "init_thread + finalize",
}
TABLED = [call for call in CALLS
          if call not in ("cvar_get_num", "cvar_handle_alloc and free", "category_get_info", "enum_get_item")]


def alone(results, shown=None):
    """Calls that all or one of the MPIs have: the libraries alone, and how many times as long an MPI takes."""
    calls_of = shown or dict.fromkeys(name.split("/", 2)[2] for name in results.part("peers") or {})
    body = []
    for call in calls_of:
        ours, *theirs = (results.peer(leg, owner, call) for leg, (owner, _) in LEGS.items())
        if ours is None or not any(theirs):
            continue
        body.append([call, ours] + [cell for leg, of in zip(("mpich", "openmpi"), theirs)
                                    for cell in (of, in_words(results.peer_ratio(leg, call)))])
    there = {name.split("/")[0] for name in results.part("peers") or {}}
    return table(["one call or pair of calls, ns", "ours", "MPICH", "ratio", "Open MPI", "ratio"], body) \
        if there >= set(LEGS) else None


def turns_of(results):
    """What peers.table works on."""
    return {tuple(name.split("/", 2)): turns for name, turns in (results.part("peers") or {}).items()}


def calls(results):
    taken = turns_of(results)
    if not all(any(key[0] == leg for key in taken) for leg in ("own", "mpich", "openmpi")):
        return None
    return table(peers.table.head(), peers.table.rows(taken))


def instructions(results):
    counted = (results.part("instructions") or {}).get("calls")
    if not counted:
        return None
    taken = {tuple(name.split("/", 2)): {"": count} for name, count in counted.items()}
    return table(["instructions of one call", *peers.table.head()[1:]],
                 peers.table.rows(dict(sorted(taken.items(), key=lambda each: each[0][2])), 0))


def processes(results, wanted):
    """The numbers of processes that are wanted, or None where one of the MPIs was not measured with them."""
    taken = {}
    for name, samples in (results.part("across") or {}).items():
        mpi, what, count, ranks = name.split("/")
        if wanted(int(ranks)):
            taken[mpi, what, None if count == "None" else int(count), int(ranks)] = samples
    if {mpi for mpi, *_ in taken} != set(across.run.TITLES):
        return None
    head, *body = across.run.table(taken)
    return table(head, body)


def few_processes(results):
    return processes(results, lambda ranks: ranks <= 8)


def many_processes(results):
    return processes(results, lambda ranks: ranks > 8)


def points(results):
    """For the plot of names: the MPIs at their own numbers of them."""
    for leg, (owner, title) in LEGS.items():
        measured = results.peer(leg, owner, "cvar_get_index of any name")
        if measured is not None and leg != "own":
            yield title, int(results.part("peers_context")[leg]["control variables"]), measured.median
