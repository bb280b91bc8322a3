"""Changes in all ranks of a job between the same two collective operations of MPI_COMM_WORLD: `with at_once.held(pids) as check: ...; check()`.

Different algorithms of one operation in its ranks would block or crash them. The layer of calls in each process
(agent/calls/world_gate.hpp) lets its thread wait before an operation. Ranks that wait before different ones go on to the next that no rank
has begun, until all wait before the same one. After the block all go on in a new communicator with the same ranks,
or in the former one if an exception leaves it. They are told of the new one while they wait: also a rank that no later message reaches goes on
in it, after its time.
"""

import contextlib
import time

from mpit_info import reaching, signals
from mpit_info.refusal import Refusal

# Seconds until all ranks must wait before one operation, and between two looks. A rank goes on alone after the first ones, counted from
# the last look.
PATIENCE, PAUSE = 10.0, 0.002


class Apart(Exception):
    """The ranks do not wait before one operation; the clause says which of them is elsewhere."""


def asked(pid, operation, with_new=False):
    """The number of operations that a rank has begun, whether it waits before the next one, and its name."""
    answer = reaching.answer(pid, {"want": "hold", "operation": operation, "milliseconds": int(PATIENCE * 1000), "new": with_new})
    told = answer["values"][0] if answer["values"] else {"problem": "its agent is older than this tool"}
    if "problem" in told:
        raise Apart(f"rank {answer.get('rank')} cannot be held: {told['problem']}")
    return told["begun"], told["held"], f"rank {answer.get('rank')}"


def gather(pids):
    """Returns when all ranks wait before the same operation, with its number."""
    operation, limit = 1, time.monotonic() + PATIENCE
    while True:
        told = [asked(pid, operation) for pid in pids]
        latest = max(begun for begun, _, _ in told)
        if all(is_held and begun == latest for begun, is_held, _ in told):
            return latest + 1
        if time.monotonic() > limit:
            elsewhere = next(name for begun, is_held, name in told if not is_held or begun < latest)
            raise Apart(f"all ranks must wait before one collective operation of MPI_COMM_WORLD, and {elsewhere} began none for "
                        f"{PATIENCE:g} s")
        operation = latest + 1
        time.sleep(PAUSE)


def check(pids, operation):
    """Tells all ranks of the new communicator; raises Apart unless they still wait before this operation. A tool that is killed between two of
    these messages leaves ranks that block each other.
    """
    for pid in pids:
        _, is_held, name = asked(pid, operation, with_new=True)
        if not is_held:
            raise Apart(f"{name} went on before the end of the change, which took longer than {PATIENCE:g} s")


def release(pids, with_new):
    """Lets all ranks go on, also behind one that does not answer."""
    for pid in pids:
        with contextlib.suppress(Refusal, Apart):
            asked(pid, 0, with_new)


@contextlib.contextmanager
def held(pids):
    """All ranks wait meanwhile; gives the function that checks it after the change. From then on signals are deferred."""
    with contextlib.ExitStack() as until_all_are_told:
        def check_at_end():
            until_all_are_told.enter_context(signals.deferred())
            check(pids, operation)

        try:
            operation = gather(pids)
            yield check_at_end
        except BaseException:
            release(pids, False)
            raise
        release(pids, True)
