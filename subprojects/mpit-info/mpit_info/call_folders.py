"""The directories of call logs, which only their user can read.

    call_folders.new()      for a job      call_folders.new_of_run()      for a run of this tool

The name of the second one has the namespace of processes and the number of the tool, which removes it at its end; those of tools that
were killed are removed by the next one, unless their processes still run.
"""

import contextlib
import os
import pathlib
import shutil
import stat
import tempfile

from mpit_info import reaching
from mpit_info.refusal import Refusal

NAME, VARIABLE = "mpit-info-calls-", "MPIT_INFO_CALLS"
# Calls are logged in memory alone.
NO_FILE = "memory"


def place():
    """Where they are: in memory where that is possible."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else tempfile.gettempdir()


def new(name=NAME):
    """A new directory."""
    return tempfile.mkdtemp(prefix=name, dir=place())


def of_user():
    """The directory that the user has named; None without one. Agents write to no other user's directory."""
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    path = os.path.abspath(named)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
        told = os.lstat(path)
    except OSError as problem:
        raise Refusal(f"cannot make {path}, which {VARIABLE} names: {problem.strerror}") from None
    if not stat.S_ISDIR(told.st_mode) or told.st_uid != os.geteuid():
        raise Refusal(f"{path}, which {VARIABLE} names, is not a directory of this user")
    return path


def existing():
    """The directories of this user, the latest one last."""
    found = []
    for path in pathlib.Path(place()).glob(f"{NAME}*"):
        with contextlib.suppress(OSError):
            told = path.lstat()
            if stat.S_ISDIR(told.st_mode) and told.st_uid == os.geteuid():
                found.append((told.st_mtime, path))
    return [path for _, path in sorted(found)]


def has_running(path):
    """Whether a process runs that has a call log there."""
    return any(reaching.is_running(log.stem.partition("-")[0]) for log in path.glob("*.calls"))


def latest(paths):
    """The last one of these directories that has call logs, of ended processes where there is one; None without call logs."""
    found = [path for path in paths if any(path.glob("*.calls"))]
    ended = [path for path in found if not has_running(path)]
    return (ended or found or [None])[-1]


def new_of_run():
    """A new directory of this tool, once those that killed tools have left are removed."""
    name = f"{NAME}{reaching.namespace_of('self')}-"
    # Where /proc is that of another namespace, its numbers are not those of the names.
    for path in existing() if os.readlink("/proc/self") == str(os.getpid()) else ():
        tool = path.name[len(name):].partition("-")[0] if path.name.startswith(name) else ""
        if tool and not reaching.is_running(tool) and not has_running(path):
            shutil.rmtree(path, ignore_errors=True)
    return new(f"{name}{os.getpid()}-")
