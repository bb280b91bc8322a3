"""Finds the agent and the empty programs: `agents.folder(options)`, `agents.empty_program(folder, "mpich")`.

The agent is a library that is preloaded into the program; `agents.json` in the same directory names the programs that
were built for each MPI.
"""

import glob
import json
import os
import pathlib

from mpit_info.refusal import Refusal

LIBRARY = "libmpit-info.so"
HERE = pathlib.Path(__file__).resolve().parent


def candidates(options):
    """The folders that may contain the agent, the most explicit first."""
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


def programs_of(directory):
    """The programs that only start an MPI, by the names of the MPIs."""
    try:
        programs = json.loads((pathlib.Path(directory) / "agents.json").read_text(encoding="utf-8"))["programs"]
        return {name: str(pathlib.Path(directory) / program) for name, program in programs.items()}
    except (OSError, ValueError, KeyError):
        return {}


def empty_programs(directory, library):
    """The programs for an MPI with this version text."""
    kind = "openmpi" if library.startswith("Open MPI") else "mpich"
    return [program for name, program in programs_of(directory).items() if name.startswith(kind)]


def empty_program(directory, mpi):
    """The program that only starts the MPI of this name; without a name the first one."""
    programs = programs_of(directory)
    if not programs:
        raise Refusal("mpit-info was built without an MPI and needs a program: mpit-info -- ./program")
    name = mpi or next(iter(programs))
    if name not in programs:
        raise Refusal(f"unknown MPI {name}; --mpi accepts {', '.join(programs)}")
    return programs[name]
