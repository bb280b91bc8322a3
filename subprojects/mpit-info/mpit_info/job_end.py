"""Ends a job and all that it has started on this machine: `job_end.adopt()` before it starts, `job_end.end(program)`.

A signal to a launcher or a script need not reach the ranks below it, and those of one that has ended belong to nobody. That is why a
process whose parent ends gets this one as its parent, and all processes below this one are asked to end, and then forced.
"""

import contextlib
import ctypes
import os
import signal
import time

from mpit_info import job_input, reaching, signals

# Seconds that processes have to end, and between two looks.
PATIENCE, PAUSE = 5.0, 0.05
PR_SET_CHILD_SUBREAPER = 36


def adopt():
    """Makes this process the parent of those below it whose parent ends."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def left(program):
    """The numbers of the processes that run below this one, without the helpers of the tool."""
    program.poll()
    running = []
    for pid in reaching.below(os.getpid())[1:]:
        if reaching.is_running(pid):
            running += [pid] if pid not in signals.Witness.running else []
        elif pid != program.pid:
            # One that was adopted has no other parent that takes its status.
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)
    return running


def send(program, number):
    """Sends a signal to all of them."""
    for pid in left(program):
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def end_launch(program, pids):
    """Asks a launch of the program to end: the program if that is a launcher, else the outermost launcher below it that has started these
    processes, or these where it has not, as with srun. A script goes on.
    """
    above = next((reaching.above(pid) for pid in pids if reaching.is_running(pid)), [])
    above = above[:above.index(program.pid) + 1] if program.pid in above else []
    launchers = [pid for pid in (program.pid, *reversed(above)) if job_input.is_launcher(reaching.command_of(pid))]
    for pid in launchers[:1] or pids or [program.pid]:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)


def end(program, number=signal.SIGTERM):
    """Asks all processes of the job to end, unless a terminal has done so, and forces them after that. Another interruption shortens the
    wait.
    """
    with contextlib.suppress(KeyboardInterrupt):
        if number not in signals.TYPED:
            send(program, number)
        limit = time.monotonic() + PATIENCE
        while left(program) and time.monotonic() < limit:
            time.sleep(PAUSE)
    limit = time.monotonic() + PATIENCE
    # A process may start others before it gets the signal.
    while left(program) and time.monotonic() < limit:
        send(program, signal.SIGKILL)
        time.sleep(PAUSE)
    program.wait()
