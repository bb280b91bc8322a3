"""What the ranks of a job are in, and for whom they wait: `progress.sentences(logs, now)`.

Each sentence is a fact of the call logs: a rank that computes is "outside of MPI", and nothing is said about a communicator or a
request that the logs do not name.
"""

import collections

from mpit_info import call_log, document, figures, words

# The identity of MPI_COMM_WORLD.
WORLD = 1
# The most ranks that a sentence names one by one.
MOST_NAMED = 6
# Functions that return only when the other process has come: a receive, a synchronous send, and a send whose buffer is full.
ONE_TO_ONE = ("MPI_Recv", "MPI_Ssend", "MPI_Send", "MPI_Rsend", "MPI_Probe", "MPI_Mprobe", "MPI_Iprobe", "MPI_Improbe")
OF_REQUESTS = ("MPI_Irecv", "MPI_Isend", "MPI_Issend", "MPI_Irsend")
# Operations to which all ranks give the same number of bytes.
OF_ONE_SIZE = ("MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Scan", "MPI_Exscan", "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce_scatter_block")

# Functions that make, start and complete requests of messages.
STARTS = (*OF_REQUESTS, "MPI_Ibsend", "MPI_Isendrecv", "MPI_Isendrecv_replace", "MPI_Imrecv", "MPI_Start")
COMPLETES = ("MPI_Wait", "MPI_Test", "MPI_Request_free", "MPI_Cancel")

# What a rank is in: `wants` is the rank for which its call waits, None if that is not known; `via` the call that made the request of a
# wait. `is_aside` if another thread than the main thread is in the call.
State = collections.namedtuple("State", "log call via wants is_aside")


def named(ranks):
    """`rank 3`, `ranks 2 and 3`, `ranks 0, 1, 4-9`."""
    ranks = sorted(ranks)
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    parts = []
    for rank in ranks:
        if parts and rank == parts[-1][1] + 1:
            parts[-1][1] = rank
        else:
            parts.append([rank, rank])
    texts = [text for first, last in parts for text in ([str(first)] if first == last else [str(first), str(last)] if last == first + 1
                                                       else [f"{first}-{last}"])]
    if len(texts) > MOST_NAMED:
        return f"{len(ranks)} ranks"
    return f"ranks {', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else f"ranks {texts[0]}"


def seconds(number):
    """A time in whole seconds."""
    return f"{max(number, 0):.0f} s" if number < 600 else f"{number / 60:.0f} min"


def last_change(logs, otherwise=0):
    """When the last call of any process has begun or ended."""
    return max((moment for moment in map(call_log.Log.changed, logs) if moment is not None), default=otherwise)


def quiet_for(logs, now):
    """The seconds in which no call of any process has begun or ended."""
    return now - last_change(logs, now)


def state_of(log, rank_of):
    """The State of a process. `rank_of(identity, rank)` is the rank in MPI_COMM_WORLD of a process of a communicator."""
    call = log.current() if log.main() else None
    if call is None or log.phase != call_log.RUNS:
        return State(log, None, None, None, False)
    via = None
    if call.function.startswith(("MPI_Wait", "MPI_Test")) and call.request:
        via = log.made(call.request)
    of = via if via and via.function in OF_REQUESTS else call if call.function in ONE_TO_ONE else None
    communicator = log.of(of) if of else None
    wants = rank_of(communicator.identity, of.peer) if of and communicator and of.peer >= 0 else None
    # A wait for several requests may be for another one of them.
    return State(log, call, via, wants if call.second <= 1 or of is call else None, log.main().current() is None)


def states_of(logs):
    """The States of all processes by rank."""
    places = {}
    for log in logs:
        for each in log.communicators:
            if each.identity and each.rank >= 0 and not each.is_freed:
                places[each.identity, each.rank] = log.rank

    def rank_of(identity, rank):
        return places.get((identity, rank), rank if identity == WORLD else None)

    return {log.rank: state_of(log, rank_of) for log in logs}


def place(log, call):
    """` of MPI_COMM_WORLD (operation 41)`, as far as it is known."""
    communicator = log.of(call)
    if communicator is None:
        return ""
    return f" of {document.clean(communicator.name).replace('unnamed, ', 'a communicator of ')}" + (f" (operation {call.operation})" if call.operation else "")


