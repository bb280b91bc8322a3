"""The commands stuck and postmortem: what the ranks of a job on this node are in, and what they did last.

    mpit-info stuck --job 4711        mpit-info postmortem /dev/shm/mpit-info-calls-x3f
"""

import collections
import os
import pathlib
import shutil
import subprocess
import time

from rich.text import Text

from mpit_info import call_log, document, figures, progress, reaching, screen
from mpit_info.refusal import Refusal

# How a debugger prints the stack of a process; the first one that is installed.
DEBUGGERS = {"gdb": ("-p", "{pid}", "-batch", "-nx", "-ex", "bt"), "eu-stack": ("-p", "{pid}", "-1")}
PATIENCE, MOST_FRAMES = 20.0, 12
# The calls of each rank that postmortem prints.
MOST_CALLS = 8
VARIABLE = "MPIT_INFO_CALLS"


def folder_of(pid):
    """The directory of the call log of a process; None without one."""
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((os.fsdecode(word.partition(b"=")[2]) for word in words if word.startswith(VARIABLE.encode() + b"=")), None)


def logs_of(pids):
    """The Logs of these processes, by rank."""
    folders = {folder for folder in map(folder_of, pids) if folder and os.path.isdir(folder)}
    return sorted((log for folder in folders for log in call_log.of_folder(folder, time.time()) if log.pid in pids), key=lambda log: log.rank)


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
        return [line for line in told.splitlines() if line.startswith("#")][:MOST_FRAMES]
    return []


def stacks(logs):
    """The ranks in each call or outside of MPI, with the stack of the first one of each group."""
    groups = collections.defaultdict(list)
    for log in logs:
        call = log.current()
        groups[call.function if call else "outside of MPI"].append(log)
    for where, those in groups.items():
        lines = stack_of(those[0].pid)
        if lines:
            yield Text("")
            yield Text(f"Stack of rank {those[0].rank}, {'in ' if where.startswith('MPI_') else ''}{where}:", style="bold")
            yield from (Text(document.clean(line)) for line in lines)


def show(options):
    """The command stuck."""
    pids = [int(number) for number in options.pid]
    for launcher in options.launchers:
        reaching.owner(launcher)
        pids += reaching.below(launcher)
    logs = logs_of(set(pids))
    if not logs:
        raise Refusal("no process has a call log; start the job with `mpit-info watch -- ...` or `mpit-info resident --log-calls -- ...`", 1)
    now = time.time()
    told = progress.headline(logs, now) or [f"All {len(logs)} ranks are outside of MPI."]
    missing = logs[0].processes - len(logs)
    if missing > 0:
        told.append(f"{missing} of {logs[0].processes} ranks are not on this node, or have ended.")
    screen.show(options, [*(Text(sentence, style="bold" if number == 0 else "") for number, sentence in enumerate(told)), *stacks(logs)])
    return 0


def last_calls(log, end, most=MOST_CALLS):
    """The lines of the last calls of a rank, with the seconds before its last one."""
    for call in log.last(most):
        communicator = log.of(call)
        where = f" in {document.clean(communicator.name)}" if communicator else ""
        other = f", {'root' if call.operation else 'rank'} {call.peer}" if call.peer >= 0 else ", any rank" if call.peer == call_log.ANY else ""
        tag = f", tag {call.tag}" if call.tag >= 0 else ""
        size = f", {figures.exact(call.bytes)} B" if call.bytes else ""
        polls = f", {figures.exact(call.polls)} times" if call.polls > 1 else ""
        took = "has not returned" if call.end is None else "without success" if call.is_failed_poll else f"took {figures.short(call.end - call.begin)} s"
        operation = f" (operation {call.operation})" if call.operation else ""
        yield f"    {call.begin - end:9.3f} s  {call.function}{where}{operation}{other}{tag}{size}{polls}: {took}"


def parts_of(logs, most=MOST_CALLS):
    """What the ranks that have not ended in order did last."""
    end = max((log.changed() or 0 for log in logs), default=0)
    states = progress.states_of(logs)
    for log in logs:
        yield Text(f"rank {log.rank} {progress.doing(states[log.rank], end)}", style="bold")
        yield from (Text(line) for line in last_calls(log, end, most))


def show_folder(options):
    """The command postmortem."""
    if not os.path.isdir(options.folder):
        raise Refusal(f"{options.folder} is not a directory")
    logs = call_log.of_folder(options.folder)
    if not logs:
        raise Refusal(f"{options.folder} has no call log: all processes have ended in order", 1)
    end = max((log.changed() or 0 for log in logs), default=0)
    told = progress.sentences(logs, end)
    screen.show(options, [*(Text(sentence, style="bold") for sentence in told), Text(""), *parts_of(logs, options.calls)])
    return 0
