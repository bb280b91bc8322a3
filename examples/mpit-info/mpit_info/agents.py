"""Where the agent and the empty programs are: `agents.folder(options)`, `agents.empty_program(folder, "mpich")`.

The agent is a library that is loaded into the program before all others; `agents.json` beside it names the programs
that were built for each MPI.
"""

import glob
import json
import os
import pathlib

from mpit_info.refusal import Refusal

LIBRARY = "libmpit-info.so"
HERE = pathlib.Path(__file__).resolve().parent


def candidates(options):
    """The folders where the agent may be, the most explicit first."""
    if options.agents:
        return [options.agents]
    if os.environ.get("MPIT_INFO_AGENTS"):
        return [os.environ["MPIT_INFO_AGENTS"]]
    prefix = HERE.parent.parent.parent
    found = [str(HERE.parent)]
    for library in ("lib", "lib64", "lib/*"):
        found += sorted(glob.glob(str(prefix / library / "mpit-info")))
    return found


def folder(options):
    """The folder that holds the agent."""
    for candidate in candidates(options):
        if (pathlib.Path(candidate) / LIBRARY).is_file():
            return str(pathlib.Path(candidate).resolve())
    raise Refusal(f"{LIBRARY} is not in {' or '.join(candidates(options))}; --agents names the directory")


def empty_program(directory, mpi):
    """The program that does nothing but start the MPI of this name; the first one for no name."""
    path = pathlib.Path(directory) / "agents.json"
    try:
        programs = json.loads(path.read_text(encoding="utf-8"))["programs"]
    except (OSError, ValueError, KeyError):
        programs = {}
    if not programs:
        raise Refusal("no MPI was there when mpit-info was built, so it wants a program: mpit-info -- ./program")
    name = mpi or next(iter(programs))
    if name not in programs:
        raise Refusal(f"there is no MPI {name} here; --mpi knows {', '.join(programs)}")
    return str(path.parent / programs[name])