def other(state):
    """` for a message from rank 1 with tag 7`, ` to rank 1`, or nothing."""
    call = state.via if state.via and state.via.function in OF_REQUESTS else state.call
    if call.function not in ONE_TO_ONE + OF_REQUESTS or call.peer == call_log.NONE:
        return ""
    is_receive = "ecv" in call.function or "robe" in call.function
    who = "any rank" if call.peer == call_log.ANY else f"rank {state.wants}" if state.wants is not None else ""
    tag = f" with tag {call.tag}" if call.tag >= 0 else ""
    if not who:
        return ""
    if call is state.call:
        return f" {'from' if is_receive else 'to'} {who}{tag}"
    return f" for the {call.function} {'from' if is_receive else 'to'} {who}{tag}"


def doing(state, now, is_one=True):
    """`is in MPI_Recv from rank 1 with tag 7`, `is outside of MPI since 23 s`; `are` for several ranks. `now` is None for an unknown moment."""
    verb, has = ("is", "has") if is_one else ("are", "have")
    log = state.log
    since = log.main().changed() if log.main() else log.since
    if log.phase == call_log.IN_FINALIZE:
        return f"{verb} in MPI_Finalize or behind it"
    if log.phase == call_log.IN_ABORT:
        return f"{has} called MPI_Abort"
    if log.phase == call_log.IS_SILENT:
        return f"{has} sent nothing for {seconds(now - since)}"
    outside = f"{verb} outside of MPI" + (f" since {seconds(now - since)}" if now is not None else "") if since is not None else \
        f"{has} begun no call of MPI that the tool has seen" if log.is_late else f"{has} made no call of MPI"
    if state.call is None:
        return outside
    count = f" of {state.call.second} requests" if "all" in state.call.function and state.call.second > 1 else ""
    text = f"in {state.call.function}{count}{place(log, state.call)}{other(state)}"
    if state.is_aside:
        return f"{outside}, with another thread {text}"
    communicator = log.of(state.call)
    if communicator and not communicator.identity and not is_one:
        verb = "are each"  # in one of these communicators, or in different ones
    # Between two polls it may compute.
    return f"{'polls' if is_one else 'poll'} {text.replace('in ', 'with ', 1)}" if log.main().is_polling() else f"{verb} {text}"


def is_collective(call):
    """Whether all processes of the communicator make this call."""
    return call is not None and call.operation > 0 and call.end is None


def of_collectives(states, now):
    """A sentence about each operation that some processes of a communicator are in and others are not; the ranks in it, and all that it names."""
    groups = collections.defaultdict(list)
    for state in states.values():
        if is_collective(state.call) and not state.is_aside and state.log.of(state.call) and state.log.of(state.call).identity:
            groups[state.log.of(state.call).identity].append(state)
    for identity, here in groups.items():
        furthest = max(state.call.operation for state in here)
        here = [state for state in here if state.call.operation == furthest]
        members = {rank: state for rank, state in states.items() if state.log.known(identity)}
        inside, missing = {state.log.rank for state in here}, collections.defaultdict(list)
        for rank, state in members.items():
            if rank not in inside:
                missing[absent(state, identity, now, True), absent(state, identity, now, False)].append(rank)
        parts = [f"{named(ranks)} {one if len(ranks) == 1 else several}" for (one, several), ranks in missing.items()]
        yield inside, ", ".join([part_of_same(here), *parts]), inside.union(members)


def part_of_same(here):
    """`ranks 0 and 1 are in MPI_Barrier of MPI_COMM_WORLD (operation 41)`; with each function, root and size if they differ."""
    kinds = collections.defaultdict(list)
    # A size is 0 where it was not known when the call began.
    sizes = {state.call.bytes for state in here if state.call.function in OF_ONE_SIZE and state.call.bytes}
    for state in here:
        call = state.call
        size = call.bytes if len(sizes) > 1 and call.function in OF_ONE_SIZE and call.bytes else None
        kinds[call.function, call.peer, size].append(state)
    roots = {peer for _, peer, _ in kinds if peer >= 0}
    parts = []
    for (function, peer, size), those in kinds.items():
        ranks = [state.log.rank for state in those]
        text = f"{named(ranks)} {'is' if len(ranks) == 1 else 'are'} in {function}"
        text += f" with root {peer}" if peer >= 0 and len(roots) > 1 else ""
        text += f" of {figures.exact(size)} bytes" if size is not None else ""
        parts.append(text + place(those[0].log, those[0].call))
    return ", ".join(parts)


