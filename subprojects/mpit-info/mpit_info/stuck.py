"""The commands stuck and postmortem: what the ranks of a job on this node are in, and what they did last.

    mpit-info stuck --job 4711        mpit-info postmortem /dev/shm/mpit-info-calls-x3f
"""

import collections
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time

from rich.text import Text

from mpit_info import call_folders, call_log, document, figures, progress, quantities, reaching, screen
from mpit_info.launches import Grouping
from mpit_info.refusal import Refusal

# How a debugger prints the stack of a process; the first one that is installed.
DEBUGGERS = {"gdb": ("-p", "{pid}", "-batch", "-nx", "-ex", "bt"), "eu-stack": ("-p", "{pid}", "-1", "-m")}
PATIENCE, MOST_FRAMES = 20.0, 12
# Frames of a function of MPI that the program calls, in C or Fortran, and those of the tool.
OF_MPI, OF_TOOL = re.compile(r"\bp?mpi_[a-z]\w*", re.I), re.compile(r"mpit_info::|/(libmpit|mpit-info)-[a-z-]+\.so")
# The calls of each rank that postmortem prints.
MOST_CALLS = 8
# What the states of processes in which nothing can go on mean.
STATES = {"T": "stopped by a signal; SIGCONT continues it", "t": "stopped by a debugger"}


def by_launch(logs):
    """The Logs of each launch, in the order of their beginnings, by rank."""
    grouping, found = Grouping(), collections.defaultdict(list)
    for log in sorted(logs, key=lambda log: log.noted):
        found[grouping.of_hello({"launch": log.launch, "host": log.host, "rank": log.rank, "processes": log.processes})].append(log)
    return [sorted(found[number], key=lambda log: log.rank) for number in sorted(found)]


def logs_of(pids):
    """The Logs of these processes, by rank. Each has its file in its memory, also in a container with other directories."""
    found = []
    for pid in pids:
        with contextlib.suppress(OSError, Refusal, call_log.Unreadable):
            maps = pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
            path = next((line.split(None, 5)[5] for line in maps if line.endswith(".calls")), None)
            log = path and call_log.of_file(reaching.root_of(pid) + path, reaching.owner(pid), time.time())
            # A forked child has the file of its parent.
            if log and log.pid == reaching.inner(pid):
                log.outside = pid
                found.append(log)
    return sorted(found, key=lambda log: log.rank)


def stack_of(pid):
    """The lines of the stack of a process; empty without a debugger, or if it may not read the process."""
    for name, words in DEBUGGERS.items():
        if not shutil.which(name):
            continue
        try:
            told = subprocess.run([name, *(word.format(pid=pid) for word in words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False, text=True, errors="replace").stdout
        except (OSError, subprocess.TimeoutExpired):
            continue
        frames = [line for line in told.splitlines() if line.startswith("#") and not OF_TOOL.search(line)]
        # What an MPI calls itself would take the room of the program.
        inside = max((number for number, line in enumerate(frames) if OF_MPI.search(line)), default=0)
        return frames[inside:][:MOST_FRAMES]
    return []


def stacks(logs):
    """The ranks in each call or outside of MPI, with the stack of the first one of each group."""
    groups = collections.defaultdict(list)
    for log in logs:
        call = log.current()
        groups[call.function if call else "outside of MPI"].append(log)
    for where, those in groups.items():
        lines = stack_of(those[0].outside)
        if lines:
            yield Text("")
            yield Text(f"Stack of rank {those[0].rank}, {'in ' if where.startswith('MPI_') else ''}{where}:", style="bold")
            yield from (Text(document.clean(line)) for line in lines)


def show(options):
    """The command stuck."""
    pids = [int(number) for number in options.pid] + (reaching.all_of_job() if options.all else [])
    for launcher in options.launchers:
        reaching.owner(launcher)
        pids += reaching.below(launcher)
    logs = logs_of(set(pids))
    if not logs:
        raise Refusal("no process has a call log; start the job with `mpit-info watch -- ...` or `mpit-info resident --log-calls -- ...`", 1)
    now, all_of_it = time.time(), by_launch(logs)
    parts = []
    for those in all_of_it:
        if len(all_of_it) > 1:
            parts += [Text("")] * bool(parts) + [Text(document.clean(shlex.join(reaching.command_of(those[0].outside))), style="bold")]
        told = progress.headline(those, now, is_asked=True)
        missing = those[0].processes - len(those)
        if missing > 0:
            verbs = ("is", "has") if missing == 1 else ("are", "have")
            where = "one of the processes that were named" if missing == 1 else "among the processes that were named"
            where = f"on this node, or {verbs[1]} ended" if options.launchers or options.all else where
            told.append(f"{missing} of {those[0].processes} ranks {verbs[0]} not {where}.")
        told += [f"Rank {log.rank} is {state}." for log in those for state in [STATES.get(reaching.state_of(log.outside))] if state]
        parts += [Text(sentence, style="bold" if number == 0 else "") for number, sentence in enumerate(told)]
        # Of one that makes calls a debugger is kept away.
        parts += stacks(those) if progress.quiet_for(those, now) >= 1 else []
    screen.show(options, parts)
    return 0


def last_calls(log, end, most=MOST_CALLS):
    """The lines of the last calls of a rank, with the seconds before its last one."""
    for call in log.last(most):
        known = log.of(call)
        there = " there" if known and known.identity != progress.WORLD else ""
        other = ", any rank" if call.peer == call_log.ANY else ""
        if call.peer >= 0:
            other = f", {'root' if call.operation else 'rank'} {call.peer}{there}"
        tag = f", tag {call.tag}" if call.tag >= 0 else ""
        size = f", {figures.exact(call.bytes)} B" if call.bytes else ""
        polls = f", {figures.exact(call.polls)} times" if call.polls > 1 else ""
        took = "has not returned" if call.end is None else f"took {quantities.text(call.end - call.begin, 's')}"
        took = "without success" if call.is_failed_poll else took
        yield f"    {round(call.begin - end, 3) + 0.0:9.3f} s  {call.function}{progress.place(log, call)}{other}{tag}{size}{polls}: {took}"


def parts_of(logs, most=MOST_CALLS):
    """What the ranks of a launch that have not ended in order did last."""
    end, states = progress.last_change(logs), progress.states_of(logs)
    for log in logs:
        yield Text(f"rank {log.rank} {progress.doing(states[log.rank], None)}", style="bold")
        yield from (Text(line) for line in last_calls(log, end, most))


def show_folder(options):
    """The command postmortem."""
    folder = options.folder or os.environ.get(call_folders.VARIABLE) or call_folders.latest(call_folders.existing())
    if folder is None:
        raise Refusal(f"{call_folders.place()} has no call logs of this user", 1)
    logs = call_log.of_folder(folder)
    if not logs:
        raise Refusal(f"{folder} has no call log: all processes have ended in order" if os.path.isdir(folder) else
                      f"there is no directory {folder}; it goes with the end of its last process, if all have ended in order", 1)
    parts, all_of_it = [], by_launch(logs)
    for number, those in enumerate(all_of_it, 1):
        if len(all_of_it) > 1:
            began = time.strftime("%H:%M:%S", time.localtime(min(log.noted for log in those)))
            parts += [Text("")] * bool(parts) + [Text(f"Launch {number} of {len(all_of_it)}, {those[0].processes} ranks, from {began} on", style="bold")]
        told = progress.sentences(those, None)
        parts += [*(Text(sentence, style="bold") for sentence in told), *[Text("")] * bool(told), *parts_of(those, options.calls)]
    screen.show(options, parts)
    return 0