def absent(state, identity, now, is_one):
    """`is not: it has made 40 operations there and is outside of MPI since 23 s`."""
    made = state.log.known(identity).operations
    begun = is_collective(state.call) and state.log.of(state.call).identity == identity
    there = f"{'has' if is_one else 'have'} made {words.plural(made, 'operation')} there and " if not begun and made is not None else ""
    return f"{'is not: it' if is_one else 'are not: they'} {there}{doing(state, now, is_one)}"


def has_requests(state):
    """Whether messages of a process may be under way beside that for which it waits."""
    log, pending = state.log, -bool(state.via)
    for call in log.main().calls[:-1]:
        if call.function in STARTS:
            pending += 1
        elif call.function == "MPI_Startall":
            pending += call.second
        elif call.function.startswith(COMPLETES) and not call.is_failed_poll:
            pending = max(pending - max(call.second, 1), -bool(state.via))
    return pending > 0 or sum(bool(thread.calls) for thread in log.threads) > 1


def cycle(states):
    """Ranks that wait for each other in a circle, in which nothing else is under way; empty without one."""
    for start in states:
        path = [start]
        while (wanted := states[path[-1]].wants) in states:
            if wanted in path:
                circle = path[path.index(wanted):]
                return [] if any(has_requests(states[rank]) for rank in circle) else circle
            path.append(wanted)
    return []


def chain_end(states, rank):
    """The rank for which this one waits in the end, and which waits for nobody that is known."""
    seen = {rank}
    while (wanted := states[rank].wants) in states and wanted not in seen:
        rank = wanted
        seen.add(rank)
    return rank


def sentences(logs, now, is_asked=False):
    """What the ranks are in, the reason first; empty if no rank is in a call, and none waits in MPI_Finalize, unless this is asked for."""
    states = states_of(logs)
    phases = {log.phase for log in logs}
    if not is_asked and not any(state.call for state in states.values()) and (call_log.IN_FINALIZE not in phases or len(phases) == 1):
        return []
    told, seen, described = [], set(), set()
    circle = cycle(states)
    if circle:
        told.append(f"{named(circle)} wait for each other: " + ", ".join(f"rank {rank} {doing(states[rank], now)}" for rank in circle))
        seen.update(circle)
    for here, text, all_named in of_collectives(states, now):
        if not here <= seen:
            told.append(text)
            seen |= here
            described |= all_named
    seen |= described
    waiting = [rank for rank, state in states.items() if state.wants is not None and rank not in seen]
    for rank in waiting:
        end = chain_end(states, rank)
        told.append(f"rank {rank} {doing(states[rank], now)}" + (f", and rank {end} {doing(states[end], now)}" if end not in {*waiting, *seen} else ""))
        seen.update((rank, end))
    rest = collections.defaultdict(list)
    for rank, state in states.items():
        if rank not in seen:
            rest[doing(state, now), doing(state, now, is_one=False)].append(rank)
    told += [f"{named(ranks)} {one if len(ranks) == 1 else several}" for (one, several), ranks in rest.items()]
    told = [text[:1].upper() + text[1:] + "." for text in told]
    return told


def headline(logs, now, is_asked=False):
    """`Unchanged for 22 s: …`, and the further sentences: they may compute, or transfer much."""
    told = sentences(logs, now, is_asked)
    if not told:
        return []
    quiet = quiet_for(logs, now)
    begin = f"Unchanged for {seconds(quiet)}" if quiet >= 1 else "Calls begin and end, the latest one in the last second; at this moment"
    return [f"{begin}: {told[0][:1].lower()}{told[0][1:]}", *told[1:]]
